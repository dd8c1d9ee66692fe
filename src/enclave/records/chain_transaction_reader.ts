// Reads transactions of an account's address, as observed on their chain. Each row is sealed separately.

import type { ChainName } from '../../core/balances/cursor.ts';
import { hex } from '../../core/base/bytes.ts';
import { chainStatus } from '../../core/history/chain_transactions.ts';
import { sentTransactionValue } from '../../core/organization/indexes/indexes.ts';
import type { LargeRecords } from '../../core/organization/model.ts';
import type { ChainTransaction } from '../../core/organization/records/chain_transactions.ts';
import type { Page, Reader, SeenTransaction } from '../../operations/reader.ts';
import type { StoredRecord, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { cursorId, readCursor } from './chain_cursor.ts';
import { checkPage, pageOf } from './pages.ts';
import { type RecordCodec, refuseRecord } from './record_codec.ts';

const kind = 'chain_transaction';
/** Maximum store queries for one page. Few rows belong to reverted blocks, which are skipped. */
const maximumQuestions = 10;

type Ports = {
  readonly store: Pick<StorePort, 'organization' | 'recordPage' | 'lookups'>;
  readonly codec: RecordCodec;
  readonly keys: Pick<RootKeys, 'blind'>;
};

/** Returns the blinded group of an address's transactions, because the database must not learn addresses. */
export function addressBlindOf(
  keys: Ports['keys'],
  organizationId: string,
  chain: ChainName,
  address: string,
): string {
  return hex(keys.blind(kind, organizationId, JSON.stringify([cursorId(chain), address])));
}

/** Opens the row of a transaction. Raises `record_refused`. */
export function openChainTransaction(
  codec: RecordCodec,
  organizationId: string,
  row: StoredRecord,
): ChainTransaction {
  if (row.kind !== kind) refuseRecord({ ...row, organizationId });
  return codec.openRecord(organizationId, row) as LargeRecords['chain_transaction'];
}

/** Creates the reader of the transactions of one organization. */
export function createChainTransactionReader({ store, codec, keys }: Ports) {
  /** Returns the rows of a page, newest first. The caller drops transactions of other addresses. */
  async function rowsOf(
    organizationId: string,
    groupId: string,
    page: Page,
  ): Promise<readonly ChainTransaction[]> {
    const rows = await pageOf(page, 'descending', (request) =>
      store.recordPage({ organizationId, kind, groupId, page: request }),
    );
    checkPage(rows, page, 'descending', (row) => ({ ...row, organizationId }));
    return rows.map((row) => openChainTransaction(codec, organizationId, row));
  }

  return (organizationId: string): Pick<Reader, 'chainTransactions' | 'sendsOf'> => ({
    chainTransactions: async (chain, address, page) => {
      const groupId = addressBlindOf(keys, organizationId, chain, address);
      // The cursor must be read before the rows, which may only be newer.
      const { cursor } = await readCursor(store, codec, chain);
      const isFromEnd = page.before !== undefined && page.after === undefined;
      let found: readonly SeenTransaction[] = [];
      let { before, after } = page;
      for (let question = 1; question <= maximumQuestions; question += 1) {
        const limit = page.limit - found.length;
        const rows = await rowsOf(organizationId, groupId, { limit, before, after });
        const shown = rows.flatMap((transaction): SeenTransaction[] => {
          const status = chainStatus(transaction, cursor);
          // The group is not sealed, so the row itself must name it.
          const isOwn = transaction.addressBlind === groupId;
          return isOwn && status !== undefined ? [{ transaction, status }] : [];
        });
        found = isFromEnd ? [...shown, ...found] : [...found, ...shown];
        if (rows.length < limit || found.length === page.limit) break;
        if (isFromEnd) before = rows[0]?.id;
        else after = rows.at(-1)?.id;
      }
      return found;
    },
    sendsOf: async (caip2, txHashes) => {
      const index = 'sent_transaction';
      const blinds = txHashes.map((txHash) =>
        keys.blind(index, organizationId, sentTransactionValue(caip2, txHash)),
      );
      const found = blinds.length === 0 ? [] : await store.lookups({ index, blinds });
      return found.flatMap((entry) =>
        entry.organizationId === organizationId ? [entry.recordId] : [],
      );
    },
  });
}
