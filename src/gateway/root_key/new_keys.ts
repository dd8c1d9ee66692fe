// New keys for commands on shares, from the random source of the kernel.

import { newPrivateKey } from '../../core/crypto/key_agreement.ts';
import { rootKeyLengthBytes } from '../../store/data_directory/data_directory.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';

/** A root key that no disk holds, the caller's to wipe. */
export const newRootKey = (): Uint8Array => openKernelRandom()(rootKeyLengthBytes);

/** A private key of P-256 for one sealed message, the caller's to wipe. */
export const newMessageKey = (): Uint8Array => newPrivateKey(openKernelRandom());
