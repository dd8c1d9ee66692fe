// A root key sealed under a passphrase, as a text of five lines:
//
//   keywright sealed root key, version 1
//   argon2id memory=262144 passes=3 lanes=4
//   salt 00112233445566778899aabbccddeeff
//   nonce 00112233445566778899aabb
//   sealed <32 bytes of ciphertext and 16 of tag>
//
// Argon2id (RFC 9106) derives the key-encryption key from the passphrase; AES-256-GCM seals the root key
// under it, bound to the lines above its own. Memory is in KiB; bytes are lower-case hex. There is one
// spelling: each line ends with a line feed, and nothing follows. Key files of the command line hold their
// private key in the same form, under a first line of its own that names the public key.

import { argon2 } from 'node:crypto';
import { bytesOfHex, hex, secretBytes, utf8, wipe } from '../../core/base/bytes.ts';
import { open, seal } from '../../core/crypto/aead.ts';

/** Cost of one guess at the passphrase. */
export type PassphraseCost = {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
};

/** Cost of new files: 256 MiB and under a second, four times the minimum memory of RFC 9106. */
const passphraseCost: PassphraseCost = { memory: 262_144, passes: 3, lanes: 4 };

export const passphraseBytes = { minimum: 12, maximum: 1024 };

/** Maximum length of a sealed key. */
export const sealedKeyMaximumBytes = 512;

/** Bounds the cost that a file may demand, so that a replaced file cannot exhaust the service's memory. */
const costBounds = {
  memory: { minimum: 19_456, maximum: 2_097_152 },
  passes: { minimum: 1, maximum: 32 },
  lanes: { minimum: 1, maximum: 16 },
};
const saltBytes = 16;
const nonceBytes = 12;
const keyBytes = 32;
const rootKeyLine = 'keywright sealed root key, version 1';

/** Returns the first line of a sealed API key (32 bytes). The public key is lower-case hex. */
export const apiKeyLine = (publicKey: string): string =>
  `keywright sealed API key ${publicKey}, version 1`;

/** Seals a root key. Returns the text of the sealed key. */
export const sealRootKey = (...input: SealInput): Promise<string> => sealKey(rootKeyLine, ...input);

/** Reads the text of a sealed root key in this version's exact form; undefined for any other text. */
export const readSealedKey = (text: string): SealedKey | undefined => readSealed(rootKeyLine, text);

type SealInput = readonly [
  key: Uint8Array,
  passphrase: Uint8Array,
  random: (lengthBytes: number) => Uint8Array,
  cost?: PassphraseCost,
];

/** Seals 32 bytes under a first line that names their kind. */
export async function sealKey(
  firstLine: string,
  ...[plain, passphrase, random, cost = passphraseCost]: SealInput
): Promise<string> {
  const salt = random(saltBytes);
  const nonce = random(nonceBytes);
  const header = [
    firstLine,
    `argon2id memory=${cost.memory} passes=${cost.passes} lanes=${cost.lanes}`,
    `salt ${hex(salt)}`,
    `nonce ${hex(nonce)}`,
    '',
  ].join('\n');
  const key = await deriveKey(passphrase, salt, cost);
  try {
    return `${header}sealed ${hex(seal(key, nonce, plain, utf8(header)))}\n`;
  } finally {
    wipe(key);
  }
}

export type SealedKey = {
  /** Resolves with the key, the caller's to wipe; undefined for a wrong passphrase. */
  readonly open: (passphrase: Uint8Array) => Promise<Uint8Array | undefined>;
};

/** Reads a text that `sealKey` wrote under this first line; undefined for any other text. */
export function readSealed(firstLine: string, text: string): SealedKey | undefined {
  const match = text.startsWith(`${firstLine}\n`) ? form.exec(text) : null;
  if (match === null) return undefined;
  const [, header = '', memory, passes, lanes, ...bytes] = match;
  const cost = { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  const [salt, nonce, sealed] = bytes.map((digits) => bytesOfHex(digits));
  if (salt === undefined || nonce === undefined || sealed === undefined) return undefined;
  if (!isWithinBounds(cost)) return undefined;
  return {
    open: async (passphrase) => {
      const key = await deriveKey(passphrase, salt, cost);
      try {
        return open(key, nonce, sealed, utf8(header));
      } finally {
        wipe(key);
      }
    },
  };
}

const number = '([1-9][0-9]{0,6})';
const form = new RegExp(
  `^([^\n]+\n` +
    `argon2id memory=${number} passes=${number} lanes=${number}\n` +
    `salt ([0-9a-f]{${2 * saltBytes}})\n` +
    `nonce ([0-9a-f]{${2 * nonceBytes}})\n)` +
    `sealed ([0-9a-f]{96})\n$`,
);

function isWithinBounds(cost: PassphraseCost): boolean {
  const names = ['memory', 'passes', 'lanes'] as const;
  return (
    names.every(
      (name) => cost[name] >= costBounds[name].minimum && cost[name] <= costBounds[name].maximum,
    ) && cost.memory >= 8 * cost.lanes
  );
}

function deriveKey(
  message: Uint8Array,
  nonce: Uint8Array,
  { memory, passes, lanes: parallelism }: PassphraseCost,
): Promise<Uint8Array> {
  const derived = Promise.withResolvers<Uint8Array>();
  const parameters = { message, nonce, parallelism, tagLength: keyBytes, memory, passes };
  argon2('argon2id', parameters, (error, tag) => {
    if (error !== null) return derived.reject(error);
    const key = secretBytes(keyBytes);
    key.set(tag);
    wipe(tag);
    derived.resolve(key);
  });
  return derived.promise;
}
