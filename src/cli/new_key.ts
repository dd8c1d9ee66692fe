// A P-256 key that is made on this machine.

import type { KeyFile } from './profiles.ts';

/** A new key as a key file holds it: compressed point and private key, hex. */
export async function newKey(): Promise<Pick<KeyFile, 'apiPublicKey' | 'apiPrivateKey'>> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  // Extractable: it is written to a file of its owner.
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  const isOdd = (Buffer.from(y, 'base64url').at(-1) ?? 0) & 1;
  return {
    apiPublicKey: `${isOdd === 1 ? '03' : '02'}${hexOf(x)}`,
    apiPrivateKey: hexOf(d),
  };
}

const hexOf = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('hex');
