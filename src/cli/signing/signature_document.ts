// The document that `sign … --json` prints and `verify message` reads. It contains everything that a verifier
// needs.

/** A signature over a message or typed data. */
export type SignatureDocument = {
  /** `EIP-191`, `TIP-191`, `BIP-137`, `Ed25519` or `EIP-712`. */
  readonly standard: string;
  /** The text, or hex with `0x` if the bytes are not UTF-8. `messageEncoding` names the form. */
  readonly message: string;
  readonly messageEncoding: 'utf8' | 'hex';
  readonly address: string;
  readonly addressFormat: string;
  /** In the form of the chain. */
  readonly signature: string;
};

export type Algorithm = 'ECDSA-secp256k1' | 'ECDSA-P256' | 'Ed25519' | 'BIP-340';

/** Returns the members of a document for a message. */
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
  if (messageEncoding === 'utf8') return bytesOfText(message);
  return messageEncoding === 'hex' ? bytesOfDigits(message.replace(/^0x/, '')) : undefined;
}

/** Encodes a text. Returns undefined for half a character, which UTF-8 cannot express. */
export function bytesOfText(text: string): Uint8Array | undefined {
  return text.isWellFormed() ? new TextEncoder().encode(text) : undefined;
}

/** Decodes hex digits. Returns undefined for other values. */
export function bytesOfDigits(digits: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof digits !== 'string' || !/^([0-9a-f]{2})*$/i.test(digits)) return undefined;
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}
