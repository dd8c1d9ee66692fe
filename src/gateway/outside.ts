// What lies outside the service, as far as the settings let it be reached.

import { fail } from '../core/errors.ts';
import type { Outside } from '../core/outside.ts';
import type { Settings } from '../settings.ts';
import type { Delivery } from './messages/delivery.ts';
import { createNameLookup, type NameLookup } from './outbound/name_lookup.ts';
import { refusalOfAddress, type TargetRules, targetOf } from './outbound/target_address.ts';

/** The world of a deployment. */
export function createOutside(
  { allowPrivateTargets }: Settings,
  { deliver }: Pick<Delivery, 'deliver'>,
): Outside {
  const rules = { allowPrivateTargets };
  const lookup = createNameLookup(rules);
  return {
    issuerKeys: async (issuer) => fail('oidc_issuer_unavailable', { issuer }),
    deliver: async (messages) => {
      for (const message of messages) deliver(message);
    },
    fetch: async () => fail('oauth2_provider_unavailable'),
    refusedTarget: (url) => refusedTarget(url, rules, lookup),
    verifyCaptcha: async () => false,
  };
}

/** What each connection will check too, told while somebody can still mend it. */
async function refusedTarget(
  url: string,
  rules: TargetRules,
  lookup: NameLookup,
): Promise<string | undefined> {
  const target = targetOf(url, rules);
  if ('refusal' in target) return target.refusal;
  if (target.isAddress) return undefined;
  // A name that is not there and a server that does not answer are one to the caller.
  const addresses = await lookup(target.host).catch(() => []);
  if (addresses.length === 0) return 'the name has no address';
  return addresses
    .map((address) => refusalOfAddress(address, rules))
    .find((refusal) => refusal !== undefined);
}
