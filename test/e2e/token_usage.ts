// The text that the key of a verification token signs, in the wording of the unmodified client.

import { p256 } from '@noble/curves/nist.js';
import {
  getClientSignatureMessageForLogin,
  getClientSignatureMessageForSignup,
} from '@turnkey/core';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import type { ApiKeyPair } from './clients.ts';

/** Returns the text for a session with this public key. */
export function loginUsage(verificationToken: string, key: ApiKeyPair, publicKey: string) {
  const { message } = getClientSignatureMessageForLogin({
    verificationToken,
    sessionPublicKey: publicKey,
  });
  return signed(message, key);
}

/** Returns the text for a user with this e-mail address and no other credential. */
export function signUpUsage(verificationToken: string, key: ApiKeyPair, email: string) {
  const { message } = getClientSignatureMessageForSignup({
    verificationToken,
    email,
    apiKeys: [],
    authenticators: [],
    oauthProviders: [],
  });
  return signed(message, key);
}

function signed(message: string, { apiPublicKey: publicKey, apiPrivateKey }: ApiKeyPair) {
  const scheme = 'CLIENT_SIGNATURE_SCHEME_API_P256' as const;
  const signature = hex(p256.sign(utf8(message), Uint8Array.fromHex(apiPrivateKey)));
  return { publicKey, scheme, message, signature };
}
