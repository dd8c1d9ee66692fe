// The stored transactions of a block for the addresses of wallet accounts: written when the block is seen,
// replaced when it is final, and removed when its chain reverts it.

import type { ChainName } from '../../core/balances/cursor.ts';
import type { Block } from '../../core/balances/transfers.ts';
import { assert } from '../../core/errors/errors.ts';
import {
  chainTransaction,
  concerning,
  idsOfBlock,
  keptOfAddress,
  keptOfBlock,
  withinShares,
} from '../../core/history/chain_transactions.ts';
import { blockValue, indexEntriesOfRecord } from '../../core/organization/indexes/indexes.ts';
import type { ChainTransaction } from '../../core/organization/records/chain_transactions.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { StoreChange, StoredLookup, StoredRecord, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { addressBlindOf, openChainTransaction } from '../records/chain_transaction_reader.ts';
import { type RecordCodec, RecordRefusedError } from '../records/record_codec.ts';

const kind = 'chain_transaction';
const index = 'unfinal_transaction';
/** Maximum rows before a block in which the last final transaction is searched. */
const lookedBack = 20;

/** The rows of a step, over all organizations. */
type HistoryRows = Pick<StoreChange, 'records' | 'deletedRecords' | 'lookups' | 'deletedLookups'>;
const none: HistoryRows = { records: [], deletedRecords: [], lookups: [], deletedLookups: [] };

/** The organizations with an account of each address. */
export type Watchers = ReadonlyMap<string, readonly OrganizationState[]>;

type Ports = {
  readonly store: Pick<StorePort, 'lookup' | 'recordPage'>;
  readonly codec: RecordCodec;
  readonly keys: Pick<RootKeys, 'blind'>;
  readonly clock: () => number;
  /** Yields the thread to other requests, because a block may have thousands of rows. */
  readonly pause: () => Promise<void>;
  /** Called for an altered row. */
  readonly refusedRow: (error: RecordRefusedError) => void;
};

export function createChainHistory(ports: Ports) {
  const { store, codec, keys, clock, pause } = ports;
  const numbered = createNumbering(ports);

  /** Groups the transactions of a block by organization and address. */
  async function transactionsOf(chain: ChainName, block: Block, watchers: Watchers) {
    const concerned = concerning(block, (address) => watchers.has(address));
    const { number, hash, timestampMs } = block;
    const places = [...concerned].flatMap(([address, each]) =>
      (watchers.get(address) ?? []).map((state) => ({ address, state, each })),
    );
    const found = [];
    for (const { address, state, each } of withinShares(places, keptOfBlock)) {
      const addressBlind = addressBlindOf(keys, state.id, chain, address);
      const of = { caip2: chain.caip2, address, addressBlind, now: clock() };
      const transactions = [];
      for (const one of each) {
        await pause();
        const row = chainTransaction(one, { ...of, block: { number, hash, timestampMs } });
        requireAmounts(row);
        transactions.push(row);
      }
      found.push({ state, addressBlind, transactions });
    }
    return found;
  }

  async function stored(
    state: OrganizationState,
    rows: readonly ChainTransaction[],
  ): Promise<HistoryRows> {
    const { id: organizationId, parentId, version } = state;
    const owner = { organizationId, parentId };
    const records: StoredRecord[] = [];
    const lookups: StoredLookup[] = [];
    for (const row of rows) {
      await pause();
      records.push(codec.sealRecord(organizationId, kind, row, version));
      for (const entry of indexEntriesOfRecord(kind, row, owner)) {
        const blind = keys.blind(entry.index, entry.scope, entry.value);
        lookups.push({ index: entry.index, blind, organizationId, recordId: row.id });
      }
    }
    return { ...none, records, lookups };
  }

  /** Returns the stored transactions of a block that is not final. */
  function keptOf(caip2: string, blockHash: string): Promise<readonly StoredLookup[]> {
    const blind = keys.blind(index, '', blockValue(caip2, blockHash));
    return store.lookup({ index, blind, limit: keptOfBlock });
  }

  return {
    confirmed: async (chain: ChainName, block: Block, watchers: Watchers): Promise<HistoryRows> => {
      const parts: HistoryRows[] = [];
      for (const { state, transactions } of await transactionsOf(chain, block, watchers)) {
        parts.push(await stored(state, transactions));
      }
      return allOf(parts);
    },
    finalized: async (chain: ChainName, block: Block, watchers: Watchers): Promise<HistoryRows> => {
      const kept = await keptOf(chain.caip2, block.hash);
      const parts: HistoryRows[] = [];
      const found = await transactionsOf(chain, block, watchers);
      for (const { state, addressBlind, transactions } of found) {
        const { rows, gone } = await numbered(state.id, addressBlind, transactions, block.number);
        parts.push({ ...(await stored(state, rows)), deletedRecords: gone });
      }
      // Writes take precedence over deletions, so this removes only rows of deleted accounts.
      return allOf([...parts, removed(kept)]);
    },
    lost: async (caip2: string, blockHashes: readonly string[]): Promise<HistoryRows> => {
      const kept = await Promise.all(blockHashes.map((hash) => keptOf(caip2, hash)));
      return removed(kept.flat());
    },
  };
}

