// Transactions in progress on a chain, and the reports of its nodes, for the gateway. The enclave cannot
// verify the reports. They sign nothing, and by `progressAfter` and `solanaProgressAfter` they free no nonce
// of a transaction that may still land.

import { createRecentCache } from '../../core/base/lru_cache.ts';
import { fail } from '../../core/errors/errors.ts';
import type { EthereumSend, Send, SendBlock } from '../../core/organization/records/sends.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import { noteUsed } from '../../core/sends/nonces.ts';
import {
  progressAfter,
  type Seen,
  type SendProgress,
  whyGivenUp,
} from '../../core/sends/progress.ts';
import { advanceSend, sendEvent } from '../../core/sends/sends.ts';
import { solanaProgressAfter, solanaSeenOf } from '../../core/sends/solana_progress.ts';
import { createTurns } from '../../core/sends/turns.ts';
import { sendWebhookEvent } from '../../core/webhooks/event_factory.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { Reader } from '../../operations/reader.ts';
import type { StoredLookup, StorePort } from '../../store/port.ts';
import type { RootKeys } from '../keys/root_keys.ts';
import { RecordRefusedError } from '../records/record_codec.ts';
import type { SystemChanges } from '../records/system_changes.ts';
import { createSendReleases, type SendRelease } from './send_releases.ts';

type SendSeen = RequestOf<EnclaveMessages['sendSeen']>;
type Underway = AnswerOf<EnclaveMessages['unsettledSends']>[number];

type Sends = {
  unsettled(
    request: RequestOf<EnclaveMessages['unsettledSends']>,
  ): Promise<AnswerOf<EnclaveMessages['unsettledSends']>>;
  maySend(request: RequestOf<EnclaveMessages['maySend']>): Promise<boolean>;
  seen(request: SendSeen): Promise<void>;
};

/** Maximum number of tracked transactions on one chain. */
const maximumListed = 10_000;
/** Maximum attempts of a report. The next check of the chain repeats it. */
const maximumAttempts = 5;
/** Maximum number of chains with a remembered position. */
const maximumChains = 100;
/** Maximum characters of signed transactions in one answer. */
const maximumCharacters = 8 * 1024 * 1024;
const turnsOfSends = {
  idOf: ({ sendId }: Underway) => sendId,
  sizeOf: ({ signedTransaction }: Underway) => signedTransaction.length,
  maximum: maximumCharacters,
};

export function createSends(ports: {
  store: StorePort;
  keys: RootKeys;
  organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  reader: (state: OrganizationState) => Reader;
  systemChange: SystemChanges['systemChange'];
  newId: () => string;
  clock: () => number;
  /** Called for an altered row. */
  refusedRow: (error: RecordRefusedError) => void;
}): Sends {
  const { store, keys, organization, reader, systemChange, newId, clock } = ports;
  const sendsIn = createSendReleases(ports);
  const chains = createRecentCache<ChainTurns>(maximumChains);

  /** Returns entries over several calls, so that large organizations do not hide others. */
  async function entriesOf(caip2: string, chain: ChainTurns): Promise<readonly StoredLookup[]> {
    const index = 'unsettled_send';
    const asked = { index, blind: keys.blind(index, '', caip2), limit: maximumListed };
    const { after } = chain;
    const further = after === '' ? [] : await store.lookup({ ...asked, after });
    const isFull = further.length === maximumListed;
    const earlier = isFull ? [] : await store.lookup(asked);
    const isEarlier = ({ organizationId }: StoredLookup) => after === '' || organizationId <= after;
    const found = [...further, ...earlier.filter(isEarlier)].slice(0, maximumListed);
    const last = found.at(-1)?.organizationId ?? '';
    const whole = found.findLast(({ organizationId }) => organizationId !== last);
    chain.after = found.length < maximumListed ? '' : (whole?.organizationId ?? last);
    return found;
  }

  /** Altered rows of one organization do not stop the sends of others. */
  async function sendableIn(organizationId: string, ids: readonly string[]) {
    try {
      return await sendsIn(organizationId, ids);
    } catch (error) {
      if (!(error instanceof RecordRefusedError)) throw error;
      ports.refusedRow(error);
      return [];
    }
  }

  /** Records a report. Returns false if the organization changed meanwhile. */
  async function advanced(seen: SendSeen): Promise<boolean> {
    const { organizationId, sendId } = seen;
    const { state } = await organization(organizationId);
    const send = state && (await reader(state).sends([sendId])).get(sendId);
    const progress = send && progressOf(send, seen, clock());
    if (state === undefined || send === undefined || progress === undefined) return true;
    const numbered = hasUsedNonce(send, progress) ? send : undefined;
    const known = numbered && (await reader(state).sentNonce(numbered));
    const used = seen.ethereum && seenOf(seen.ethereum).usedAtFinal;
    let isOvertaken = false;
    await systemChange(organizationId, (draft, { version }) => {
      isOvertaken = version !== state.version;
      if (isOvertaken) return undefined;
      const now = clock();
      if (numbered !== undefined) noteUsed(draft, numbered, { known, used }, { newId, now });
      const after = advanceSend(draft, send, progress, now);
      if (after.status === 'INITIALIZED' || !isNews(send, after)) return 'no_event';
      const parentOrganizationId = draft.parentId ?? organizationId;
      const of = { organizationId: send.origin?.organizationId ?? organizationId };
      const event = sendEvent(after, { ...of, parentOrganizationId });
      const msg = { status: after.status, caip2: after.caip2 };
      return { ...sendWebhookEvent({ ...of, msg }), ...event, atMs: now };
    });
    return !isOvertaken;
  }

  return {
    unsettled: async ({ caip2 }) => {
      const chain = chains.get(caip2) ?? { turns: createTurns(turnsOfSends), after: '' };
      chains.set(caip2, chain);
      const found = await entriesOf(caip2, chain);
      const byOrganization = [...Map.groupBy(found, (each) => each.organizationId)];
      const all = await Promise.all(
        byOrganization.map(async ([organizationId, entries]) => {
          const ids = entries.map(({ recordId }) => recordId);
          const sends = await sendableIn(organizationId, ids);
          const items = sends
            .filter(({ send }) => send.isSettled !== true && send.caip2 === caip2)
            .map((release) => underway(organizationId, release, clock()));
          return { id: organizationId, items };
        }),
      );
      return [...chain.turns(all)];
    },
    maySend: async ({ organizationId, sendId }) => {
      const [found] = await sendsIn(organizationId, [sendId]);
      if (found === undefined || found.isFrozen) return false;
      return found.send.isSettled !== true && whyGivenUp(found.send, clock()) === undefined;
    },
    seen: async (request) => {
      for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
        if (await advanced(request)) return;
      }
      fail('organization_busy', { attempts: maximumAttempts });
    },
  };
}

