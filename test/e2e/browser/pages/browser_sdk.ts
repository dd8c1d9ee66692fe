// In the browser: an application with @turnkey/sdk-browser, as its documentation describes it. A passkey
// signs up and in, and a key in IndexedDB signs during the session.

import { Turnkey, type TurnkeyIndexedDbClient } from '@turnkey/sdk-browser';

type Place = { readonly baseUrl: string; readonly organizationId: string };

let sdk: Turnkey | undefined;
let keyClient: TurnkeyIndexedDbClient | undefined;

const ready = (): Turnkey => {
  if (sdk === undefined) throw new Error('the page was not started');
  return sdk;
};

/** Starts the application in an organization. */
export async function start({ baseUrl, organizationId }: Place): Promise<void> {
  sdk = new Turnkey({
    apiBaseUrl: baseUrl,
    defaultOrganizationId: organizationId,
    rpId: 'localhost',
  });
  keyClient = await sdk.indexedDbClient();
  await keyClient.init();
}

/** Creates the passkey of a new user, for the server of the application. */
export async function createPasskey() {
  const { encodedChallenge, attestation } = await ready()
    .passkeyClient()
    .createUserPasskey({ publicKey: { user: { name: 'Alice', displayName: 'Alice' } } });
  return { challenge: encodedChallenge, attestation };
}

/** Starts a session by the passkey, for a new key of this page. */
export async function login(): Promise<void> {
  await client().resetKeyPair();
  const publicKey = await client().getPublicKey();
  if (publicKey === null) throw new Error('the page has no key');
  await ready().passkeyClient().loginWithPasskey({ publicKey, expirationSeconds: '900' });
}

/** Returns the stored session of the page. */
export async function session() {
  const found = await ready().getSession();
  return found && { organizationId: found.organizationId, userId: found.userId };
}

/** Signs with the key of the session. */
export async function sign(signWith: string, message: string) {
  const { r, s, v } = await client().signRawPayload({
    signWith,
    payload: message,
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  });
  return { r, s, v };
}

export const whoami = () => client().getWhoami();

/** Extends the session with a new key. */
export const refresh = async (): Promise<void> => {
  await client().refreshSession({ expirationSeconds: '900' });
};

/** Ends the session, and deletes the key of the page. */
export async function logout(): Promise<void> {
  await ready().logout();
  await client().clear();
}

function client(): TurnkeyIndexedDbClient {
  if (keyClient === undefined) throw new Error('the page was not started');
  return keyClient;
}
