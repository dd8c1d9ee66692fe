// An enclave for a replica of the data that is not in service: it opens every sealed row, authenticates
// manifests of backups, and fences or accepts a replica. It answers no requests, and an enclave that answers
// requests does none of this.

import { createdOrganizationOf } from '../core/activity/created_organization.ts';
import { isIdOfDigest } from '../core/base/ids.ts';
import { hmacSha256 } from '../core/crypto/hashes.ts';
import { keyEpochId } from '../core/custody/sealed_form.ts';
import { fail } from '../core/errors/errors.ts';
import type { EnclaveMessages, RequestOf } from '../ipc/messages.ts';
import type { HandlersIn } from '../ipc/phases.ts';
import type { StoredOrganization } from '../store/port.ts';
import type { RecordAddress } from './keys/sealing.ts';
import { chainCursorPlace, isChainCursor } from './records/chain_cursor.ts';
import { headAddress } from './records/change_writer.ts';
import { eventAddress } from './records/event_writer.ts';
import { isLogHead, logHeadPlace } from './records/log_rows.ts';
import { openKeyRing } from './records/opened_keys.ts';
import { openJson, RecordRefusedError, refuseRecord } from './records/record_codec.ts';
import { openVault, type Surroundings } from './running.ts';
import { openDeployment } from './services/bootstrap.ts';

type Custodian = HandlersIn<'custody', EnclaveMessages>;

/**
 * Starts a custodian with the root key, and wipes the key's bytes. Raises `root_key_mismatch` and
 * `root_key_rotating`.
 */
export async function startCustodian(
  { rootKey }: RequestOf<EnclaveMessages['startCustody']>,
  surroundings: Pick<Surroundings, 'ports' | 'store' | 'turns' | 'large'>,
): Promise<Custodian> {
  const { store } = surroundings;
  const { ring, isRotating } = await openKeyRing(store, rootKey);
  if (isRotating) fail('root_key_rotating');
  const { keys, codec, repository, custody } = openVault(ring, surroundings);

  /** Opens all small state, and requires that waiting activities match it. */
  async function openOrganization(row: StoredOrganization): Promise<void> {
    const { organizationId: id, version } = row;
    // Claimed tokens have no body.
    if (isIdOfDigest(id)) return;
    if (id === custody.rowId) return requireOrganization(await custody.firstOrganizationId());
    // This enclave has opened it at the start.
    if (id === keyEpochId) return;
    if (isLogHead(id)) {
      openJson(codec.sealing, logHeadPlace(version), row.head);
      return;
    }
    if (isChainCursor(id)) {
      openJson(codec.sealing, chainCursorPlace(id, version), row.head);
      return;
    }
    const { state } = await repository.organization(id);
    if (state?.version !== version) return refuseRecord(headAddress(id, version));
    if (state.parentId !== undefined) await requireOrganization(state.parentId);
    for (const open of state.records.open_activity.values()) {
      // The version is a column, so this query reads no body.
      const stored = await store.activity({ organizationId: id, id: open.id, maximumBytes: 0 });
      if (stored === undefined || stored.version !== open.activityVersion) {
        refuseRecord({ organizationId: id, kind: 'activity', id: open.id, version: 0 });
      }
    }
  }

  /** The organization of the previous row. Adjacent rows of one organization thus read it once. */
  let last = '';
  async function requireOrganization(organizationId: string): Promise<void> {
    if (organizationId === last) return;
    const asked = { organizationId, kinds: [], knownVersion: 0, fingerprint: undefined };
    const { version } = await store.organization(asked);
    if (version === undefined) refuseRecord(headAddress(organizationId, 0));
    last = organizationId;
  }

  return {
    openRows: async ({ organizations, records, activities, events: eventRows }) => {
      const refused: string[] = [];
      const open = async (run: () => unknown): Promise<void> => {
        try {
          await run();
        } catch (error) {
          if (!(error instanceof RecordRefusedError)) throw error;
          refused.push(nameOf(error.place));
        }
      };
      for (const row of organizations) await open(() => openOrganization(row));
      for (const row of records) {
        await open(() => requireOrganization(row.organizationId));
        await open(() => codec.openRecord(row.organizationId, row));
      }
      for (const row of activities) {
        await open(async () => {
          const created = createdOrganizationOf(codec.openActivity(row.organizationId, row));
          if (created !== undefined) await requireOrganization(created);
        });
      }
      for (const row of eventRows)
        await open(() => openJson(codec.sealing, eventAddress(row), row.body));
      return { refused };
    },
    fence: async ({ backupAtMs }) => {
      const sealed = await store.deployment();
      if (sealed === undefined) return fail('deployment_missing');
      const { organizationId } = openDeployment(sealed, codec);
      const { epoch, row } = await custody.fence(backupAtMs);
      return { organizationId, epoch, row };
    },
    vouch: async ({ manifest }) => ({ mac: hmacSha256(keys.key('backup', ''), manifest) }),
    accept: async ({ reason }) => ({ epoch: await custody.accept(reason) }),
    custodyCopyStatus: () => custody.copyStatus(),
  };
}

function nameOf({ organizationId, kind, id }: RecordAddress): string {
  return `${kind} ${id} of organization ${organizationId}`;
}