/** Numbers the final transactions of each address, and finds those beyond the limit. */
function createNumbering({ store, codec, pause, refusedRow }: Ports) {
  const open = (organizationId: string, row: StoredRecord): ChainTransaction | undefined => {
    try {
      return openChainTransaction(codec, organizationId, row);
    } catch (error) {
      // An altered row must not stop the chain of other organizations.
      if (!(error instanceof RecordRefusedError)) throw error;
      refusedRow(error);
      return undefined;
    }
  };

  /** Returns the rows of an address with their numbers, and the oldest rows to delete. */
  async function numbered(
    organizationId: string,
    groupId: string,
    transactions: readonly ChainTransaction[],
    blockNumber: number,
  ) {
    const page = { greaterThan: undefined, lessThan: idsOfBlock(blockNumber).first };
    /** The group is not sealed: each row names its address, and thus its organization. */
    const ask = async (ascending: boolean, limit: number) => {
      const asked = { organizationId, kind, groupId, page: { ...page, ascending, limit } };
      const opened: ChainTransaction[] = [];
      for (const row of await store.recordPage(asked)) {
        await pause();
        const found = open(organizationId, row);
        if (found?.addressBlind === groupId) opened.push(found);
      }
      return opened;
    };
    const before = await ask(false, lookedBack);
    const last = Math.max(0, ...before.map((row) => row.finalNumber ?? 0));
    const rows = transactions.map((row, i) => ({ ...row, finalNumber: last + i + 1 }));
    const least = last + rows.length - keptOfAddress;
    const most = Math.min(rows.length + lookedBack, keptOfBlock);
    const oldest = least > 0 ? await ask(true, most) : [];
    const gone = oldest.flatMap((row) =>
      row.finalNumber !== undefined && row.finalNumber <= least ? [row.id] : [],
    );
    return { rows, gone: gone.map((id) => ({ organizationId, kind, id })) };
  }

  return numbered;
}

function removed(kept: readonly StoredLookup[]): HistoryRows {
  return {
    ...none,
    deletedRecords: kept.map(({ organizationId, recordId: id }) => ({ organizationId, kind, id })),
    deletedLookups: kept,
  };
}

function allOf(parts: readonly HistoryRows[]): HistoryRows {
  return {
    records: parts.flatMap(({ records }) => records),
    deletedRecords: parts.flatMap(({ deletedRecords }) => deletedRecords),
    lookups: parts.flatMap(({ lookups }) => lookups),
    deletedLookups: parts.flatMap(({ deletedLookups }) => deletedLookups),
  };
}

/** Requires decimal digits, because clients compute with amounts. */
function requireAmounts({ fee, transfers }: ChainTransaction): void {
  const amounts = [fee, ...transfers.map(({ amount }) => amount)];
  const areNumbers = amounts.every((amount) => /^(?:0|[1-9][0-9]{0,200})$/.test(amount));
  assert(areNumbers, 'the gateway reports amounts in decimal digits');
}
