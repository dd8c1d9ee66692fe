// Choices for a new private key: the chain of its address, or P-256 without an address.

import { chains } from '../../../src/client/accounts.ts';
import { t } from '../../messages/text.ts';
import { type Kind, kinds, kindText } from '../wallets/kinds.ts';

export type KeyKind = Kind | 'p256';

const keyKinds: readonly KeyKind[] = [...kinds, 'p256'];

export const keyKindOptions = keyKinds.map((value) => ({
  value,
  label: value === 'p256' ? t('keys.p256') : kindText(value),
}));

/** Returns the curve and the address formats of a kind, for requests. */
export function keyParameters(kind: KeyKind) {
  if (kind === 'p256') return { curve: 'CURVE_P256' as const, addressFormats: [] };
  const [curve, , addressFormat] = chains[kind];
  return { curve, addressFormats: [addressFormat] };
}
