// The digits of addresses that people compare. Attackers make addresses that share them.

/** Parts at the start that many addresses share: `0x`, and the prefix of bech32 with its version. */
const sharedStart = /^(?:0x|[a-z]{2,12}1[a-z0-9])?/;

/** Number of digits at each end. */
const shownDigits = 4;
const longestWhole = 14;

/** Returns the parts of an address that people compare, and that screens show in a line. */
export function endsOf(key: string): string {
  const digits = key.replace(sharedStart, '');
  return `${digits.slice(0, shownDigits)} ${digits.slice(-shownDigits)}`;
}

/**
 * Returns text like `0x0000…dEaD`. It shows at least the digits of `endsOf`, so that another address with the
 * same text has the same ends.
 */
export function shortAddress(address: string): string {
  if (address.length <= longestWhole) return address;
  const [start = ''] = sharedStart.exec(address) ?? [];
  const head = Math.max(6, start.length + shownDigits);
  return `${address.slice(0, head)}…${address.slice(-shownDigits)}`;
}
