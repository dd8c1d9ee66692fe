// Short names of address formats: `ethereum`, `bitcoin`, `bitcoin_mainnet_p2tr`.

const prefix = 'ADDRESS_FORMAT_';

/** Returns the lower-case name of a format without its prefix. */
export const kindOf = (addressFormat: string): string =>
  addressFormat.replace(prefix, '').toLowerCase();

/** Returns true if a word is the name of the format, or its first words. */
export function isKind(word: string, addressFormat: string): boolean {
  const kind = kindOf(addressFormat);
  const typed = word.toLowerCase().replace('address_format_', '');
  return kind === typed || kind.startsWith(`${typed}_`);
}
