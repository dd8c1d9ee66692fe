// Stamps: who asks, proven over the exact bytes of a request.

import { type Bytes, base64urlOf, hexOf, utf8 } from './bytes.ts';
import { derOf } from './der.ts';

/** Authenticates a request by one header over the bytes of its body. */
export type Stamp = {
  readonly header: (body: Bytes) => Promise<{ readonly name: string; readonly value: string }>;
};

/** A key that signs here or elsewhere. */
export type SigningKey = {
  /** Compressed point (ECDSA) or 32 bytes (Ed25519), hex. */
  readonly publicKey: string;
  readonly scheme: `SIGNATURE_SCHEME_${string}`;
  /** The signature over the bytes, hashed by SHA-256 first if ECDSA: DER, or 64 bytes of Ed25519. */
  readonly sign: (bytes: Bytes) => Uint8Array | Promise<Uint8Array>;
};

export type KeyStamp = Stamp & SigningKey;

/** The members of `root-credentials.json` that make a stamp. Others are ignored. */
export type ApiCredentials = {
  /** Compressed P-256 point, hex. */
  readonly apiPublicKey: string;
  /** 32 bytes, hex. */
  readonly apiPrivateKey: string;
};

const p256Algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * A stamp of a P-256 API key. The private key is imported so that it cannot be read any more; its text is
 * not kept. Raises TypeError if one of the two is no key, or if they are not of each other.
 */
export async function apiKey({ apiPublicKey, apiPrivateKey }: ApiCredentials): Promise<KeyStamp> {
  const { importPrivateKey } = await import('./p256.ts');
  return keyStamp(await importPrivateKey(apiPrivateKey, apiPublicKey), apiPublicKey);
}

/** A stamp of a P-256 key that WebCrypto holds. `publicKey` is its compressed point, hex. */
export const keyStamp = (key: CryptoKey, publicKey: string): KeyStamp =>
  externalKey({
    publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    sign: async (bytes) =>
      derOf(new Uint8Array(await crypto.subtle.sign(p256Algorithm, key, bytes))),
  });

/** A pair of P-256 keys whose private half cannot be read, and its compressed public key, hex. */
export async function newKeyPair(): Promise<{
  readonly privateKey: CryptoKey;
  readonly publicKey: string;
}> {
  const pair = await crypto.subtle.generateKey(p256Algorithm, false, ['sign', 'verify']);
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  // Compressed: the parity of y stands for it.
  const head = 2 + ((point[64] ?? 0) & 1);
  return { privateKey: pair.privateKey, publicKey: `0${head}${hexOf(point.subarray(1, 33))}` };
}

/** A stamp of a new P-256 key whose private half cannot be read. */
export async function newKey(): Promise<KeyStamp> {
  const { privateKey, publicKey } = await newKeyPair();
  return keyStamp(privateKey, publicKey);
}

/** A stamp of a key that this library does not hold: secp256k1 of a wallet, an HSM. */
export const externalKey = (key: SigningKey): KeyStamp => ({
  ...key,
  ...signedBy(key, 'X-Stamp', { scheme: key.scheme }),
});

/** A stamp of a fresh P-256 key that a verification token or an ID token names. */
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

/** The text of a read-only session, in the place of a stamp: for queries alone. */
export const readOnlySession = (session: string): Stamp => ({
  header: async () => ({ name: 'X-Session', value: session }),
});
