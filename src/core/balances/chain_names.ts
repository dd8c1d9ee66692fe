/** CAIP-2 names of Solana networks, by the short names that clients use instead. */
export const solanaNetworks = {
  mainnet: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
} as const;

const shortNames: ReadonlyMap<string, string> = new Map(
  Object.entries(solanaNetworks).map(([name, chain]) => [`solana:${name}`, chain]),
);

/** The hash of the first block, which CAIP-2 cuts to 32 characters. */
const wholeHash = /^solana:[1-9A-HJ-NP-Za-km-z]{33,44}$/;

/** The CAIP-2 name of a chain that may be called otherwise. */
export function chainNameOf(name: string): string {
  if (wholeHash.test(name)) return name.slice(0, 'solana:'.length + 32);
  return shortNames.get(name) ?? name;
}
