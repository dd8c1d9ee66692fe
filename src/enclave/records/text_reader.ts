// Reads the texts of contract interfaces and secrets, each in a row next to a record of small state.

import { createRecentCache } from '../../core/base/lru_cache.ts';
import { textDigest } from '../../core/contracts/smart_contract_interfaces.ts';
import type {
  ContractInterface,
  LargeRecords,
  SecretText,
  SmallKind,
} from '../../core/organization/model.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StorePort } from '../../store/port.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { createPauses, type Reading } from './portions.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';

/** Maximum number of cached interface texts, of at most 400,000 characters each. */
const maximumCachedInterfaces = 64;

/** Creates the reader of the texts of one organization. */
export function createTextReaders({
  store,
  codec,
  organization,
  reading,
}: {
  readonly store: Pick<StorePort, 'records'>;
  readonly codec: RecordCodec;
  readonly organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  readonly reading: Pick<Reading, 'pause'>;
}): (organizationId: string) => Pick<Reader, 'contractInterfaceTexts' | 'secretTexts'> {
  const interfaceTexts = createRecentCache<string>(maximumCachedInterfaces);
  return (organizationId) => {
    /**
     * Returns the large rows of small records with the same ids. Rejects a missing row of an existing small
     * record.
     */
    async function rowsBeside<Kind extends 'contract_interface_text' | 'secret_text'>(
      kind: Kind,
      beside: SmallKind,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, { record: LargeRecords[Kind]; place: RecordAddress }>> {
      const found = new Map<string, { record: LargeRecords[Kind]; place: RecordAddress }>();
      if (ids.length === 0) return found;
      const rows = await store.records({ organizationId, kind, ids });
      const byId = new Map(rows.map((row) => [row.id, row]));
      const pauses = createPauses(reading.pause);
      for (const id of ids) {
        const row = byId.get(id);
        if (row === undefined) {
          const now = (await organization(organizationId)).state;
          if (now?.records[beside].has(id) !== false) {
            refuseRecord({ organizationId, kind, id, version: 0 });
          }
          continue;
        }
        const place = { ...row, organizationId };
        if (row.kind !== kind) refuseRecord(place);
        const record = codec.openRecord(organizationId, row) as LargeRecords[Kind];
        found.set(id, { record, place });
        await pauses.after(row.body.length);
      }
      return found;
    }

    async function contractInterfaceTexts(
      interfaces: readonly ContractInterface[],
    ): Promise<ReadonlyMap<string, string>> {
      // The text of an interface never changes; its id and digest are those of this state.
      const nameOf = ({ id, digest }: ContractInterface) => `${organizationId}/${id}/${digest}`;
      const texts = new Map<string, string>();
      const unread = interfaces.filter((each) => {
        const known = interfaceTexts.get(nameOf(each));
        if (known !== undefined) texts.set(each.id, known);
        return known === undefined;
      });
      const ids = unread.map(({ id }) => id);
      const rows = await rowsBeside('contract_interface_text', 'contract_interface', ids);
      for (const each of unread) {
        const row = rows.get(each.id);
        if (row === undefined) continue;
        const { text } = row.record;
        if (textDigest(text) !== each.digest) refuseRecord(row.place);
        interfaceTexts.set(nameOf(each), text);
        texts.set(each.id, text);
      }
      return texts;
    }

    async function secretTexts(ids: readonly string[]): Promise<ReadonlyMap<string, SecretText>> {
      const rows = await rowsBeside('secret_text', 'secret', ids);
      return new Map([...rows].map(([id, { record }]) => [id, record]));
    }

    return { contractInterfaceTexts, secretTexts };
  };
}
