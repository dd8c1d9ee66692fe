// Stamps by passkeys (Web Authentication) in browsers.

import { type Bytes, base64urlOf, bytesOfBase64, hexOf, sha256, utf8 } from './bytes.ts';
import type { Stamp } from './stamps.ts';

/** The part of the Web Authentication API that is used here. */
export type Authenticators = {
  get(options: { readonly publicKey: object; readonly signal?: AbortSignal }): Promise<unknown>;
};

export type PasskeyOptions = {
  /** Domain of the passkey. Default: the domain of the page. */
  readonly rpId?: string;
  /** Credential ids in base64url. Default: the browser lets the user choose. */
  readonly credentialIds?: readonly string[];
  /** User verification by the device. Default: `preferred`. */
  readonly userVerification?: 'required' | 'preferred' | 'discouraged';
  /** Replaces `navigator.credentials`. */
  readonly authenticators?: Authenticators;
};

type Assertion = {
  readonly rawId: ArrayBuffer;
  readonly response: {
    readonly authenticatorData: ArrayBuffer;
    readonly clientDataJSON: ArrayBuffer;
    readonly signature: ArrayBuffer;
  };
};

/** Returns a stamp that prompts for a passkey at every request. */
export const passkey = (options: PasskeyOptions = {}): Stamp => ({
  header: async (body) => {
    const { rpId, credentialIds, userVerification = 'preferred' } = options;
    const { navigator } = globalThis as unknown as {
      readonly navigator: { readonly credentials: Authenticators };
    };
    const authenticators = options.authenticators ?? navigator.credentials;
    const found = (await authenticators.get({
      publicKey: {
        challenge: await challengeOf(body),
        userVerification,
        ...(rpId === undefined ? {} : { rpId }),
        ...(credentialIds === undefined
          ? {}
          : {
              allowCredentials: credentialIds.map((id) => ({
                type: 'public-key',
                id: bytesOfBase64(id),
              })),
            }),
      },
    })) as Assertion | null;
    if (found === null) throw new TypeError('the browser gave no passkey');
    const text = (bytes: ArrayBuffer) => base64urlOf(new Uint8Array(bytes));
    const value = JSON.stringify({
      credentialId: text(found.rawId),
      authenticatorData: text(found.response.authenticatorData),
      clientDataJson: text(found.response.clientDataJSON),
      signature: text(found.response.signature),
    });
    return { name: 'X-Stamp-WebAuthn', value };
  },
});

/** Returns the challenge that a passkey signs for a body: the hex digits of its SHA-256. */
export const challengeOf = async (body: Bytes): Promise<Bytes> => utf8(hexOf(await sha256(body)));
