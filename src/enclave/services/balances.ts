// Matches transfers in blocks with the wallet accounts of all organizations, creates webhook events, and
// stores the history. The events, the history and the position in the chain are one commit.

import { type CursorStepKind, cursorAfter } from '../../core/balances/cursor.ts';
import type { BalanceStage, Transfer } from '../../core/balances/transfers.ts';
import { utf8 } from '../../core/base/bytes.ts';
import { assert } from '../../core/errors/errors.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { Reader } from '../../operations/reader.ts';
import { noChange, type StoreChange, type StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { chainCursorPlace, cursorId, readCursor } from '../records/chain_cursor.ts';
import type { RecordCodec, RecordRefusedError } from '../records/record_codec.ts';
import { createBalanceEvents } from './balance_events.ts';
import { createChainHistory } from './chain_history.ts';
import { watchersOf } from './watched_addresses.ts';

/** `overtaken`: another node took the step first. `refused`: the step does not follow the cursor. */
const observeOutcomes = ['committed', 'overtaken', 'refused'] as const;
type ObserveOutcome = (typeof observeOutcomes)[number];

type ChainName = RequestOf<EnclaveMessages['chainCursor']>;
type Observed = RequestOf<EnclaveMessages['observe']>;

type Balances = {
  cursor(name: ChainName): Promise<AnswerOf<EnclaveMessages['chainCursor']>>;
  observe(observed: Observed): Promise<ObserveOutcome>;
};

const stageNames: Readonly<Record<CursorStepKind, BalanceStage | undefined>> = {
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
  /** Yields the thread to other requests, because a block may concern thousands of accounts. */
  pause: () => Promise<void>;
  /** Called for a block with more events than the limit, some of which are dropped. */
  crowded: (block: { readonly caip2: string; readonly number: number }) => void;
  /** Called for an altered row. */
  refusedRow: (error: RecordRefusedError) => void;
}): Balances {
  const { store, codec } = ports;
  const events = createBalanceEvents(ports);
  const history = createChainHistory(ports);

  /** Returns the rows of a step other than the cursor. `lost` are the hashes of reverted blocks. */
  async function rowsOf(
    step: CursorStepKind,
    { caip2, fromBlock, block: { transfers, ...rest } }: Observed,
    lost: readonly string[],
  ): Promise<Partial<StoreChange>> {
    const stage = stageNames[step];
    if (stage === undefined) return history.lost(caip2, lost);
    const block = { ...rest, transfers: transfers.map(transferOf) };
    const [prefix = ''] = caip2.split(':');
    const matched = await watchersOf(ports, prefix, block);
    const newEvents = await events.of(stage, { caip2, block }, matched);
    return { ...(await history[stage]({ caip2, fromBlock }, block, matched)), events: newEvents };
  }

  return {
    cursor: async (name) => {
      const { version, cursor } = await readCursor(store, codec, name);
      return { version, blocks: [...cursor] };
    },
    observe: async (observed) => {
      const { version, cursor } = await readCursor(store, codec, observed);
      if (version !== observed.version) return 'overtaken';
      const { step, block } = observed;
      assert(isStepKind(step), 'a step is one of those that there are');
      const after = cursorAfter(cursor, { kind: step, block, parent: block.parent }, observed);
      if (after === undefined) return 'refused';
      const lost = cursor.filter(({ hash }) => !after.some((mark) => mark.hash === hash));
      const organizationId = cursorId(observed);
      const next = version + 1;
      const place = chainCursorPlace(organizationId, next);
      const head = codec.sealing.seal(place, utf8(JSON.stringify(after)));
      const row = { organizationId, parentId: undefined, version: next, guard: next, head };
      const outcome = await store.commit({
        ...noChange,
        ...(await rowsOf(step, observed, step === 'rewind' ? lost.map(({ hash }) => hash) : [])),
        organizations: [row],
      });
      return outcome === 'committed' ? 'committed' : 'overtaken';
    },
  };
}

function isStepKind(step: string): step is CursorStepKind {
  return Object.hasOwn(stageNames, step);
}

function transferOf(transfer: Observed['block']['transfers'][number]): Transfer {
  const { symbol, name, decimals, caip19, operation, ...rest } = transfer;
  assert(operation === 'deposit' || operation === 'withdraw', 'a transfer has a direction');
  return { ...rest, operation, asset: { symbol, name, decimals, caip19 } };
}
