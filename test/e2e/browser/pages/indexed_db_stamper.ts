// In the browser: the plain client, with a key that the browser stores and gives to no page.

import { TurnkeyClient } from '@turnkey/http';
import { IndexedDbStamper } from '@turnkey/indexed-db-stamper';

type Call = { readonly baseUrl: string; readonly organizationId: string };

let stamper: IndexedDbStamper | undefined;

/** Reads the stored key, or creates one. Returns the public key. */
export async function start(): Promise<string> {
  stamper = new IndexedDbStamper();
  await stamper.init();
  return ready().getPublicKey() ?? '';
}

export const whoami = ({ baseUrl, organizationId }: Call) =>
  new TurnkeyClient({ baseUrl }, ready()).getWhoami({ organizationId });

/** Replaces the key. Returns the new public key. */
export async function replace(): Promise<string> {
  await ready().resetKeyPair();
  return ready().getPublicKey() ?? '';
}

function ready(): IndexedDbStamper {
  if (stamper === undefined) throw new Error('the stamper was not started');
  return stamper;
}
