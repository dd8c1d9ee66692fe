/** Short names that clients use for some chains beside CAIP-2. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['solana:mainnet', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['solana:devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
]);

/** The CAIP-2 name of a chain that may be called otherwise. */
export function chainNameOf(name: string): string {
  return shortNames.get(name) ?? name;
}
