import { Resolver, lookup as systemLookup } from 'node:dns/promises';

/** The addresses of a name, as text. Rejects or returns an empty list for an unknown name. */
export type NameLookup = (host: string) => Promise<readonly string[]>;

/**
 * Resolves names. Public names are asked of the name servers: without search domain, hosts file or local
 * names, and without a thread that a slow server could block. With private targets allowed, the system's
 * resolver is used, which knows their names. `servers` (address and port) replace the system's name servers.
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
