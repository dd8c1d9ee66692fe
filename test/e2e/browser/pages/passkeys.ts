// In the browser: the plain client stamps with a passkey.

import { getWebAuthnAttestation, TurnkeyClient } from '@turnkey/http';
import { WebauthnStamper } from '@turnkey/webauthn-stamper';

const rpId = 'localhost';

type Call = { readonly baseUrl: string; readonly organizationId: string };

/** Creates a passkey, and returns it in the form of requests. */
export async function register({ name, isSimple }: { name: string; isSimple?: boolean }) {
  const challenge = crypto.getRandomValues(new Uint8Array(32));
  const attestation = await getWebAuthnAttestation({
    publicKey: {
      rp: { id: rpId, name: 'Test' },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name, displayName: name },
      challenge,
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      authenticatorSelection: {
        residentKey: isSimple === true ? 'discouraged' : 'required',
        userVerification: 'preferred',
      },
    },
  });
  return { authenticatorName: name, challenge: base64url(challenge), attestation };
}

/** Sends a query, stamped by the passkey of the authenticator or by the named one. */
export const whoami = ({ baseUrl, organizationId, id }: Call & { readonly id?: string }) =>
  client(baseUrl, id).getWhoami({ organizationId });

/** Registers another passkey of a user, stamped by the named one. */
export async function addPasskey(call: Call & { userId: string; name: string; id: string }) {
  const { baseUrl, organizationId, userId, name, id } = call;
  const { activity } = await client(baseUrl, id).createAuthenticators({
    type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: { userId, authenticators: [await register({ name })] },
  });
  return activity;
}

/** Stamps the creation of a wallet, for the server of the page to send. */
export const stampCreateWallet = (call: Call & { readonly walletName: string }) =>
  client(call.baseUrl).stampCreateWallet({
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    timestampMs: String(Date.now()),
    organizationId: call.organizationId,
    parameters: { walletName: call.walletName, accounts: [] },
  });

function client(baseUrl: string, id?: string): TurnkeyClient {
  const allowCredentials =
    id === undefined ? [] : [{ type: 'public-key' as const, id: bytesOfBase64url(id) }];
  return new TurnkeyClient({ baseUrl }, new WebauthnStamper({ rpId, allowCredentials }));
}

function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
