// Nonces of the addresses that the service sends from. It uses each nonce once.

import type { Context } from '../base/context.ts';
import { assert, fail, failField } from '../errors/errors.ts';
import type {
  EthereumSend,
  Send,
  Sender,
  SentNonce,
  UnderWay,
} from '../organization/records/sends.ts';
import type { OrganizationDraft, OrganizationView } from '../organization/state.ts';

/** Maximum number of pending transactions of an address on a chain. */
const maximumUnsettledSends = 64;
/** Maximum number of an organization's pending transactions. Each check of a chain reads all of them. */
const maximumOfOrganization = 1_000;
const maximumCharacters = 2 * 1024 * 1024;
/**
 * Maximum share of transactions that were signed outside the service. Such a transaction may never land, and
 * the organization cannot free its nonce.
 */
const shareOfSignedElsewhere = 3 / 4;
/** Maximum share of one user. Transactions of an address without coins may never land. */
const shareOfOneUser = 3 / 4;
/** Maximum share of a sponsor's sub-organization, of the room that other transactions leave. */
const shareOfOneChild = 1 / 2;
/** Share reserved for short transactions of users with few pending ones. */
const shareForFew = 1 / 20;
const few = { count: 5, share: 1 / 40 };

type ChainAddress = { readonly caip2: string; readonly address: string };

/**
 * Returns the next nonce of an address (lower case): the lowest free one from `used`, the number of the
 * address's mined transactions. Pending transactions occupy their nonces; a failed transaction leaves no gap.
 * With `count`, that many consecutive nonces are free.
 */
export function nextNonce(
  organization: OrganizationView,
  place: ChainAddress,
  used: bigint,
  count = 1,
): bigint {
  const taken = (senderOf(organization, place)?.taken ?? []).flatMap(({ nonce, nonces = 1 }) =>
    nonce === undefined ? [] : Array.from({ length: nonces }, (_, i) => BigInt(nonce) + BigInt(i)),
  );
  const all = new Set(taken);
  let nonce = used;
  while (Array.from({ length: count }, (_, i) => nonce + BigInt(i)).some((each) => all.has(each)))
    nonce += 1n;
  return nonce;
}

/** Returns the IDs of all pending transactions. */
export function sendsUnderWay(organization: OrganizationView): readonly string[] {
  return allUnderWay(organization).map(({ sendId }) => sendId);
}

/**
 * Requires room for further transactions of an address. A transaction without a `userId` was signed outside
 * the service. Raises `sends_exceeded` and `organization_sends_exceeded`.
 */
export function requireSendRoom(
  organization: OrganizationView,
  { caip2, address }: ChainAddress,
  further: readonly SendSize[],
): void {
  const underWay: SendSize[] = [...allUnderWay(organization)];
  const before: SendSize[] = [...(senderOf(organization, { caip2, address })?.taken ?? [])];
  for (const begun of further) {
    requireRoom(begun, underWay);
    const share = begun.userId === undefined ? shareOfSignedElsewhere : 1;
    const ofAddress = maximumUnsettledSends * share;
    if (before.length >= ofAddress) fail('sends_exceeded', { maximum: ofAddress, address, caip2 });
    const ofChild = roomOfChild(begun, before, { count: ofAddress, characters: maximumCharacters });
    if (!ofChild.isEnough) fail('sends_exceeded', { maximum: ofChild.count, address, caip2 });
    underWay.push(begun);
    before.push(begun);
  }
}

/** Records a transaction as pending, with its nonce if it has one. Raises like `requireSendRoom`. */
export function beginSend(
  draft: OrganizationDraft,
  { caip2, address }: ChainAddress,
  begun: Omit<UnderWay, 'step'>,
  { newId, now }: Pick<Context, 'newId' | 'now'>,
): void {
  requireSendRoom(draft, { caip2, address }, [begun]);
  const known = senderOf(draft, { caip2, address });
  const { id, createdAtMs } = known ?? { id: newId(), createdAtMs: now };
  draft.put('sender', {
    id,
    createdAtMs,
    updatedAtMs: now,
    caip2,
    address,
    taken: [...(known?.taken ?? []), { ...begun, step: 0 }],
  });
}

/** Records the new row of a transaction. Frees the nonce of a settled transaction. */
export function noteStep(draft: OrganizationDraft, send: Send, now: number): void {
  const sender = senderOf(draft, send);
  assert(sender !== undefined, 'a transaction under way has a sender');
  const taken = sender.taken.flatMap((each) => {
    if (each.sendId !== send.id) return [each];
    return send.isSettled === true ? [] : [{ ...each, step: send.step }];
  });
  if (taken.length === 0) draft.remove('sender', sender.id);
  else draft.put('sender', { ...sender, updatedAtMs: now, taken });
}

/**
 * Records the nonces that a settled transaction has used: its own, even if another transaction landed with
 * it, and as many nonces of its authorizations as nodes counted (`used`). Call it before `noteStep`. `known`
 * is the row of the address, if there is one.
 */
