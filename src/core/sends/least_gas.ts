// The minimum gas of an Ethereum transaction for any call; no block accepts less.

import type { EthereumTransaction } from '../chains/ethereum/transaction.ts';
import { failField } from '../errors/errors.ts';

/** In units of gas. */
const gasOf = {
  transaction: 21_000,
  /** A zero byte of call data counts as one token, any other byte as four (EIP-2028). */
  token: 4,
  /** Minimum price of a token if the call itself uses little gas (EIP-7623). */
  tokenAtLeast: 10,
  creation: 32_000,
  /** Per word of contract creation code (EIP-3860). */
  wordOfInitCode: 2,
  /** EIP-2930. */
  listedAddress: 2_400,
  listedKey: 1_900,
  /** EIP-7702. */
  authorization: 25_000,
} as const;

/** The members that determine the minimum gas of a transaction. */
type Weighed = Pick<EthereumTransaction, 'to' | 'data'> & {
  readonly accessList?: readonly { readonly storageKeys: readonly unknown[] }[];
  readonly authorizationList?: readonly unknown[];
};

/** Returns the minimum gas of a transaction: the higher result of both rules of nodes. */
export function leastGas({ to, data, accessList = [], authorizationList = [] }: Weighed): bigint {
  const zeros = data.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  const tokens = zeros + 4 * (data.length - zeros);
  const creates = to.length === 0;
  const intrinsic =
    gasOf.token * tokens +
    (creates ? gasOf.creation + gasOf.wordOfInitCode * Math.ceil(data.length / 32) : 0) +
    accessList.length * gasOf.listedAddress +
    accessList.reduce((keys, { storageKeys }) => keys + storageKeys.length, 0) * gasOf.listedKey +
    authorizationList.length * gasOf.authorization;
  const least = Math.max(intrinsic, gasOf.tokenAtLeast * tokens);
  return BigInt(gasOf.transaction + least);
}

/** Raises `field_invalid` for less gas: the transaction would occupy its nonce and never land. */
export function requireGas(gas: bigint, least: bigint, field: string): void {
  if (gas >= least) return;
  failField(
    field,
    `expected ${least} gas or more, which the transaction takes at least, got ${gas}`,
  );
}
