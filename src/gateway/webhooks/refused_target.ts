import type { NameLookup } from '../outbound/name_lookup.ts';
import { refusalOfAddress, type TargetRules, targetOf } from '../outbound/target_address.ts';

const setting =
  ': the operator may set KEYWRIGHT_ALLOW_PRIVATE_TARGETS=true on a service for development';

/**
 * Returns why requests to a URL are forbidden; undefined if they are allowed. Each connection checks the
 * same, but the caller can still correct the URL now. Names the setting that would allow it, if any.
 */
export async function refusedTarget(
  url: string,
  rules: TargetRules,
  lookup: NameLookup,
): Promise<string | undefined> {
  const target = targetOf(url, rules);
  const relaxed = { allowPrivateTargets: true };
  if ('refusal' in target) {
    return 'refusal' in targetOf(url, relaxed) ? target.refusal : target.refusal + setting;
  }
  if (target.isAddress) return undefined;
  // A missing name and a silent name server are the same to the caller.
  const addresses = await lookup(target.host).catch(() => []);
  if (addresses.length === 0) return 'the name has no address';
  for (const address of addresses) {
    const refusal = refusalOfAddress(address, rules);
    if (refusal === undefined) continue;
    return refusalOfAddress(address, relaxed) === undefined ? refusal + setting : refusal;
  }
  return undefined;
}
