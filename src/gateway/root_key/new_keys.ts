// Generates keys for share commands from the random source of the kernel.

import { newPrivateKey } from '../../core/crypto/key_agreement.ts';
import { rootKeyLengthBytes } from '../../store/data_directory/data_directory.ts';
import { openKernelRandom } from '../../system/kernel_random.ts';

/** Returns a new root key that is not stored on disk; the caller wipes it. */
export const newRootKey = (): Uint8Array => openKernelRandom()(rootKeyLengthBytes);

/** Returns a new P-256 private key for one sealed message; the caller wipes it. */
export const newMessageKey = (): Uint8Array => newPrivateKey(openKernelRandom());