/** The position of a chain: the groups found, and the last organization found. */
type ChainTurns = {
  readonly turns: ReturnType<typeof createTurns<Underway>>;
  after: string;
};

function underway(
  organizationId: string,
  { send, isFrozen, station }: SendRelease,
  now: number,
): Underway {
  const { id: sendId, address, transactionHash, status, block } = send;
  const signedTransaction = isFrozen ? '' : send.signedTransaction;
  const sent = { signedTransaction, isFrozen, transactionHash, status };
  const shown = { organizationId, sendId, address, ...sent };
  const givenUp = whyGivenUp(send, now);
  const calls = station && { sender: station.sender, nonce: station.nonce };
  const all = { ...shown, block: block && { hash: undefined, ...block }, givenUp, station: calls };
  if (send.family !== 'solana') return { ...all, nonce: send.nonce, solana: undefined };
  const { lifetime, sinceSlot, isPaidByOthers = false } = send;
  const absent = { lastBlockHeight: undefined, nonceAccount: undefined };
  return {
    ...all,
    nonce: undefined,
    solana: { ...absent, ...lifetime, sinceSlot, isPaidByOthers },
  };
}

/** Returns the progress by the rules of the chain's family; facts of another family change nothing. */
function progressOf(
  send: Send,
  { ethereum, solana, confirmations }: SendSeen,
  now: number,
): SendProgress | undefined {
  const givenUp = whyGivenUp(send, now);
  if (send.family === 'solana') {
    return solana && solanaProgressAfter({ ...send, givenUp }, solanaSeenOf(solana));
  }
  return ethereum && progressAfter({ ...send, givenUp }, seenOf(ethereum), confirmations);
}

/** Returns true if this progress uses up the nonce. A transaction that is set aside uses none. */
function hasUsedNonce(send: Send, progress: SendProgress): send is EthereumSend {
  return send.family !== 'solana' && progress.isSettled === true && progress.isSetAside !== true;
}

function isNews(before: Send, after: Send): boolean {
  const isSame = after.status === before.status && isSameBlock(after.block, before.block);
  return !isSame || after.isSetAside === true;
}

function isSameBlock(one: SendBlock | undefined, other: SendBlock | undefined): boolean {
  return one?.number === other?.number && one?.hash === other?.hash;
}

function seenOf(seen: NonNullable<SendSeen['ethereum']>): Seen {
  const { usedAtFinal, inclusion, newest, isTaken } = seen;
  return {
    newest,
    isTaken,
    usedAtFinal: usedAtFinal === undefined ? undefined : BigInt(usedAtFinal),
    inclusion:
      inclusion === undefined
        ? undefined
        : {
            number: inclusion.number,
            hash: inclusion.hash,
            ...(inclusion.error === undefined ? {} : { error: { message: inclusion.error } }),
          },
  };
}
