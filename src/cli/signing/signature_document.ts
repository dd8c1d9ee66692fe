// The document that `sign … --json` prints and `verify message` reads: all that a verifier needs,
// and nothing else.

/** A signature over a message of people, or over typed data. */
export type SignatureDocument = {
  /** `EIP-191`, `TIP-191`, `BIP-137`, `Ed25519`, `EIP-712`, or `payload` for bare signatures. */
  readonly standard: string;
  /** The text; in hex with `0x` where the bytes are no text, which `messageEncoding` then says. */
  readonly message: string;
  readonly messageEncoding: 'utf8' | 'hex';
  readonly address: string;
  readonly addressFormat: string;
  /** In the chain's own form. */
  readonly signature: string;
};

/** The signature of a key over a payload, with no standard around it. */
export type PayloadDocument = {
  readonly standard: 'payload';
  readonly payload: string;
  readonly encoding: string;
  readonly hashFunction: string;
  readonly algorithm: Algorithm;
  /** Hex; the 32 bytes of Ed25519 and BIP-340, else a compressed point. */
  readonly publicKey: string;
  readonly r: string;
  readonly s: string;
  readonly v: string;
};

/** Signature algorithm of a key. */
export type Algorithm = 'ECDSA-secp256k1' | 'ECDSA-P256' | 'Ed25519' | 'BIP-340';

/** A message as documents hold it. */
export function messageMembers(
  bytes: Uint8Array,
): Pick<SignatureDocument, 'message' | 'messageEncoding'> {
  try {
    const message = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { message, messageEncoding: 'utf8' };
  } catch {
    return { message: `0x${Buffer.from(bytes).toString('hex')}`, messageEncoding: 'hex' };
  }
}

/** Returns the bytes of the message in a document, if it has one. */
export function messageBytes({
  message,
  messageEncoding,
}: Readonly<Record<string, unknown>>): Uint8Array | undefined {
  if (typeof message !== 'string') return undefined;
  if (messageEncoding === 'utf8') return new TextEncoder().encode(message);
  return messageEncoding === 'hex' ? bytesOfDigits(message.replace(/^0x/, '')) : undefined;
}

/** The bytes of hexadecimal digits; undefined for any other text. */
export function bytesOfDigits(digits: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof digits !== 'string' || !/^([0-9a-f]{2})*$/i.test(digits)) return undefined;
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}
