// The key to which a client seals a one-time code, together with the public key for the verification token.

import { bytesOfHex, hex, wipe } from '../base/bytes.ts';
import { p256 } from '../crypto/p256.ts';
import type { ServiceSigner } from '../crypto/service_keys.ts';
import { strictJsonObject } from '../schema/strict_json.ts';
import { openClientMessage } from './client_message.ts';
import { writeSignedMessage } from './signed_message.ts';

/** A code and a public key take about 110 bytes of JSON. */
const maximumOtpMessageBytes = 512;

const maximumCodeCharacters = 64;

type OtpMessage = {
  /** The text that the client sent. */
  readonly otpCode: string;
  /** Compressed, in hex as sent. */
  readonly publicKey: string;
};

/** Returns the target for one code, signed as `verifier`. The public key has 65 bytes. */
export function writeOtpTarget(
  target: { readonly targetPublicKey: Uint8Array; readonly organizationId: string },
  keys: ServiceSigner,
): string {
  const content = {
    targetPublic: hex(target.targetPublicKey),
    organizationId: target.organizationId,
  };
  return writeSignedMessage(content, 'verifier', keys);
}

/** Opens the sealed code and key, or returns the reason for the rejection. */
export function openOtpMessage(
  text: string,
  targetPrivateKey: Uint8Array,
):
  | { readonly message: OtpMessage; readonly refusal?: undefined }
  | { readonly message?: undefined; readonly refusal: string } {
  const { plaintext, refusal } = openClientMessage(text, {
    targetPrivateKey,
    maximumPlaintextBytes: maximumOtpMessageBytes,
  });
  if (plaintext === undefined) return { refusal };
  const message = strictJsonObject(plaintext);
  wipe(plaintext);
  if (message === undefined) return { refusal: 'expected a JSON object to be sealed' };
  const { otp_code: otpCode, public_key: publicKey } = message;
  const isCode = typeof otpCode === 'string' && otpCode.length <= maximumCodeCharacters;
  if (!isCode) {
    return { refusal: `expected \`otp_code\` as a text of at most ${maximumCodeCharacters}` };
  }
  const isKey =
    typeof publicKey === 'string' && p256.isPublicKey(bytesOfHex(publicKey) ?? new Uint8Array(0));
  if (!isKey) return { refusal: 'expected `public_key` as a compressed P-256 public key in hex' };
  return { message: { otpCode, publicKey } };
}
