/** CAIP-2 names of Solana networks, by the short names that clients use instead. */
export const solanaNetworks = {
  mainnet: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
} as const;

const shortNames: ReadonlyMap<string, string> = new Map(
  Object.entries(solanaNetworks).map(([name, chain]) => [`solana:${name}`, chain]),
);

/** CAIP-2 cuts the hash of the first block to 32 characters; some clients send all of it. */
const wholeHash = /^solana:[1-9A-HJ-NP-Za-km-z]{33,44}$/;

/** Returns the CAIP-2 name for a name that clients use. */
export function chainNameOf(name: string): string {
  if (wholeHash.test(name)) return name.slice(0, 'solana:'.length + 32);
  return shortNames.get(name) ?? name;
}
