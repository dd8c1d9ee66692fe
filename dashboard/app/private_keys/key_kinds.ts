// The purpose of a private key: an address of a chain, or none.

import { chains } from '../../../src/client/accounts.ts';
import { t } from '../../messages/text.ts';
import { type Kind, kinds, kindText } from '../wallets/kinds.ts';

export type KeyKind = Kind | 'p256';

const keyKinds: readonly KeyKind[] = [...kinds, 'p256'];

export const keyKindOptions = keyKinds.map((value) => ({
  value,
  label: value === 'p256' ? t('keys.p256') : kindText(value),
}));

/** Curve and address formats of a kind, as operations take them. */
export function keyParameters(kind: KeyKind) {
  if (kind === 'p256') return { curve: 'CURVE_P256' as const, addressFormats: [] };
  const [curve, , addressFormat] = chains[kind];
  return { curve, addressFormats: [addressFormat] };
}
