// The public keys of the service, which verify bundles and proofs.

import { Untrusted } from './errors.ts';
import { rowsOf } from './outcome.ts';
import type { CallOptions } from './requests.ts';
import { get, type World } from './transport.ts';

/** Public keys by role (`signer`, `attestation`, …), uncompressed, in hex. */
export type ServiceKeys = Readonly<Record<string, string>>;

/** Returns the keys that a service publishes. Throws `Untrusted` if there are none. */
export async function publishedKeys(
  url: string,
  world: World,
  { signal }: CallOptions = {},
): Promise<ServiceKeys> {
  const { body, status } = await get(`${url}/public/v1/discovery/keys`, world, signal);
  const rows = status === 200 ? (rowsOf(body, 'keys') as readonly Row[]) : [];
  const keys = Object.fromEntries(rows.map(({ role, publicKey }) => [role, publicKey]));
  if (typeof keys['signer'] === 'string') return keys;
  throw new Untrusted('ANSWER_MALFORMED', 'the service publishes no keys');
}

type Row = { readonly role: string; readonly publicKey: string };
