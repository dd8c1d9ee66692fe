// Wallets of the demo from a seed file. Their mnemonics derive from its bytes and are imported like those of
// any client, sealed to a target of the enclave.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { bytesOfHex, hex, utf8, wipe } from '../core/base/bytes.ts';
import { sealBundle } from '../core/bundles/bundle_encryption.ts';
import { hkdfSha256 } from '../core/crypto/hashes.ts';
import { newPrivateKey } from '../core/crypto/key_agreement.ts';
import { mnemonicOfEntropy } from '../core/derivation/mnemonic.ts';
import { assert } from '../core/errors/errors.ts';
import { isJsonObject, parsedJson } from '../core/schema/json.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';

export const seedFileLimits = { minimumBytes: 16, maximumBytes: 64 * 1024 };

export type SeededWallets = {
  /** Identifies a seed without revealing it: 32 bytes, hex. */
  readonly digest: string;
  /** The mnemonic of a wallet, sealed to the bundle of an import target. */
  seal(walletName: string, importBundle: string): string;
};

/** Reads a seed file of 16 bytes to 64 KiB; `random` is used for sealing. Raises UnusableDataError. */
export function readSeededWallets(
  path: string,
  random: (lengthBytes: number) => Uint8Array,
): SeededWallets {
  const seed = readSeed(path);
  return {
    digest: hex(hkdfSha256(seed, infoOf('digest'), 32)),
    seal: (walletName, importBundle) => {
      const entropy = hkdfSha256(seed, infoOf(`wallet ${walletName}`), 16);
      const plaintext = mnemonicOfEntropy(entropy);
      const ephemeralPrivateKey = newPrivateKey(random);
      try {
        const receiverPublicKey = targetIn(importBundle);
        const sealed = sealBundle({ receiverPublicKey, plaintext, ephemeralPrivateKey });
        return JSON.stringify({
          encappedPublic: hex(sealed.encapsulatedKey),
          ciphertext: hex(sealed.ciphertext),
        });
      } finally {
        wipe(entropy, plaintext, ephemeralPrivateKey);
      }
    },
  };
}

function infoOf(purpose: string): Uint8Array {
  return utf8(`keywright dev: ${purpose}`);
}

function readSeed(path: string): Uint8Array {
  const { minimumBytes, maximumBytes } = seedFileLimits;
  if (!existsSync(path)) {
    throw new UnusableDataError(
      `the seed file ${path} does not exist: make one with: openssl rand -hex 32 > ${path}`,
    );
  }
  const { size } = statSync(path);
  if (size < minimumBytes || size > maximumBytes) {
    throw new UnusableDataError(
      `the seed file ${path} has ${size} bytes: expected ${minimumBytes} to ${maximumBytes}`,
    );
  }
  return readFileSync(path);
}

/** Returns the key of an import target. It is not pinned, because this process started the enclave. */
function targetIn(importBundle: string): Uint8Array {
  const message = parsedJson(importBundle);
  const data = isJsonObject(message) ? bytesOfHex(String(message['data'])) : undefined;
  const content = data && parsedJson(Buffer.from(data).toString());
  const target = isJsonObject(content) ? bytesOfHex(String(content['targetPublic'])) : undefined;
  assert(target !== undefined, 'an import target holds a public key');
  return target;
}
