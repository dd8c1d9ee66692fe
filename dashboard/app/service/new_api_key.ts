// API keys that are made in the page: the public half is registered, the file is for its owner alone.

import { useRef } from 'preact/hooks';
import { bytesOfBase64, hexOf } from '../../../src/client/bytes.ts';
import { t } from '../../messages/text.ts';
import { downloadText, fileName } from './download.ts';

type NewApiKey = {
  /** Compressed point, hex. */
  readonly apiPublicKey: string;
  /** 32 bytes, hex. */
  readonly apiPrivateKey: string;
};

/** A new P-256 key. It can be read: it is written to a file of its owner. */
async function newApiKey(): Promise<NewApiKey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  // Compressed: the parity of y stands for it.
  const head = 2 + ((point[64] ?? 0) & 1);
  return {
    apiPublicKey: `0${head}${hexOf(point.subarray(1, 33))}`,
    apiPrivateKey: hexOf(bytesOfBase64(d)),
  };
}

/**
 * Returns a function that creates a key when it is first called, and returns that same key from then on:
 * a form that is sent twice registers one key. Where creating it failed, the next call tries again.
 */
export function useNewApiKey(): () => Promise<NewApiKey> {
  const created = useRef<NewApiKey | undefined>(undefined);
  return async () => {
    created.current ??= await newApiKey();
    return created.current;
  };
}

/** The parameters that register a key with the user it is created for, named after that user. */
export const firstKeyOf = (userName: string, { apiPublicKey }: NewApiKey) => ({
  apiKeyName: t('users.keyOf', { name: userName }).slice(0, 255),
  publicKey: apiPublicKey,
  curveType: 'API_KEY_CURVE_P256' as const,
});

/** The use of a key, and its owner. */
type KeyOwner = {
  readonly baseUrl: string;
  readonly authProxyUrl?: string | undefined;
  readonly authProxyConfigId?: string | undefined;
  readonly organizationId: string;
  readonly userId: string;
  readonly apiKeyId: string | undefined;
};

/** Has the browser keep a key in a file, with the members of `root-credentials.json`. */
export function downloadKey(name: string, key: NewApiKey, owner: KeyOwner): void {
  downloadText(`${fileName(name)}.json`, `${JSON.stringify({ ...owner, ...key }, undefined, 2)}\n`);
}
