// Transfers that the gateway saw in blocks, matched with the wallet accounts of all organizations, and
// told to webhook endpoints. What is told of a block and how far its chain was watched are one commit.

import { type Cursor, type CursorStepKind, cursorAfter } from '../../core/balances/cursor.ts';
import { type BalanceStage, balanceEvent, type Transfer } from '../../core/balances/transfers.ts';
import { utf8 } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import { watchedAddressOf, watchedAddressValue } from '../../core/organization/indexes.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import { balanceWebhookEvent } from '../../core/webhooks/event_factory.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StoredEvent, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import type { RecordAddress } from '../keys/sealing.ts';
import { createEventWriter } from '../records/event_writer.ts';
import { openJson, type RecordCodec, refuseRecord } from '../records/record_codec.ts';

/** `overtaken`: another node did a step meanwhile. `refused`: the step does not fit the cursor. */
export const observeOutcomes = ['committed', 'overtaken', 'refused'] as const;
export type ObserveOutcome = (typeof observeOutcomes)[number];

type ChainName = RequestOf<EnclaveMessages['chainCursor']>;
type Observed = RequestOf<EnclaveMessages['observe']>;

export type Balances = {
  cursor(name: ChainName): Promise<AnswerOf<EnclaveMessages['chainCursor']>>;
  observe(observed: Observed): Promise<ObserveOutcome>;
};

/** Addresses of a block in one question to the store, and such questions under way. */
const addressesAtOnce = 250;
const questionsAtOnce = 4;
/** Of accounts and of events, in one question to the store. */
const idsAtOnce = 1_000;

const toldAs: Readonly<Record<CursorStepKind, BalanceStage | undefined>> = {
  begin: undefined,
  rewind: undefined,
  confirm: 'confirmed',
  finalize: 'finalized',
};

