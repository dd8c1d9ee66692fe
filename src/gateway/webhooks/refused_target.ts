import type { NameLookup } from '../outbound/name_lookup.ts';
import { refusalOfAddress, type TargetRules, targetOf } from '../outbound/target_address.ts';

/**
 * Why nothing will be sent to a URL, undefined where it will: what each connection checks too, told
 * while somebody can still mend it.
 */
export async function refusedTarget(
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
