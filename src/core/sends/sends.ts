// Transactions that the service sends, stored in their organization.

import { bytesOfHex, hex, utf8 } from '../base/bytes.ts';
import type { Context } from '../base/context.ts';
import { keccak256, sha256 } from '../crypto/hashes.ts';
import { assert } from '../errors/errors.ts';
import type {
  EthereumSend,
  Send,
  SendOrigin,
  SolanaSend,
  StationUse,
} from '../organization/records/sends.ts';
import type { OrganizationDraft } from '../organization/state.ts';
import { beginSend, noteStep } from './nonces.ts';
import { type SendProgress, setAside, whyGivenUp } from './progress.ts';

/**
 * Stores a signed transaction (lower-case hex without `0x`) and its nonce. It is sent once the commit is
 * durable. Raises `sends_exceeded` and `organization_sends_exceeded`.
 */
export function startSend(
  draft: OrganizationDraft,
  {
    activityId,
    caip2,
    address,
    nonce,
    nonces,
    signed,
    userId,
    origin,
    station,
  }: {
    readonly activityId: string;
    readonly caip2: string;
    readonly address: string;
    readonly nonce: bigint;
    /** Number of consecutive nonces from `nonce`. Default: one. */
    readonly nonces?: number;
    readonly signed: string;
    /**
     * The user who requested the signature. Undefined for an already signed transaction, whose key may be
     * external.
     */
    readonly userId?: string;
    readonly origin: SendOrigin;
    /** Set for a sponsored transaction. */
    readonly station?: StationUse;
  },
  context: Context,
): Send {
  const bytes = bytesOfHex(signed);
  assert(bytes !== undefined, 'a signed transaction is hex');
  const begun: Begun<EthereumSend> = {
    family: 'eip155',
    activityId,
    caip2,
    address,
    nonce: String(nonce),
    signedTransaction: `0x${signed}`,
    transactionHash: `0x${hex(keccak256(bytes))}`,
    origin,
    ...(userId === undefined ? { isSignedElsewhere: true } : {}),
    ...(station === undefined ? {} : { isSponsored: true }),
  };
  return keepSend(draft, begun, context, { nonces, userId, station });
}

type Begun<S extends Send> = Omit<S, 'id' | 'status' | 'step' | 'createdAtMs' | 'updatedAtMs'>;

/** Stores a transaction of any chain family. Raises like `startSend`. */
export function keepSend(
  draft: OrganizationDraft,
  begun: Begun<EthereumSend> | Begun<SolanaSend>,
  context: Context,
  {
    nonces = 1,
    userId,
    station,
  }: {
    readonly nonces?: number | undefined;
    readonly userId: string | undefined;
    readonly station?: StationUse | undefined;
  },
): Send {
  const { signedTransaction } = begun;
  const id = context.newId();
  const send: Send = {
    id,
    ...begun,
    status: 'INITIALIZED',
    step: 0,
    createdAtMs: context.now,
    updatedAtMs: context.now,
  };
  const several = nonces === 1 ? {} : { nonces };
  const nonce = send.family === 'solana' ? {} : { nonce: send.nonce, ...several };
  const user = userId === undefined ? {} : { userId };
  const used = station === undefined ? {} : { station };
  const { organizationId } = begun.origin ?? {};
  const child = organizationId === undefined ? {} : { organizationId };
  const size = { characters: signedTransaction.length };
  const underWay = { sendId: id, ...nonce, ...size, ...user, ...child, ...used };
  beginSend(draft, send, underWay, context);
  draft.add('send', send);
  return send;
}

/** Stores the progress of a pending transaction. A settled transaction releases its room. */
export function advanceSend(
  draft: OrganizationDraft,
  send: Send,
  progress: SendProgress,
  now: number,
): Send {
  const { block: _block, error: _error, ...rest } = send;
  return replaceSend(draft, send, { ...rest, ...progress }, now);
}

/**
 * Records that an organization abandons a transaction that is in no block. The next look that finds it in no
 * block sets it aside; without a node for its chain (`isWatched`), this happens at once.
 */
export function abandonSend(
  draft: OrganizationDraft,
  send: Send,
  { isWatched, now }: { readonly isWatched: boolean; readonly now: number },
): void {
  if (send.isAbandoned === true && isWatched) return;
  const abandoned: Send = { ...send, isAbandoned: true };
  const why = isWatched ? undefined : whyGivenUp(abandoned, now);
  const end = why === undefined ? {} : setAside(send, why);
  replaceSend(draft, send, { ...abandoned, ...end }, now);
}

function replaceSend(draft: OrganizationDraft, send: Send, changed: Send, now: number): Send {
  const after: Send = { ...changed, step: send.step + 1, updatedAtMs: now };
  draft.drop('send', send);
  draft.add('send', after);
  noteStep(draft, after, now);
  return after;
}

/** Returns the event of a new status, identical for identical content. */
export function sendEvent(
  send: Send,
  where: { readonly organizationId: string; readonly parentOrganizationId: string },
): { readonly id: string; readonly body: string } {
  const { id: sendTransactionStatusId, activityId, status, caip2, transactionHash } = send;
  const error = sendErrorView(send);
  const reported = [sendTransactionStatusId, status, send.block?.hash ?? '', send.updatedAtMs];
  const idempotencyKey = hex(sha256(utf8(JSON.stringify(reported))));
  const msg = {
    sendTransactionStatusId,
    activityId,
    status,
    caip2,
    idempotencyKey,
    timestamp: Math.floor(send.updatedAtMs / 1000),
    ...(status === 'INCLUDED' ? { txHash: transactionHash } : {}),
    ...(error === undefined ? {} : { error }),
  };
  return {
    id: `${sendTransactionStatusId.slice(0, 14)}8${sendTransactionStatusId.slice(15, 18)}-8${idempotencyKey.slice(0, 3)}-${idempotencyKey.slice(3, 15)}`,
    body: JSON.stringify({ type: 'transaction:status', ...where, msg }),
  };
}

/** Returns the error of a transaction in the form of the public clients; undefined without an error. */
export function sendErrorView({ family, error }: Send) {
  if (error === undefined) return undefined;
  const { message, revertChain = [], solana } = error;
  // Older clients read the chain next to the message.
  if (family !== 'solana') return { message, revertChain, eth: { revertChain } };
  return { message, ...(solana === undefined ? {} : { solana }) };
}