export function createBalances(ports: {
  store: StorePort;
  codec: RecordCodec;
  keys: RootKeys;
  organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  reader: (state: OrganizationState) => Reader;
  clock: () => number;
}): Balances {
  const { store, codec, keys, organization, reader, clock } = ports;
  const events = createEventWriter(codec, () => undefined);

  async function readCursor(name: ChainName): Promise<{ version: number; cursor: Cursor }> {
    const organizationId = cursorId(name);
    const { organization: row } = await store.organization({
      ...{ organizationId, kinds: [], knownVersion: 0, fingerprint: undefined },
    });
    if (row === undefined) return { version: 0, cursor: [] };
    const place = cursorPlace(organizationId, row.version);
    if (row.organizationId !== organizationId) refuseRecord(place);
    return { version: row.version, cursor: openJson<Cursor>(codec.sealing, place, row.head) };
  }

  /** The organizations in which an address is that of a living wallet account, by address. */
  async function watchers(
    prefix: string,
    transfers: readonly Transfer[],
  ): Promise<ReadonlyMap<string, readonly OrganizationState[]>> {
    const addresses = [...new Set(transfers.map(({ address }) => address))];
    const hints = new Map<string, string[]>();
    for (const batches of batchesOf(batchesOf(addresses, addressesAtOnce), questionsAtOnce)) {
      const found = await Promise.all(batches.map((batch) => lookups(prefix, batch)));
      for (const { organizationId, recordId } of found.flat()) {
        hints.set(organizationId, [...(hints.get(organizationId) ?? []), recordId]);
      }
    }
    const matched = new Map<string, OrganizationState[]>();
    for (const [organizationId, accountIds] of hints) {
      const { state } = await organization(organizationId);
      if (state === undefined || state.head.deletedAtMs !== undefined) continue;
      // An entry is only a hint: the account itself says which address it has.
      const own = new Set<string>();
      for (const ids of batchesOf(accountIds, idsAtOnce)) {
        for (const account of await reader(state).walletAccounts(ids)) {
          const watched = watchedAddressOf(account);
          if (watched?.prefix === prefix) own.add(watched.address);
        }
      }
      for (const address of own) matched.set(address, [...(matched.get(address) ?? []), state]);
    }
    return matched;
  }

  /** At most a hundred accounts of each address: in more wallets than this nobody holds one key. */
  function lookups(prefix: string, addresses: readonly string[]) {
    const index = 'watched_address';
    const blinds = addresses.map((address) =>
      keys.blind(index, '', watchedAddressValue({ prefix, address })),
    );
    return store.lookups({ index, blinds });
  }

  async function eventsOf(stage: BalanceStage, observed: Observed): Promise<StoredEvent[]> {
    const { caip2, block } = observed;
    const transfers = block.transfers.map(transferOf);
    const [prefix = ''] = caip2.split(':');
    const matched = await watchers(prefix, transfers);
    const told: StoredEvent[] = [];
    for (const transfer of transfers) {
      for (const state of matched.get(transfer.address) ?? []) {
        const { id: organizationId, parentId: parentOrganizationId = organizationId } = state;
        const parent =
          state.parentId === undefined ? undefined : (await organization(state.parentId)).state;
        const where = { caip2, block, organizationId, parentOrganizationId };
        const { id, change, body } = balanceEvent(stage, transfer, where);
        const service = { ...balanceWebhookEvent(stage, change), id, body, atMs: clock() };
        told.push(...events.of(service, state, parent));
      }
    }
    return withoutTold(told);
  }

  /** A block that comes back after another one took its place is not told of once more. */
  async function withoutTold(made: readonly StoredEvent[]): Promise<StoredEvent[]> {
    const fresh: StoredEvent[] = [];
    for (const [endpointId, own] of Map.groupBy(made, (event) => event.endpointId)) {
      for (const batch of batchesOf(own, idsAtOnce)) {
        const eventIds = batch.map(({ eventId }) => eventId);
        const known = await store.deliveryPage({ endpointId, after: 0, limit: 1, eventIds });
        const told = new Set(known.deliveries.map(({ eventId }) => eventId));
        fresh.push(...batch.filter(({ eventId }) => !told.has(eventId)));
      }
    }
    return fresh;
  }

  return {
    cursor: async (name) => {
      const { version, cursor } = await readCursor(name);
      return { version, blocks: [...cursor] };
    },
    observe: async (observed) => {
      const { version, cursor } = await readCursor(observed);
      if (version !== observed.version) return 'overtaken';
      const { step, block } = observed;
      assert(isStepKind(step), 'a step is one of those that there are');
      const after = cursorAfter(cursor, { kind: step, block, parent: block.parent }, observed);
      if (after === undefined) return 'refused';
      const stage = toldAs[step];
      const organizationId = cursorId(observed);
      const place = cursorPlace(organizationId, version + 1);
      const head = codec.sealing.seal(place, utf8(JSON.stringify(after)));
      const outcome = await store.commit({
        conditions: [],
        organizations: [{ organizationId, parentId: undefined, version: version + 1, head }],
        records: [],
        deletedRecords: [],
        lookups: [],
        deletedLookups: [],
        activities: [],
        events: stage === undefined ? [] : await eventsOf(stage, observed),
        redeliveries: [],
        deployment: undefined,
      });
      return outcome === 'committed' ? 'committed' : 'overtaken';
    },
  };
}

/**
 * A cursor is kept as an organization is: one sealed row whose version every change raises by one, so
 * that of two nodes one takes a step. No request can name it, since it is no UUID.
 */
function cursorId({ caip2, fromBlock }: ChainName): string {
  return `chain/${caip2}/${fromBlock ?? ''}`;
}

function cursorPlace(organizationId: string, version: number): RecordAddress {
  return { organizationId, kind: 'chain_cursor', id: organizationId, version };
}

function isStepKind(step: string): step is CursorStepKind {
  return Object.hasOwn(toldAs, step);
}

function transferOf(transfer: Observed['block']['transfers'][number]): Transfer {
  const { symbol, name, decimals, caip19, operation, ...rest } = transfer;
  assert(operation === 'deposit' || operation === 'withdraw', 'a transfer has a direction');
  return { ...rest, operation, asset: { symbol, name, decimals, caip19 } };
}

function batchesOf<Value>(values: readonly Value[], size: number): Value[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, i) => values.slice(i * size, (i + 1) * size));
}
