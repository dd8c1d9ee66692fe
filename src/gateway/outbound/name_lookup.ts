import { Resolver, lookup as systemLookup } from 'node:dns/promises';

/** Returns the addresses of a name, as text. Rejects or returns an empty list for an unknown name. */
export type NameLookup = (host: string) => Promise<readonly string[]>;

/**
 * Creates the lookup. It queries the name servers for public names: without search domain, hosts file or
 * local names, and without a thread that a slow server could block. If private targets are allowed, it uses
 * the system's resolver, which knows their names. `servers` (address and port) replace the system's name
 * servers.
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
