// Curves and addresses of new private keys.

import { account } from '../../client/accounts.ts';
import { chainNamed } from './chains.ts';
import { chosen } from './choices.ts';
import { usage } from './failures.ts';
import { option, repeatable } from './options.ts';

const curves = {
  secp256k1: 'CURVE_SECP256K1',
  ed25519: 'CURVE_ED25519',
  p256: 'CURVE_P256',
} as const;

export const keyOptions = {
  kind: repeatable('KIND', 'Addresses of the key, such as ethereum or solana. Default: ethereum.'),
  curve: option('CURVE', 'secp256k1, ed25519 or p256, for a key without addresses.'),
} as const;

/** Returns the curve and address formats from the flags. Throws `usage` if they contradict each other. */
export function keyParameters(given: {
  readonly kind: readonly string[];
  readonly curve: string | undefined;
}) {
  const curve = given.curve === undefined ? undefined : chosen(curves, given.curve, '--curve');
  const kinds = given.kind.length === 0 && curve === undefined ? ['ethereum'] : given.kind;
  const accounts = kinds.map((kind) => account(chainNamed(kind)));
  const [first = accounts[0]?.curve ?? 'CURVE_SECP256K1', ...others] = [
    ...(curve === undefined ? [] : [curve]),
    ...accounts.map((each) => each.curve),
  ];
  if (others.some((other) => other !== first)) {
    throw usage('one key is on one curve: these addresses need several', 'Make a key for each.');
  }
  return { curve: first, addressFormats: accounts.map(({ addressFormat }) => addressFormat) };
}
