// Verifies the signature of a vote by its scheme.

import {
  type Bytes,
  base64urlOf,
  bytesOfBase64,
  bytesOfHex,
  hexOf,
  joined,
  sha256,
  utf8,
} from './bytes.ts';
import { Untrusted } from './errors.ts';
import { verifiesP256 } from './p256.ts';
import { challengeOf } from './passkey.ts';
import { signatureOfDer } from './read_der.ts';

/** A signed vote message, as the service reports it. */
export type SignedVote = {
  readonly message: string;
  readonly publicKey: string;
  readonly signature: string;
  readonly scheme: string;
};

/** Verifies ECDSA on secp256k1, which WebCrypto lacks. */
export type VerifySecp256k1 = (vote: {
  /** Compressed point, in hex. */
  readonly publicKey: string;
  /** In DER. */
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  /** `…_EIP191` hashes by EIP-191 and Keccak-256, the other scheme by SHA-256. */
  readonly scheme: string;
}) => boolean | Promise<boolean>;

/**
 * Verifies that the key of a vote signed its message. Throws `Untrusted` with `SIGNATURE_INVALID`, or with
 * `SIGNATURE_UNCHECKED` for secp256k1 without a verifier.
 */
export async function verifyVote(vote: SignedVote, secp256k1?: VerifySecp256k1): Promise<void> {
  const { scheme, publicKey } = vote;
  const isValid = await verify(vote, secp256k1).catch((error: unknown) => {
    if (error instanceof Untrusted) throw error;
    // An unreadable signature is invalid.
    return false;
  });
  if (isValid) return;
  const text = `the message is not signed by the key ${publicKey} (${scheme})`;
  throw new Untrusted('SIGNATURE_INVALID', text);
}

async function verify(vote: SignedVote, secp256k1?: VerifySecp256k1): Promise<boolean> {
  const { scheme, publicKey, signature } = vote;
  const message = utf8(vote.message);
  switch (scheme.replace('SIGNATURE_SCHEME_TK_', '')) {
    case 'API_P256':
    case 'ATTESTED_P256':
      return isOfPoint(publicKey, bytesOfHex(signature), message);
    case 'API_ED25519': {
      const key = await crypto.subtle.importKey('raw', bytesOfHex(publicKey), 'Ed25519', false, [
        'verify',
      ]);
      return crypto.subtle.verify('Ed25519', key, bytesOfHex(signature), message);
    }
    case 'WEBAUTHN':
      return isOfPasskey(bytesOfBase64(publicKey), JSON.parse(signature), message);
    default:
      if (secp256k1 !== undefined && scheme.startsWith('SIGNATURE_SCHEME_TK_API_SECP256K1')) {
        const input = { publicKey, signature: bytesOfHex(signature), message, scheme };
        return (await secp256k1(input)) === true;
      }
      throw new Untrusted('SIGNATURE_UNCHECKED', `no function verifies ${scheme}`);
  }
}

async function isOfPoint(point: string, der: Bytes, message: Bytes): Promise<boolean> {
  const signature = signatureOfDer(der);
  return signature !== undefined && verifiesP256(point, signature, message);
}

type Assertion = {
  readonly authenticatorData: string;
  readonly clientDataJson: string;
  readonly signature: string;
};

/** Web Authentication Level 3, section 7.2: checks type, challenge, user presence and signature. */
async function isOfPasskey(cose: Bytes, assertion: Assertion, message: Bytes): Promise<boolean> {
  const authenticatorData = bytesOfBase64(assertion.authenticatorData);
  const clientData = bytesOfBase64(assertion.clientDataJson);
  const { type, challenge } = JSON.parse(new TextDecoder().decode(clientData));
  const isForMessage =
    type === 'webauthn.get' && challenge === base64urlOf(await challengeOf(message));
  const isPresent = ((authenticatorData[32] ?? 0) & 1) === 1;
  if (!isForMessage || !isPresent) return false;
  const signed = joined(authenticatorData, await sha256(clientData));
  const signature = bytesOfBase64(assertion.signature);
  const numbers = integersAndBytes(cose);
  const [x, y] = [numbers.get(-2), numbers.get(-3)];
  // COSE labels (RFC 9053, RFC 8230): 3 is the algorithm; −7 is ES256, −257 is RS256.
  if (numbers.get(3) === -7 && x instanceof Uint8Array && y instanceof Uint8Array) {
    const point = joined(Uint8Array.of(4), x, y);
    return isOfPoint(hexOf(point), signature, signed);
  }
  const [n, e] = [numbers.get(-1), x];
  if (numbers.get(3) !== -257 || !(n instanceof Uint8Array) || !(e instanceof Uint8Array)) {
    return false;
  }
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const jwk = { kty: 'RSA', n: base64urlOf(n), e: base64urlOf(e) };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  return crypto.subtle.verify(algorithm, key, signature, signed);
}

/** Returns the same text for all spellings of the key of a vote: case, compression, and order in COSE. */
export function keyOfVote({ scheme, publicKey }: SignedVote): string {
  if (!scheme.endsWith('WEBAUTHN')) return compressed(bytesOfHex(publicKey));
  const numbers = integersAndBytes(bytesOfBase64(publicKey));
  const [first, x, y] = [-1, -2, -3].map((label) => numbers.get(label));
  if (x instanceof Uint8Array && y instanceof Uint8Array) {
    return compressed(joined(Uint8Array.of(4), x, y));
  }
  return [first, x].map((each) => hexOf(each as Uint8Array).replace(/^(00)+/, '')).join(' ');
}

/** Returns a point in its compressed form, and other keys as they are. */
function compressed(key: Uint8Array): string {
  if (key[0] !== 4 || key.length !== 65) return hexOf(key);
  return hexOf(joined(Uint8Array.of(2 + ((key[64] ?? 0) & 1)), key.subarray(1, 33)));
}

/** Parses a CBOR map (RFC 8949) of integers and byte strings, which is enough for COSE keys of passkeys. */
function integersAndBytes(cbor: Bytes): ReadonlyMap<unknown, unknown> {
  let offset = 0;
  const next = (): number | Bytes => {
    const head = cbor[offset] ?? 0;
    const [kind, small] = [head >> 5, head & 31];
    offset += 1;
    let value = small;
    if (small > 23) {
      value = 0;
      for (const end = offset + 2 ** (small - 24); offset < end; offset += 1) {
        value = value * 256 + (cbor[offset] ?? 0);
      }
    }
    if (kind === 1) return -1 - value;
    if (kind !== 2) return value;
    offset += value;
    return cbor.slice(offset - value, offset);
  };
  const length = next();
  const map = new Map<unknown, unknown>();
  for (let i = 0; i < Number(length) && offset < cbor.length; i += 1) map.set(next(), next());
  return map;
}
