// HPKE (RFC 9180) in base mode for one message: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
// WebCrypto has every step, and an HPKE library would have four fifths of the size of this client.

import { type Bytes, joined, utf8 } from './bytes.ts';

/** A sealed message: the encapsulated key (65 bytes), and the ciphertext with its tag. */
type Sealed = { readonly encapsulatedKey: Bytes; readonly ciphertext: Bytes };

/**
 * Context of a message: `info` enters the key schedule, and the public key of the receiver enters the
 * additional data.
 */
type Context = { readonly info: Bytes; readonly receiver: Bytes };

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const;

/** Creates a key pair with a private key that is not extractable, and returns its public key of 65 bytes. */
export async function newAgreementKey(): Promise<{
  readonly privateKey: CryptoKey;
  readonly publicKey: Bytes;
}> {
  const pair = await crypto.subtle.generateKey(curve, false, ['deriveBits']);
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  return { privateKey: pair.privateKey, publicKey: point };
}

/** Encrypts with SealBase (section 6.1) to a public key of 65 bytes. Throws if it is no point of P-256. */
export async function seal(plaintext: Bytes, context: Context): Promise<Sealed> {
  const { privateKey, publicKey: encapsulatedKey } = await newAgreementKey();
  const { key, cipher } = await agree(privateKey, context.receiver, encapsulatedKey, context);
  const ciphertext = new Uint8Array(await crypto.subtle.encrypt(cipher, key, plaintext));
  return { encapsulatedKey, ciphertext };
}

/** OpenBase (section 6.1). Throws if the message was not sealed to this key in this context. */
export async function open(
  { encapsulatedKey, ciphertext }: Sealed,
  privateKey: CryptoKey,
  context: Context,
): Promise<Bytes> {
  const { key, cipher } = await agree(privateKey, encapsulatedKey, encapsulatedKey, context);
  return new Uint8Array(await crypto.subtle.decrypt(cipher, key, ciphertext));
}

/** Suite ids. Section 4.1: `KEM` and its number. Section 5.1: `HPKE` and the numbers of KEM, KDF and AEAD. */
const kemSuite = joined(utf8('KEM'), Uint8Array.of(0, 0x10));
const hpkeSuite = joined(utf8('HPKE'), Uint8Array.of(0, 0x10, 0, 1, 0, 2));
const empty = new Uint8Array(0);

/** Encap or Decap (section 4.1), then KeySchedule (section 5.1) in base mode. */
async function agree(
  privateKey: CryptoKey,
  other: Bytes,
  encapsulatedKey: Bytes,
  { info, receiver }: Context,
): Promise<{ readonly key: CryptoKey; readonly cipher: AesGcm }> {
  const publicKey = await crypto.subtle.importKey('raw', other, curve, false, []);
  const agreed = { name: 'ECDH', public: publicKey };
  const point = new Uint8Array(await crypto.subtle.deriveBits(agreed, privateKey, 256));
  const extracted = await extract(kemSuite, empty, 'eae_prk', point);
  const kemContext = joined(encapsulatedKey, receiver);
  const shared = await expand(kemSuite, extracted, 'shared_secret', kemContext, 32);
  const context = joined(
    Uint8Array.of(0),
    await extract(hpkeSuite, empty, 'psk_id_hash', empty),
    await extract(hpkeSuite, empty, 'info_hash', info),
  );
  const secret = await extract(hpkeSuite, shared, 'secret', empty);
  const keyBytes = await expand(hpkeSuite, secret, 'key', context, 32);
  const iv = await expand(hpkeSuite, secret, 'base_nonce', context, 12);
  const usages = ['encrypt', 'decrypt'] as const;
  const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, usages);
  for (const bytes of [point, extracted, shared, secret, keyBytes]) bytes.fill(0);
  return { key, cipher: { name: 'AES-GCM', iv, additionalData: kemContext } };
}

type AesGcm = { readonly name: 'AES-GCM'; readonly iv: Bytes; readonly additionalData: Bytes };

/** LabeledExtract (section 4). */
const extract = (suite: Bytes, salt: Bytes, label: string, keyMaterial: Bytes): Promise<Bytes> =>
  hmac(salt, joined(utf8('HPKE-v1'), suite, utf8(label), keyMaterial));

/** LabeledExpand (section 4) of at most one block of HKDF-Expand (RFC 5869). */
async function expand(
  suite: Bytes,
  key: Bytes,
  label: string,
  info: Bytes,
  length: number,
): Promise<Bytes> {
  const size = Uint8Array.of(0, length);
  const parts = [size, utf8('HPKE-v1'), suite, utf8(label), info, Uint8Array.of(1)];
  return (await hmac(key, joined(...parts))).slice(0, length);
}

async function hmac(key: Bytes, bytes: Bytes): Promise<Bytes> {
  // Engines reject empty keys. HMAC pads keys with zeros (RFC 2104), so a zero key gives the same result.
  const raw = key.length === 0 ? new Uint8Array(32) : key;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes));
}
