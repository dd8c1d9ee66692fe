// Short names of address formats, as people type them: `ethereum`, `bitcoin`, `bitcoin_mainnet_p2tr`.

const prefix = 'ADDRESS_FORMAT_';

/** The name of a format without its prefix, in lower case. */
export const kindOf = (addressFormat: string): string =>
  addressFormat.replace(prefix, '').toLowerCase();

/** Returns true if a word names a format: its whole name, or the first words of it. */
export function isKind(word: string, addressFormat: string): boolean {
  const kind = kindOf(addressFormat);
  const typed = word.toLowerCase().replace('address_format_', '');
  return kind === typed || kind.startsWith(`${typed}_`);
}
