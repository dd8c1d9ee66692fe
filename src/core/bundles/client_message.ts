// Messages that a client seals to a target key of the service. They are not signed
// themselves: the stamp of the request covers them.

import { bytesOfHex, utf8 } from '../base/bytes.ts';
import type { HpkeMessage } from '../crypto/hpke.ts';
import { strictJsonObject } from '../schema/strict_json.ts';
import { openBundle } from './bundle_encryption.ts';

/** An opened message, which the caller wipes, or the reason for its rejection, which the client may see. */
export type OpenedMessage =
  | { readonly plaintext: Uint8Array; readonly refusal?: undefined }
  | { readonly plaintext?: undefined; readonly refusal: string };

const tagBytes = 16;
/** Room for braces, member names, an encapsulated key in hex, and white space. */
const frameCharacters = 512;

/** Returns the maximum length of a message's text for a plaintext of that many bytes. */
export function maximumMessageCharacters(maximumPlaintextBytes: number): number {
  return frameCharacters + 2 * (maximumPlaintextBytes + tagBytes);
}

/** A parsed message, or the reason for its rejection. */
type ReadMessage =
  | { readonly message: HpkeMessage; readonly refusal?: undefined }
  | { readonly message?: undefined; readonly refusal: string };

/** Parses a message with `readClientMessage`, and opens it. */
export function openClientMessage(
  text: string,
  input: { readonly targetPrivateKey: Uint8Array; readonly maximumPlaintextBytes: number },
): OpenedMessage {
  const { message, refusal } = readClientMessage(text, input.maximumPlaintextBytes);
  if (message === undefined) return { refusal };
  const plaintext = openBundle({ receiverPrivateKey: input.targetPrivateKey, ...message });
  return plaintext === undefined
    ? { refusal: 'it was not sealed to the target key that was given for it' }
    : { plaintext };
}

/**
 * Parses `{"encappedPublic": …, "ciphertext": …}`. The members are hex in any case and order; the key is
 * compressed or not. Rejects other members.
 */
export function readClientMessage(text: string, maximumPlaintextBytes: number): ReadMessage {
  const maximum = maximumMessageCharacters(maximumPlaintextBytes);
  if (text.length > maximum) return { refusal: `expected at most ${maximum} characters` };
  const message = strictJsonObject(utf8(text));
  if (message === undefined) return { refusal: 'expected a JSON object' };
  const { encappedPublic, ciphertext, ...others } = message;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    return { refusal: 'expected the members `encappedPublic` and `ciphertext` alone' };
  }
  const encapsulatedKey =
    typeof encappedPublic === 'string' ? bytesOfHex(encappedPublic) : undefined;
  if (encapsulatedKey?.length !== 65 && encapsulatedKey?.length !== 33) {
    return { refusal: 'expected `encappedPublic` as 130 hex digits, or 66 in compressed form' };
  }
  const sealed = typeof ciphertext === 'string' ? bytesOfHex(ciphertext) : undefined;
  if (sealed === undefined || sealed.length < tagBytes) {
    return { refusal: `expected \`ciphertext\` as hex of at least ${tagBytes} bytes` };
  }
  if (sealed.length > maximumPlaintextBytes + tagBytes) {
    return { refusal: `expected at most ${maximumPlaintextBytes} bytes to be sealed` };
  }
  return { message: { encapsulatedKey, ciphertext: sealed } };
}
