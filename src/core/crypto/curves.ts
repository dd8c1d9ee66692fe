// The curves of wallets and private keys, one row each with all operations.

import type { CurveName } from '../base/enums.ts';
import { table } from '../base/table.ts';
import type { Curve } from './curve.ts';
import { ed25519 } from './ed25519.ts';
import { p256 } from './p256.ts';
import { secp256k1 } from './secp256k1.ts';

export const curves = table<Curve>()<CurveName>({
  CURVE_SECP256K1: secp256k1,
  CURVE_ED25519: ed25519,
  CURVE_P256: p256,
});
