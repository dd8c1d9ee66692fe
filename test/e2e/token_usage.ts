// The text that the holder of a verification token's key signs, as the unmodified client words it.

import { p256 } from '@noble/curves/nist.js';
import {
  getClientSignatureMessageForLogin,
  getClientSignatureMessageForSignup,
} from '@turnkey/core';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import type { ApiKeyPair } from './clients.ts';

/** That a session with this public key is asked for. */
export function loginUsage(verificationToken: string, key: ApiKeyPair, publicKey: string) {
  const { message } = getClientSignatureMessageForLogin({
    verificationToken,
    sessionPublicKey: publicKey,
  });
  return signed(message, key);
}

/** That a user with this e-mail address and no other credential is asked for. */
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
