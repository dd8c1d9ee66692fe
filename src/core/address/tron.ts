import type { CurveName } from '../base/enums.ts';
import { ethereumAccount } from './ethereum.ts';
import { base58WithVersion } from './hash160.ts';

/** base58check of the byte `41` and the same 20 bytes as on Ethereum: `T…`. */
export function tron(publicKey: Uint8Array, curve: CurveName): string {
  return base58WithVersion(0x41, ethereumAccount(publicKey, curve));
}
