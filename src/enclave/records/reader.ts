// Verified reads of data outside of small state.

import { envelopeValue } from '../../core/organization/indexes/indexes.ts';
import type { LargeRecords } from '../../core/organization/model.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import { policySetRowId } from '../../core/policy/sets/policy_set.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { createAccountReaders } from './account_reader.ts';
import { createActivityReaders } from './activity_reader.ts';
import { createArchiveReader } from './archive_reader.ts';
import { createChainTransactionReader } from './chain_transaction_reader.ts';
import { createChildren } from './children.ts';
import { createDeliveryReaders } from './delivery_reader.ts';
import { createEmailEventReader } from './email_event_reader.ts';
import type { Reading } from './portions.ts';
import {
  isUnavailable,
  type RecordCodec,
  refuseRecord,
  unknownId,
  withLocation,
} from './record_codec.ts';
import { createSendReaders } from './send_reader.ts';
import { createSentNonceReader } from './sent_nonce_reader.ts';
import { createTextReaders } from './text_reader.ts';
import type { Voters } from './voters.ts';

/** Creates the reader of one organization at one version. */
export function createReaders(ports: {
  store: StorePort;
  codec: RecordCodec;
  keys: RootKeys;
  voters: Pick<Voters, 'complete' | 'charactersOf'>;
  organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  reading: Reading;
}): (state: OrganizationState) => Reader {
  const { codec, keys, voters, organization, reading } = ports;
  const store = accountable(ports.store);
  const accounts = createAccountReaders({ store, codec, keys });
  const activities = createActivityReaders({ store, codec, keys, voters, organization, reading });
  const archive = createArchiveReader({ store, codec });
  const sends = createSendReaders({ store, codec, organization });
  const sentNonces = createSentNonceReader({ store, codec, keys });
  const emails = createEmailEventReader({ store, codec, keys });
  const history = createChainTransactionReader({ store, codec, keys });
  const texts = createTextReaders({ store, codec, organization, reading });
  const deliveries = createDeliveryReaders({ store, codec, voters, reading });
  const children = createChildren({
    store,
    keys,
    organization,
    accountsIn: (child, address) => accounts(child).walletAccountsByAddress(address),
  });
  return (state) => {
    const organizationId = state.id;
    return {
      ...accounts(state),
      ...activities(state),
      ...texts(organizationId),
      ...deliveries(organizationId),
      archiveSegmentOf: (id) => archive.segmentOf(organizationId, id),
      newestArchiveSegments: (limit) => archive.newestSegments(organizationId, limit),
      ...sends(state),
      ...sentNonces(organizationId),
      ...history(organizationId),
      emailEvents: (address) => emails.eventsTo(organizationId, address),
      policySet: async (name) => {
        const kind = 'policy_set';
        const id = policySetRowId(name);
        const rows = await store.records({ organizationId, kind, ids: [id] });
        const row = rows.find((each) => each.id === id);
        // Sealed heads and activities refer to sets, and sets are never deleted.
        if (row === undefined) refuseRecord({ organizationId, kind, id, version: 0 });
        if (row.kind !== kind) refuseRecord({ ...row, organizationId });
        return codec.openRecord(organizationId, row) as LargeRecords['policy_set'];
      },
      childPage: (filter, page) => children.childPage(organizationId, filter, page),
      verifiedChildPage: (page) => children.verifiedPage(organizationId, page),
      childrenWith: (filter) => children.childrenWith(organizationId, filter),
      isChild: (id) => children.isChild(organizationId, id),
      organizationsWithEnvelope: async (value) => {
        const index = 'oauth2_envelope';
        const limit = maximumEnvelopeHolders;
        const found = await store.lookup({ index, blind: keys.blind(index, '', value), limit });
        const ids = [...new Set(found.map((entry) => entry.organizationId))];
        const states = await Promise.all(ids.map((id) => organization(id)));
        // An index entry is only a hint; the state of the organization decides whether it holds the envelope.
        return states.flatMap(({ state }) =>
          state && holdsEnvelope(state, value) ? [state.id] : [],
        );
      },
    };
  };
}

/** At most one organization holds an envelope; the store may have forged further entries. */
const maximumEnvelopeHolders = 10;

function holdsEnvelope({ head, records }: OrganizationState, value: string): boolean {
  if (head.deletedAtMs !== undefined) return false;
  const credentials = [...records.oauth2_credential.values()];
  return credentials.some((each) => envelopeValue(each.encryptedClientSecret) === value);
}

/** Wraps the reads of a store. A failure on a row becomes a rejection that names the row. */
export function accountable(store: StorePort): Omit<StorePort, 'deployment' | 'commit'> {
  return {
    deliveryPage: (request) =>
      withLocation({ organizationId: '', kind: 'webhook_event', id: unknownId }, () =>
        store.deliveryPage(request),
      ),
    organization: store.organization,
    // Entries and children hold only texts and bytes, which decode without failure.
    lookup: store.lookup,
    lookups: store.lookups,
    children: store.children,
    records: async (request) => {
      const { organizationId, kind, ids } = request;
      const [id = unknownId, second] = ids;
      if (second === undefined) {
        return withLocation({ organizationId, kind, id }, () => store.records(request));
      }
      try {
        return await store.records(request);
      } catch (failure) {
        if (isUnavailable(failure)) throw failure;
        // Separate reads find the row at fault.
        for (const each of ids) {
          await withLocation({ organizationId, kind, id: each }, () =>
            store.records({ ...request, ids: [each] }),
          );
        }
        throw failure;
      }
    },
    recordPage: (request) =>
      withLocation({ ...request, id: unknownId }, () => store.recordPage(request)),
    activity: (request) =>
      withLocation({ ...request, kind: 'activity' }, () => store.activity(request)),
    activityPage: (request) =>
      withLocation({ ...request, kind: 'activity', id: unknownId }, () =>
        store.activityPage(request),
      ),
  };
}