export function noteUsed(
  draft: OrganizationDraft,
  { id: sendId, caip2, address, nonce }: EthereumSend,
  { known, used = 0n }: { known: SentNonce | undefined; used: bigint | undefined },
  { newId, now }: Pick<Context, 'newId' | 'now'>,
): void {
  const taken = senderOf(draft, { caip2, address })?.taken.find((each) => each.sendId === sendId);
  const after = BigInt(nonce) + 1n;
  const last = BigInt(nonce) + BigInt(taken?.nonces ?? 1);
  const next = used < after ? after : used > last ? last : used;
  if (known !== undefined && BigInt(known.next) >= next) return;
  if (known !== undefined) draft.drop('sent_nonce', known);
  const { id, createdAtMs } = known ?? { id: newId(), createdAtMs: now };
  const row = { id, createdAtMs, updatedAtMs: now, caip2, address, next: String(next) };
  draft.add('sent_nonce', row);
}

/**
 * Returns true if the organization's state confirms the row of a transaction: a pending one by its step, a
 * settled one by its absence from the pending ones.
 */
export function vouchesForSend(organization: OrganizationView, send: Send): boolean {
  const taken = senderOf(organization, send)?.taken.find(({ sendId }) => sendId === send.id);
  return send.isSettled === true ? taken === undefined : taken?.step === send.step;
}

/** Returns the IDs of the pending transactions with a nonce; several replace each other. */
export function sendsWithNonce(
  organization: OrganizationView,
  place: ChainAddress,
  nonce: bigint,
): readonly string[] {
  const taken = senderOf(organization, place)?.taken ?? [];
  return taken.flatMap((each) => (each.nonce === String(nonce) ? [each.sendId] : []));
}

/** Raises `field_invalid` for a nonce that a mined transaction used. */
export function requireUnused(nonce: bigint, used: bigint, field = 'parameters.nonce'): void {
  if (nonce >= used) return;
  const expected = `expected nonce ${used} or a higher one, since lower ones are used, got ${nonce}`;
  failField(field, expected);
}

/**
 * Raises `field_invalid` if a transaction shares nonces with a pending one without replacing it. The later of
 * the two could never land.
 */
export function requireApart(
  organization: OrganizationView,
  place: ChainAddress,
  { nonce, nonces = 1 }: { readonly nonce: bigint; readonly nonces?: number | undefined },
  field = 'parameters.nonce',
): void {
  const end = nonce + BigInt(nonces);
  for (const taken of senderOf(organization, place)?.taken ?? []) {
    if (taken.nonce === undefined || taken.nonce === String(nonce)) continue;
    const first = BigInt(taken.nonce);
    const last = first + BigInt((taken.nonces ?? 1) - 1);
    if (end <= first || last < nonce) continue;
    const used = first === last ? `nonce ${first}` : `nonces ${first} to ${last}`;
    failField(field, `expected a nonce that no pending transaction uses: one uses ${used}`);
  }
}

/** The members of a pending transaction that its room depends on. */
type SendSize = Pick<UnderWay, 'characters' | 'userId' | 'organizationId'>;
type Room = { readonly count: number; readonly characters: number };

/**
 * Returns the room for a sub-organization whose transactions this organization sponsors: half of the room
 * that other transactions leave, so that it cannot block them. The organization itself may use all room.
 */
function roomOfChild(
  begun: SendSize,
  underWay: readonly SendSize[],
  { count, characters }: Room,
): Room & { readonly isEnough: boolean } {
  const { organizationId } = begun;
  if (organizationId === undefined) return { count, characters, isEnough: true };
  const own = underWay.filter((each) => each.organizationId === organizationId);
  const ofOthers = charactersOf(underWay) - charactersOf(own);
  const room = {
    count: Math.ceil((count - underWay.length + own.length) * shareOfOneChild),
    characters: Math.ceil((characters - ofOthers) * shareOfOneChild),
  };
  const isEnough = own.length < room.count && charactersOf([...own, begun]) <= room.characters;
  return { ...room, isEnough };
}

/** Raises `organization_sends_exceeded` beyond the limit of the organization, user or sub-organization. */
function requireRoom(begun: SendSize, underWay: readonly SendSize[]): void {
  const all = { count: maximumOfOrganization, characters: maximumCharacters };
  const ofChild = roomOfChild(begun, underWay, all);
  if (!ofChild.isEnough) failRoom(ofChild);
  const { userId } = begun;
  if (userId === undefined) {
    requireShare(begun, underWay, shareOfSignedElsewhere);
    return;
  }
  const own = underWay.filter((each) => each.userId === userId);
  requireShare(begun, own, shareOfOneUser);
  const isOfFew =
    own.length < few.count && charactersOf([...own, begun]) <= maximumCharacters * few.share;
  requireShare(begun, underWay, isOfFew ? 1 : 1 - shareForFew);
}

function requireShare(begun: SendSize, underWay: readonly SendSize[], share: number): void {
  const count = maximumOfOrganization * share;
  const characters = maximumCharacters * share;
  if (underWay.length < count && charactersOf([...underWay, begun]) <= characters) return;
  failRoom({ count, characters });
}

function failRoom({ count, characters }: Room): never {
  fail('organization_sends_exceeded', { maximum: count, kib: Math.floor(characters / 2048) });
}

function charactersOf(some: readonly SendSize[]): number {
  return some.reduce((sum, { characters }) => sum + characters, 0);
}

function allUnderWay(organization: OrganizationView): readonly UnderWay[] {
  return organization.list('sender').flatMap(({ taken }) => taken);
}

function senderOf(
  organization: OrganizationView,
  { caip2, address }: ChainAddress,
): Sender | undefined {
  for (const sender of organization.rows('sender').values()) {
    if (sender.caip2 === caip2 && sender.address === address) return sender;
  }
  return undefined;
}
