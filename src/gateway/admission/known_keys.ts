// Remembers the keys that the enclave authenticated recently, with their sources. The gateway stores no keys
// and cannot verify a stamp. A key becomes known when the enclave answers a request of its user. Large bodies
// by known keys then get memory that strangers cannot use.

import { createHash } from 'node:crypto';
import { parseAttestedStamp } from '../../core/auth/attested_stamp.ts';
import { parseStamp } from '../../core/auth/stamp.ts';
import { parseWebAuthnStamp } from '../../core/auth/webauthn/stamp.ts';
import { hex } from '../../core/base/bytes.ts';
import { createGroupedCache, createRecentCache } from '../../core/base/lru_cache.ts';
import { ServiceError } from '../../core/errors/errors.ts';
import { createRecentCount, type RecentCount } from './recent_count.ts';

type Header = { readonly name: string; readonly value: string };

export type KnownKeys = {
  /** Records that the enclave has authenticated a request of this source by this credential. */
  note(source: string, credentialId: string, headers: readonly Header[]): void;
  /** Returns true if the headers name a key that is known from this source. */
  has(source: string, headers: readonly Header[]): boolean;
  /** Records that the enclave has refused a request of this source by a key. */
  noteRefusal(source: string, headers: readonly Header[]): void;
  /** Returns true if the key is known from this source and has few recent refusals. */
  isTrusted(source: string, headers: readonly Header[]): boolean;
};

/**
 * Maximum number of keys in memory. Beyond it, the source with the most keys loses its least recently used
 * key.
 */
export const maximumKnownKeys = 16_384;
/** Retention of a key after its last recorded request. */
export const knownForMs = 24 * 60 * 60 * 1000;
/** Number of recent refusals from which a key is no longer trusted. */
export const manyRefusalsOfKey = 16;
/** The interval between two records of a credential, because reading a stamp is the costliest step. */
const noteEveryMs = 60_000;

/** Creates an empty memory. `clock` is monotonic, in milliseconds. */
export function createKnownKeys(clock: () => number): KnownKeys {
  const sourceIn = (name: string) => name.split(' ')[0] ?? '';
  const knownAtMs = createGroupedCache<number>(maximumKnownKeys, sourceIn);
  const refusals = createGroupedCache<RecentCount>(maximumKnownKeys, sourceIn);
  const notedAtMs = createRecentCache<number>(maximumKnownKeys);
  function isKnown(name: string): boolean {
    const atMs = knownAtMs.get(name);
    return atMs !== undefined && clock() - atMs < knownForMs;
  }

  return {
    note: (source, credentialId, headers) => {
      const now = clock();
      const noted = `${source} ${credentialId}`;
      if (now - (notedAtMs.get(noted) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return;
      notedAtMs.set(noted, now);
      const key = keyIn(headers);
      if (key !== undefined) knownAtMs.set(`${source} ${key}`, now);
    },
    has: (source, headers) => {
      const key = keyIn(headers);
      return key !== undefined && isKnown(`${source} ${key}`);
    },
    noteRefusal: (source, headers) => {
      const key = keyIn(headers);
      if (key === undefined) return;
      const name = `${source} ${key}`;
      const count = refusals.get(name) ?? createRecentCount(clock);
      count.add();
      refusals.set(name, count);
    },
    isTrusted: (source, headers) => {
      const key = keyIn(headers);
      if (key === undefined) return false;
      const name = `${source} ${key}`;
      return isKnown(name) && (refusals.get(name)?.recent() ?? 0) < manyRefusalsOfKey;
    },
  };
}

/** Readers of the key in each authentication header; the returned text contains only the key. */
const readers: Readonly<Record<string, (value: string) => string>> = {
  'x-stamp': (value) => hex(parseStamp(value).publicKey),
  'x-stamp-webauthn': (value) => digest(parseWebAuthnStamp(value).credentialId),
  'x-stamp-attested': (value) => hex(parseAttestedStamp(value).publicKey),
  'x-session': digest,
};

/** Returns the key in the headers; undefined unless they contain exactly one readable stamp. */
function keyIn(headers: readonly Header[]): string | undefined {
  const [header] = headers;
  const read = headers.length === 1 ? readers[header?.name ?? ''] : undefined;
  if (header === undefined || read === undefined) return undefined;
  try {
    return `${header.name}:${read(header.value)}`;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
