// Stamps: who asks, proven over the exact bytes of a request.

import { type Bytes, base64urlOf, bytesOfHex, hexOf, utf8 } from './bytes.ts';
import { publicJwk, verifiesP256 } from './p256.ts';

/** Authenticates a request by one header over the bytes of its body. */
export type Stamp = {
  /** Of a key that signs here: its compressed public key, hex. Undefined for a passkey. */
  readonly publicKey?: string;
  readonly header: (body: Bytes) => Promise<{ readonly name: string; readonly value: string }>;
};

/** The members of `root-credentials.json` that make a stamp. Others are ignored. */
export type ApiCredentials = {
  /** Compressed P-256 point, hex. */
  readonly apiPublicKey: string;
  /** 32 bytes, hex. */
  readonly apiPrivateKey: string;
};

/** A key elsewhere (another curve, an HSM) that signs the bytes of a body, hashed by SHA-256. */
export type ExternalKey = {
  /** Compressed point, hex; an address where the scheme is of a wallet. */
  readonly publicKey: string;
  readonly scheme: `SIGNATURE_SCHEME_${string}`;
  /** ECDSA: DER. Ed25519: 64 bytes. */
  readonly sign: (body: Bytes) => Uint8Array | Promise<Uint8Array>;
};

/**
 * A stamp of a P-256 API key. The private key is imported so that it cannot be read any more; the text is
 * not kept. Raises TypeError if one of the two is no key, or if they are not of each other.
 */
export async function apiKey({ apiPublicKey, apiPrivateKey }: ApiCredentials): Promise<Stamp> {
  const secret = bytesOfHex(apiPrivateKey);
  if (secret.length !== 32) throw new TypeError('expected a private key of 32 bytes in hex');
  const jwk = { ...publicJwk(apiPublicKey), d: base64urlOf(secret) };
  secret.fill(0);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  // An engine may refuse a pair that is none, or not look.
  const key = await crypto.subtle
    .importKey('jwk', jwk, algorithm, false, ['sign'])
    .catch(() => undefined);
  const probe = utf8('keywright');
  if (
    key === undefined ||
    !(await verifiesP256(apiPublicKey, await signatureOf(key, probe), probe))
  ) {
    throw new TypeError('expected a private key of P-256, and its public key');
  }
  return keyStamp(key, apiPublicKey);
}

/** A stamp of a P-256 key that WebCrypto holds. `publicKey` is its compressed point, hex. */
export function keyStamp(key: CryptoKey, publicKey: string): Stamp {
  return externalKey({
    publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    sign: async (body) => derOf(await signatureOf(key, body)),
  });
}

const signatureOf = async (key: CryptoKey, bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes));

/** A stamp of a key that this library does not hold, such as secp256k1 of a wallet. */
export const externalKey = (key: ExternalKey): Stamp => ({
  publicKey: key.publicKey,
  header: async (body) => ({ name: 'X-Stamp', value: encoded(await signed(key, body)) }),
});

const signed = async ({ publicKey, scheme, sign }: ExternalKey, body: Bytes) => ({
  publicKey,
  scheme,
  signature: hexOf(await sign(body)),
});

const encoded = (stamp: object): string => base64urlOf(utf8(JSON.stringify(stamp)));

/** An ECDSA signature of two numbers of 32 bytes as DER (RFC 3279, section 2.2.3). */
export function derOf(signature: Uint8Array): Uint8Array {
  const numbers = [signature.subarray(0, 32), signature.subarray(32)].flatMap((number) => {
    const first = number.findIndex((byte) => byte !== 0);
    const digits = [...number.subarray(first < 0 ? number.length - 1 : first)];
    // A number that begins with its highest bit would be negative.
    const positive = (digits[0] ?? 0) > 127 ? [0, ...digits] : digits;
    return [2, positive.length, ...positive];
  });
  return Uint8Array.from([0x30, numbers.length, ...numbers]);
}
