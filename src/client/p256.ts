// Points of P-256 (NIST SP 800-186). Computes both coordinates, because not every WebCrypto accepts
// compressed points.

import { type Bytes, base64urlOf, bytesOfHex, utf8 } from './bytes.ts';

const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** A public key as JSON Web Key. */
export type PublicJwk = {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
};

/** Converts a point in hex, compressed or not, to a public key. Throws `TypeError` for other text. */
export function publicJwk(point: string): PublicJwk {
  const bytes = bytesOfHex(point);
  const [form] = bytes;
  const x = bytes.subarray(1, 33);
  if (form === 4 && bytes.length === 65) return jwkOf(x, bytes.subarray(33));
  if ((form !== 2 && form !== 3) || bytes.length !== 33) {
    throw new TypeError('expected a point of P-256, compressed, in hex');
  }
  const root = rootOf(numberOf(x));
  const y = (root & 1n) === BigInt(form & 1) ? root : prime - root;
  return jwkOf(x, bytesOfHex(y.toString(16).padStart(64, '0')));
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Imports a private key of 32 bytes in hex as not extractable. Throws `TypeError` if it does not belong to
 * the point.
 */
export async function importPrivateKey(secretHex: string, point: string): Promise<CryptoKey> {
  const secret = bytesOfHex(secretHex);
  if (secret.length !== 32) throw new TypeError('expected a private key of 32 bytes in hex');
  const jwk = { ...publicJwk(point), d: base64urlOf(secret) };
  secret.fill(0);
  // Some engines reject a mismatched pair, others accept it. The signature below detects both cases.
  const key = await crypto.subtle
    .importKey('jwk', jwk, algorithm, false, ['sign'])
    .catch(() => undefined);
  const probe = utf8('keywright');
  if (key !== undefined) {
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, key, probe));
    if (await verifiesP256(point, signature, probe)) return key;
  }
  throw new TypeError('expected a private key of P-256, and its public key');
}

/** Verifies a signature (two numbers of 32 bytes each) over the SHA-256 of the bytes. */
export async function verifiesP256(
  point: string,
  signature: Bytes,
  bytes: Bytes,
): Promise<boolean> {
  const key = await crypto.subtle.importKey('jwk', publicJwk(point), algorithm, false, ['verify']);
  return crypto.subtle.verify(algorithm, key, signature, bytes);
}

const jwkOf = (x: Uint8Array, y: Uint8Array): PublicJwk => ({
  kty: 'EC',
  crv: 'P-256',
  x: base64urlOf(x),
  y: base64urlOf(y),
});

const numberOf = (bytes: Uint8Array): bigint =>
  bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

/** Returns a square root of x³ − 3x + b. The prime is 3 modulo 4, so one power is enough. */
function rootOf(x: bigint): bigint {
  const square = ((((x * x - 3n) * x + b) % prime) + prime) % prime;
  let [root, base] = [1n, square];
  for (let power = (prime + 1n) / 4n; power > 0n; power >>= 1n) {
    if ((power & 1n) === 1n) root = (root * base) % prime;
    base = (base * base) % prime;
  }
  if ((root * root) % prime !== square) throw new TypeError('expected a point of P-256');
  return root;
}
