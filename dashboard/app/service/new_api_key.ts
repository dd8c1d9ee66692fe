// API keys that the page creates. The service registers the public key; a downloaded file holds the private
// key.

import { useRef } from 'preact/hooks';
import { bytesOfBase64, hexOf } from '../../../src/client/bytes.ts';
import { t } from '../../messages/text.ts';
import { downloadText, fileName } from './download.ts';

type NewApiKey = {
  /** Compressed point, in hex. */
  readonly apiPublicKey: string;
  /** 32 bytes, in hex. */
  readonly apiPrivateKey: string;
};

/** Creates an extractable P-256 key, because the user downloads it as a file. */
async function newApiKey(): Promise<NewApiKey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { d = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  // The compressed form begins with the parity of y.
  const head = 2 + ((point[64] ?? 0) & 1);
  return {
    apiPublicKey: `0${head}${hexOf(point.subarray(1, 33))}`,
    apiPrivateKey: hexOf(bytesOfBase64(d)),
  };
}

/**
 * Returns a function that creates a key at its first call and returns the same key afterwards. If a user
 * submits the form twice, the service registers one key. After an error the next call tries again.
 */
export function useNewApiKey(): () => Promise<NewApiKey> {
  const created = useRef<NewApiKey | undefined>(undefined);
  return async () => {
    created.current ??= await newApiKey();
    return created.current;
  };
}

/** Returns the parameters that register a key for a new user, with a name after the user. */
export const firstKeyOf = (userName: string, { apiPublicKey }: NewApiKey) => ({
  apiKeyName: t('users.keyOf', { name: userName }).slice(0, 255),
  publicKey: apiPublicKey,
  curveType: 'API_KEY_CURVE_P256' as const,
});

/** The service, the organization and the user of a key. */
type KeyOwner = {
  readonly baseUrl: string;
  readonly authProxyUrl?: string | undefined;
  readonly authProxyConfigId?: string | undefined;
  readonly organizationId: string;
  readonly userId: string;
  readonly apiKeyId: string | undefined;
};

/** Downloads a key as a file with the members of `root-credentials.json`. */
export function downloadKey(name: string, key: NewApiKey, owner: KeyOwner): void {
  downloadText(`${fileName(name)}.json`, `${JSON.stringify({ ...owner, ...key }, undefined, 2)}\n`);
}
