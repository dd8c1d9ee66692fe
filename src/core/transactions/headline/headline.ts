// The first line of an approval: the amount, the chain, and the two parties. The amounts and addresses come
// from the signed bytes. Names and earlier payments come from the service.

import type {
  Effect,
  TransactionExplanation,
} from '../../organization/records/transaction_explanation.ts';
import { unlimitedAmount } from '../calls/token_calls.ts';
import { chainText, isTestNetwork } from '../ethereum/known_chains.ts';
import { assetName, assetText } from './asset_text.ts';
import type { MarketTerms } from './market_terms.ts';
import { endsOf } from './short_address.ts';

/** An address, and what the organization's records contain about it. */
export type Party = {
  /** The address in the spelling of its chain. */
  readonly address: string;
  readonly standing: AddressHistory;
};

/**
 * `own`: an account of the organization. `book`: an entry of its address book. `vault`: a vault of the
 * operator. `lookalike`: an unknown address that begins and ends like the named one. `paid`: an earlier
 * payment went to the address. `unpaid`: no examined payment went to it. `unknown`: the payments could not be
 * read.
 */
export type AddressHistory =
  | { readonly kind: 'own' | 'book' | 'vault' | 'lookalike'; readonly name: string }
  | { readonly kind: 'paid' | 'unknown' }
  | { readonly kind: 'unpaid'; readonly since: PaymentsSeen };

/** The range of examined payments. */
export type PaymentsSeen = {
  readonly count: number;
  /** Time of the oldest examined payment. Absent if all payments were examined. */
  readonly sinceMs?: number;
};

export type Headline = {
  /**
   * `allow`: the recipient may take the amount later. `deposit`: the recipient is a vault. `withdraw`: the
   * payer is a vault. `swap`: the payer gets another asset.
   */
  readonly kind: 'pay' | 'allow' | MarketTerms['kind'];
  /** For example `0.5 ETH`. Undefined for an unlimited allowance, and for a withdrawal of everything. */
  readonly amount: string | undefined;
  /** Minimum output of a swap: `0.007 ETH`. */
  readonly least?: string;
  readonly asset: string;
  /** For example `Sepolia`. Undefined if the transaction is valid on any chain. */
  readonly chain: string | undefined;
  /**
   * `test`: the signature is valid only on this test network. `requested`: the request names a test network,
   * but the signed bytes name none.
   */
  readonly network?: 'test' | 'requested';
  readonly from: Party;
  /** Unique recipients. */
  readonly to: readonly [Party, ...Party[]];
  /** Number of further effects, such as movements of other assets, calls and delegations to code. */
  readonly more: number;
};

/** Names and payments as reported by a service. */
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
 * Returns the headline of an explained request or permit; undefined if it names no movement of an amount.
 * `chain` is its CAIP-2 name or only its namespace.
 */
export function headlineOf(
  {
    effects,
    market,
    requestedChain,
  }: Pick<TransactionExplanation, 'effects'> & {
    readonly market?: MarketTerms | undefined;
    readonly requestedChain?: string | undefined;
  },
  { chain, signer }: { readonly chain: string | undefined; readonly signer: string },
  known: KnownAddresses = nothingKnown,
): Headline | undefined {
  if (market !== undefined) return headlineOfMarket(market, chain, known);
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
    ...networkOf(chain, requestedChain),
    from: partyOf(first.from, known),
    to: [to, ...others],
    more: movements.length - alike.length + furtherEffects(effects),
  };
}

/**
 * Returns true if a headline says all that the effects say. The text of a transfer can say more, such as the
 * program that owns the paid account.
 */
export function isPlainPayment({ effects }: Pick<TransactionExplanation, 'effects'>): boolean {
  const [first, ...others] = effects;
  if (first?.kind !== 'TRANSFER' || others.length > 0) return false;
  const { text, from, to } = first;
  return text.startsWith(`${from} sends `) && text.endsWith(` to ${to}.`);
}

function networkOf(
  chain: string | undefined,
  requested = chain,
): Pick<Headline, 'chain' | 'network'> {
  const isTest = isTestNetwork(requested);
  return {
    chain: chainText(requested),
    ...(isTest ? { network: requested === chain ? 'test' : 'requested' } : {}),
  };
}

function headlineOfMarket(
  { kind, amount, asset, least, from, to, vaultName }: MarketTerms,
  chain: string | undefined,
  known: KnownAddresses,
): Headline {
  const vault = kind === 'deposit' ? to : kind === 'withdraw' ? from : undefined;
  const party = (address: string): Party =>
    address === vault && vaultName !== undefined
      ? { address, standing: { kind: 'vault', name: vaultName } }
      : partyOf(address, known);
  return {
    kind,
    amount: amount === undefined ? undefined : assetText(amount, asset, chain),
    asset: assetName(asset, chain),
    ...(least === undefined ? {} : { least: assetText(least.amount, least.asset, chain) }),
    ...networkOf(chain),
    from: party(from),
    to: [party(to)],
    more: 0,
  };
}

/** Counts the effects that no movement covers. */
export function furtherEffects(effects: readonly Effect[]): number {
  return effects.filter((effect, i) =>
    effect.kind === 'CALL' ? !describes(effects[i + 1], effect) : unmoved.includes(effect.kind),
  ).length;
}

const unmoved: readonly Effect['kind'][] = ['CONTRACT_CREATION', 'DELEGATION', 'PERMISSION_CHANGE'];

/**
 * Returns true if an effect is all that a call does. It follows its call. Effects of inner calls follow the
 * call of their wrapper, and name other contracts.
 */
function describes(effect: Effect | undefined, { contract }: Effect): boolean {
  const isMovement = effect?.kind === 'TOKEN_TRANSFER' || effect?.kind === 'APPROVAL';
  return isMovement && contract !== undefined && contract === (effect.contract ?? effect.asset);
}

/** Returns the addresses that a transaction pays. */
export function recipientsOf(
  { effects }: Pick<TransactionExplanation, 'effects'>,
  signer: string,
): readonly string[] {
  return effects.flatMap((effect) => movementOf(effect, signer)).map(({ to }) => to);
}

/** Returns the movement of an effect; none for change, which returns to the signer. */
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
  if (paid?.has(key)) return { kind: 'paid' };
  const alike = nameOfLookalike(key, { own, book, paid });
  if (alike !== undefined) return { kind: 'lookalike', name: alike };
  return paid === undefined ? { kind: 'unknown' } : { kind: 'unpaid', since: seen };
}

/**
 * Returns the name of the known address, or the paid address itself, that begins and ends like an address.
 * People compare these parts, and attackers make addresses that share them.
 */
function nameOfLookalike(
  key: string,
  { own, book, paid }: Pick<KnownAddresses, 'own' | 'book' | 'paid'>,
): string | undefined {
  const ends = endsOf(key);
  const named = [...book, ...own].find(([other]) => endsOf(other) === ends);
  return named?.[1] ?? [...(paid ?? [])].find((other) => endsOf(other) === ends);
}
