// The service's own keys: given, or pinned when they are first read. Another key later is an error.

import { Untrusted } from './errors.ts';
import type { CallOptions } from './requests.ts';
import { get, type World } from './transport.ts';

/** Public keys by role (`signer`, `attestation`, …), uncompressed, hex. */
export type ServiceKeys = Readonly<Record<string, string>>;

const keysPath = '/public/v1/discovery/keys';

/** The function that tells the pinned keys. A key that is given counts, whatever the service says. */
export function pinsOf(
  url: string,
  world: World,
  { serviceKeys: given }: { readonly serviceKeys?: ServiceKeys },
): (options?: CallOptions) => Promise<ServiceKeys> {
  let pinned = given;
  return async (options) => {
    if (pinned !== undefined) return pinned;
    const { body } = await get(`${url}${keysPath}`, world, options?.signal);
    const keys = Array.isArray(body['keys']) ? body['keys'] : [];
    const published = Object.fromEntries(
      keys.map(({ role, publicKey }) => [String(role), String(publicKey)]),
    );
    if (published['signer'] === undefined) {
      throw new Untrusted('ANSWER_MALFORMED', 'the service publishes no keys');
    }
    // Of two that read them at one time the first has pinned them.
    pinned ??= published;
    return pinned;
  };
}
