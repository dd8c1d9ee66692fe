import { Resolver, lookup as systemLookup } from 'node:dns/promises';

/** The addresses of a name, as text; rejects, or gives none, where there are none. */
export type NameLookup = (host: string) => Promise<readonly string[]>;

/**
 * How names are resolved. Public names by asking the name servers: no search domain, hosts file or
 * local name has a say, and a slow server holds up no thread that the rest of the process needs.
 * With private targets allowed as the system does it, which is what knows their names. `servers`
 * (address and port) are asked in place of those that the system names.
 */
export function createNameLookup(
  rules: { readonly allowPrivateTargets: boolean },
  servers?: readonly string[],
): NameLookup {
  if (rules.allowPrivateTargets) {
    return async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address);
  }
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  };
}
