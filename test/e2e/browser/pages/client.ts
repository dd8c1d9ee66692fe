// A page over the client library: passkeys, sessions, approvals.

import {
  apiKey,
  connect,
  forgetSession,
  keptSession,
  newSession,
  passkey,
} from '../../../../src/client/index.ts';

type Where = { readonly url: string; readonly organizationId: string };
type Credentials = { readonly apiPublicKey: string; readonly apiPrivateKey: string };

/** Registers a passkey of a user, with the user's API key. */
export async function register(where: Where, credentials: Credentials, userId: string) {
  const root = connect({ ...where, stamp: await apiKey(credentials) });
  const challenge = crypto.getRandomValues(new Uint8Array(32));
  // biome-ignore lint/suspicious/noExplicitAny: tests have no types of browsers
  const { credentials: authenticators } = (globalThis as any).navigator;
  const made = await authenticators.create({
    publicKey: {
      challenge,
      rp: { name: 'Test' },
      user: { id: challenge.slice(0, 16), name: 'root', displayName: 'Root' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required' },
    },
  });
  const text = (bytes: ArrayBuffer) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  await root.submit('create_authenticators', {
    userId,
    authenticators: [
      {
        authenticatorName: 'Browser',
        challenge: text(challenge.buffer),
        attestation: {
          credentialId: text(made.rawId),
          clientDataJson: text(made.response.clientDataJSON),
          attestationObject: text(made.response.attestationObject),
          transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
        },
      },
    ],
  });
}

/** Signs in by passkey, and stores a session. */
export async function signIn({ url, organizationId }: Where) {
  const byPasskey = connect({ url, organizationId, stamp: passkey() });
  const session = await newSession(byPasskey, { seconds: 3600, store: 'keywright' });
  const bySession = byPasskey.as(session);
  const { username } = await bySession.query('whoami');
  return { username, organizationId: session.organizationId };
}

/** Returns the user of the stored session; undefined without a session. */
export async function whoIsKept({ url }: Where) {
  const session = await keptSession('keywright');
  if (session === undefined) return null;
  const { organizationId } = session;
  return await connect({ url, organizationId, stamp: session }).query('whoami');
}

export const signOut = () => forgetSession('keywright');

/** Returns true if the stored key can be extracted. */
export async function isKeyExtractable(): Promise<boolean> {
  // biome-ignore lint/suspicious/noExplicitAny: tests have no types of browsers
  const { indexedDB } = globalThis as any;
  const done = (request: { onsuccess: unknown; onerror: unknown; result: never }) =>
    new Promise<never>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = reject;
    });
  const database: { transaction(name: string): never } = await done(indexedDB.open('keywright'));
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const store = (database.transaction('sessions') as any).objectStore('sessions');
  const session: { privateKey: CryptoKey } = await done(store.get('session'));
  return session.privateKey.extractable;
}

/** Approves a waiting activity by passkey. */
export async function approve({ url, organizationId }: Where, activityId: string) {
  const kw = connect({ url, organizationId, stamp: passkey() });
  const { outcome } = await kw.approve(await kw.activity(activityId));
  return outcome;
}
