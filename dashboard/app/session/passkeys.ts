// Prompts for passkeys. A prompt ends after a minute, or when the caller cancels it.

import { signal } from '@preact/signals';
import { base64urlOf } from '../../../src/client/bytes.ts';
import { passkey } from '../../../src/client/passkey.ts';
import type { Stamp } from '../../../src/client/stamps.ts';
import { dayText, t } from '../../messages/text.ts';
import type { Config } from './config.ts';

const timeoutMs = 60_000;

/** Cancels the open prompt; undefined if no prompt is open. */
export const openPrompt = signal<(() => void) | undefined>(undefined);

/** A failed prompt, with a sentence for the user. */
export class PasskeyError extends Error {}

/** Returns a stamp by a passkey. Default for `credentialIds`: any passkey of this site. */
export function passkeyStamp(config: Config, credentialIds?: readonly string[]): Stamp {
  return passkey({
    ...(config.passkeyRpId === undefined ? {} : { rpId: config.passkeyRpId }),
    ...(credentialIds === undefined ? {} : { credentialIds }),
    authenticators: {
      get: ({ publicKey }) =>
        prompted(config, (signal) =>
          navigator.credentials.get({
            publicKey: publicKey as PublicKeyCredentialRequestOptions,
            signal,
          }),
        ),
    },
  });
}

/** Creates a passkey. Returns the parameters for `create_authenticators`. Throws `PasskeyError`. */
export async function newPasskey(
  config: Config,
  user: { readonly userId: string; readonly userName: string },
) {
  const challenge = crypto.getRandomValues(new Uint8Array(32));
  const made = await prompted(config, (signal) =>
    navigator.credentials.create({
      publicKey: {
        challenge,
        rp: {
          name: t('app.name'),
          ...(config.passkeyRpId === undefined ? {} : { id: config.passkeyRpId }),
        },
        user: {
          id: new TextEncoder().encode(user.userId),
          name: user.userName,
          displayName: user.userName,
        },
        // ES256, and RS256 for older devices.
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      },
      signal,
    }),
  );
  if (!(made instanceof PublicKeyCredential)) throw new PasskeyError(t('passkey.cancelled'));
  const response = made.response as AuthenticatorAttestationResponse;
  const text = (bytes: ArrayBuffer): string => base64urlOf(new Uint8Array(bytes));
  return {
    authenticatorName: t('passkey.name', { date: dayText(Date.now()) }),
    challenge: base64urlOf(challenge),
    attestation: {
      credentialId: text(made.rawId),
      clientDataJson: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      transports: response.getTransports().flatMap((name) => transports[name] ?? []),
    },
  };
}

const transports: Readonly<
  Record<string, `AUTHENTICATOR_TRANSPORT_${'BLE' | 'INTERNAL' | 'NFC' | 'USB' | 'HYBRID'}`>
> = {
  ble: 'AUTHENTICATOR_TRANSPORT_BLE',
  internal: 'AUTHENTICATOR_TRANSPORT_INTERNAL',
  nfc: 'AUTHENTICATOR_TRANSPORT_NFC',
  usb: 'AUTHENTICATOR_TRANSPORT_USB',
  hybrid: 'AUTHENTICATOR_TRANSPORT_HYBRID',
};

async function prompted<T>(
  { passkeyRpId = location.hostname }: Config,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (navigator.credentials === undefined) throw new PasskeyError(t('passkey.none'));
  const cancelled = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  openPrompt.value = () => cancelled.abort();
  try {
    return await ask(AbortSignal.any([cancelled.signal, timeout]));
  } catch (error) {
    if (timeout.aborted) throw new PasskeyError(t('passkey.timedOut'));
    const { name, message } = error as DOMException;
    if (name === 'NotAllowedError' || name === 'AbortError') {
      throw new PasskeyError(t('passkey.cancelled'));
    }
    const place = { origin: location.origin, rpId: passkeyRpId };
    throw new PasskeyError(t('passkey.failed', { reason: message, ...place }));
  } finally {
    openPrompt.value = undefined;
  }
}
