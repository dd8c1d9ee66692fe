// The first line of an approval: the amount, the chain, and the two parties. The amounts and addresses come
// from the signed bytes. Names and earlier payments come from the service.

import { amountText } from '../../balances/amount_text.ts';
import type {
  Effect,
  TransactionExplanation,
} from '../../organization/records/transaction_explanation.ts';
import { unlimitedAmount } from '../calls/token_calls.ts';
import { chainText, coinOfChain } from '../ethereum/known_chains.ts';
import { knownToken } from '../ethereum/known_tokens.ts';

/** An address with the records of the organization about it. */
export type Party = {
  /** The address in the spelling of its chain. */
  readonly address: string;
  readonly standing: AddressHistory;
};

/**
 * `own`: an account of the organization. `book`: an entry of its address book. `paid`: an earlier payment
 * went to the address. `unpaid`: no examined payment did. `unknown`: the payments could not be read.
 */
export type AddressHistory =
  | { readonly kind: 'own' | 'book'; readonly name: string }
  | { readonly kind: 'paid' | 'unknown' }
  | { readonly kind: 'unpaid'; readonly since: PaymentsSeen };

/** The range of examined payments. */
export type PaymentsSeen = {
  readonly count: number;
  /** Time of the oldest examined payment. Absent if all payments were examined. */
  readonly sinceMs?: number;
};

export type Headline = {
  /** `allow`: the recipient may take the amount later. */
  readonly kind: 'pay' | 'allow';
  /** `0.5 ETH`, for example. Undefined for an unlimited amount of `asset`. */
  readonly amount: string | undefined;
  readonly asset: string;
  /** `Sepolia`, for example. Undefined if the transaction is valid on any chain. */
  readonly chain: string | undefined;
  readonly from: Party;
  /** The recipients without duplicates. */
  readonly to: readonly [Party, ...Party[]];
  /** Number of further effects: movements of other assets, calls, code that is set for an account. */
  readonly more: number;
};

/** The names and payments that a service reports. */
export type KnownAddresses = {
  /** Names by `addressKey`. */
  readonly own: ReadonlyMap<string, string>;
  readonly book: ReadonlyMap<string, string>;
  /** Addresses of earlier payments, by `addressKey`; undefined if they could not be read. */
  readonly paid?: ReadonlySet<string> | undefined;
  readonly seen: PaymentsSeen;
};

export const nothingKnown: KnownAddresses = { own: new Map(), book: new Map(), seen: { count: 0 } };

/** Returns the lookup key of an address. Hexadecimal addresses ignore letter case. */
export const addressKey = (address: string): string =>
  /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;

type Movement = Effect & { readonly from: string; readonly to: string; readonly asset: string };

/**
 * Returns the headline of an explained transaction or permit; undefined if it names no movement of an amount.
 * `chain` is its CAIP-2 name or only its namespace.
 */
export function headlineOf(
  { effects }: Pick<TransactionExplanation, 'effects'>,
  { chain, signer }: { readonly chain: string | undefined; readonly signer: string },
  known: KnownAddresses = nothingKnown,
): Headline | undefined {
  const movements = effects.flatMap((effect) => movementOf(effect, signer));
  const [first] = movements;
  if (first === undefined) return undefined;
  const isAlike = (other: Movement): boolean =>
    isAllowance(other) === isAllowance(first) &&
    other.asset === first.asset &&
    addressKey(other.from) === addressKey(first.from);
  const alike = movements.filter(isAlike);
  const recipients = new Map(alike.map(({ to }) => [addressKey(to), to]));
  const [to, ...others] = [...recipients.values()].map((address) => partyOf(address, known));
  if (to === undefined) return undefined;
  const total = alike.reduce((sum, { amount = '0' }) => sum + BigInt(amount), 0n);
  const isOpenEnded =
    isAllowance(first) && (first.amount === undefined || BigInt(first.amount) >= unlimitedAmount);
  return {
    kind: isAllowance(first) ? 'allow' : 'pay',
    amount: isOpenEnded ? undefined : assetText(total, first.asset, chain),
    asset: assetName(first.asset, chain),
    chain: chainText(chain),
    from: partyOf(first.from, known),
    to: [to, ...others],
    more: movements.length - alike.length + furtherEffects(effects),
  };
}

/** Counts effects that no movement describes. A transfer or an allowance of tokens describes its call. */
function furtherEffects(effects: readonly Effect[]): number {
  const count = (...kinds: readonly Effect['kind'][]) =>
    effects.filter(({ kind }) => kinds.includes(kind)).length;
  const undescribed = Math.max(0, count('CALL') - count('TOKEN_TRANSFER', 'APPROVAL'));
  return undescribed + count('CONTRACT_CREATION', 'DELEGATION', 'PERMISSION_CHANGE');
}

/** The addresses that a transaction pays. */
export function recipientsOf(
  { effects }: Pick<TransactionExplanation, 'effects'>,
  signer: string,
): readonly string[] {
  return effects.flatMap((effect) => movementOf(effect, signer)).map(({ to }) => to);
}

/** Excludes change, which returns to the signer. */
function movementOf(effect: Effect, signer: string): readonly Movement[] {
  const { kind, from = signer, to, asset, amount } = effect;
  const isMovement = kind === 'TRANSFER' || kind === 'TOKEN_TRANSFER' || kind === 'APPROVAL';
  if (!isMovement || to === undefined || to === '' || asset === undefined) return [];
  if (amount === undefined && kind !== 'APPROVAL') return [];
  if (kind !== 'APPROVAL' && addressKey(to) === addressKey(from)) return [];
  return [{ ...effect, from, to, asset }];
}

const isAllowance = ({ kind }: Effect): boolean => kind === 'APPROVAL';

function partyOf(address: string, known: KnownAddresses): Party {
  return { address, standing: historyOf(addressKey(address), known) };
}

function historyOf(key: string, { own, book, paid, seen }: KnownAddresses): AddressHistory {
  const ownName = own.get(key);
  if (ownName !== undefined) return { kind: 'own', name: ownName };
  const label = book.get(key);
  if (label !== undefined) return { kind: 'book', name: label };
  if (paid === undefined) return { kind: 'unknown' };
  return paid.has(key) ? { kind: 'paid' } : { kind: 'unpaid', since: seen };
}

/** Decimals of coins by their symbol in explanations. */
const coinDecimals: Readonly<Record<string, number>> = { SOL: 9, BTC: 8, TRX: 6 };

function assetText(amount: bigint, asset: string, chain: string | undefined): string {
  const token = tokenOf(asset, chain);
  if (token === undefined) return `${amount} × ${assetName(asset, chain)}`;
  return `${amountText(String(amount), token.decimals)} ${token.symbol}`;
}

/** Returns the token symbol, such as `USDC`, or the smallest unit of an unknown token. */
function assetName(asset: string, chain: string | undefined): string {
  return tokenOf(asset, chain)?.symbol ?? `smallest unit of ${asset}`;
}

function tokenOf(asset: string, chain: string | undefined) {
  const decimals = coinDecimals[asset];
  if (decimals !== undefined && chain?.startsWith('eip155') !== true) {
    return { symbol: asset, decimals };
  }
  const chainId = chainIdOf(chain);
  if (asset === coinOfChain(chainId)) return { symbol: asset, decimals: 18 };
  return knownToken(chainId, asset);
}

function chainIdOf(chain: string | undefined): bigint | undefined {
  const [, id] = /^eip155:([0-9]{1,78})$/.exec(chain ?? '') ?? [];
  return id === undefined ? undefined : BigInt(id);
}
