// Stamps authenticate the exact bytes of a request.

import { type Bytes, base64urlOf, hexOf, utf8 } from './bytes.ts';
import { derOf } from './der.ts';

/** Authenticates a request by one header over the bytes of its body. */
export type Stamp = {
  readonly header: (body: Bytes) => Promise<{ readonly name: string; readonly value: string }>;
};

/** A key, inside or outside of this library. */
export type SigningKey = {
  /** Compressed point (ECDSA) or 32 bytes (Ed25519), in hex. */
  readonly publicKey: string;
  readonly scheme: `SIGNATURE_SCHEME_${string}`;
  /** Signs bytes. ECDSA signs their SHA-256 and returns DER; Ed25519 returns 64 bytes. */
  readonly sign: (bytes: Bytes) => Uint8Array | Promise<Uint8Array>;
};

export type KeyStamp = Stamp & SigningKey;

/** The members of `root-credentials.json` that a stamp needs. Other members are ignored. */
export type ApiCredentials = {
  /** Compressed P-256 point, in hex. */
  readonly apiPublicKey: string;
  /** 32 bytes, in hex. */
  readonly apiPrivateKey: string;
};

const p256Algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Returns a stamp by a P-256 API key. Imports the private key as not extractable. Throws `TypeError` if a key
 * is invalid, or if the two keys do not belong together.
 */
export async function apiKey({ apiPublicKey, apiPrivateKey }: ApiCredentials): Promise<KeyStamp> {
  const { importPrivateKey } = await import('./p256.ts');
  return keyStamp(await importPrivateKey(apiPrivateKey, apiPublicKey), apiPublicKey);
}

/** Returns a stamp by a P-256 key in WebCrypto. `publicKey`: its compressed point, in hex. */
export const keyStamp = (key: CryptoKey, publicKey: string): KeyStamp =>
  externalKey({
    publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    sign: async (bytes) =>
      derOf(new Uint8Array(await crypto.subtle.sign(p256Algorithm, key, bytes))),
  });

/**
 * Creates a P-256 key pair with a private key that is not extractable, and returns its compressed public key
 * in hex.
 */
export async function newKeyPair(): Promise<{
  readonly privateKey: CryptoKey;
  readonly publicKey: string;
}> {
  const pair = await crypto.subtle.generateKey(p256Algorithm, false, ['sign', 'verify']);
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  // The compressed form begins with the parity of y.
  const head = 2 + ((point[64] ?? 0) & 1);
  return { privateKey: pair.privateKey, publicKey: `0${head}${hexOf(point.subarray(1, 33))}` };
}

/** Returns a stamp by a new P-256 key that is not extractable. */
export async function newKey(): Promise<KeyStamp> {
  const { privateKey, publicKey } = await newKeyPair();
  return keyStamp(privateKey, publicKey);
}

/** Returns a stamp by an external key, such as a secp256k1 wallet or an HSM. */
export const externalKey = (key: SigningKey): KeyStamp => ({
  ...key,
  ...signedBy(key, 'X-Stamp', { scheme: key.scheme }),
});

/** Returns a stamp by a new P-256 key that a verification token or ID token authorizes. */
export const attested = (
  key: SigningKey,
  token: string,
  kind: 'VERIFICATION_TOKEN' | 'OIDC' = 'VERIFICATION_TOKEN',
): Stamp =>
  signedBy(key, 'X-Stamp-Attested', {
    publicKeyAttestation: token,
    scheme: `STAMP_ATTESTED_SCHEME_P256_${kind}`,
  });

const signedBy = ({ publicKey, sign }: SigningKey, name: string, members: object): Stamp => ({
  header: async (body) => {
    const stamp = { ...members, publicKey, signature: hexOf(await sign(body)) };
    return { name, value: base64urlOf(utf8(JSON.stringify(stamp))) };
  },
});

/** Returns the header of a read-only session. It authenticates queries only. */
export const readOnlySession = (session: string): Stamp => ({
  header: async () => ({ name: 'X-Session', value: session }),
});
