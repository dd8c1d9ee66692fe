// IP addresses and blocks: IPv4 in dotted decimals, IPv6 in all forms of RFC 4291 section 2.2, written in the
// form of RFC 5952.

export type IpAddress = {
  readonly family: 'IPv4' | 'IPv6';
  readonly value: bigint;
};

/** The addresses that share the first `prefix` bits of `first`, whose remaining bits are zero. */
type IpBlock = { readonly first: IpAddress; readonly prefix: number };

const addressBits = { IPv4: 32, IPv6: 128 } as const;

/** Parses an address; undefined for other text. IPv4-mapped IPv6 (`::ffff:…`) becomes IPv4. */
export function parseIpAddress(text: string): IpAddress | undefined {
  const ipv4 = ipv4Value(text);
  if (ipv4 !== undefined) return { family: 'IPv4', value: ipv4 };
  const value = ipv6Value(text);
  if (value === undefined) return undefined;
  return value >> 32n === mappedPrefix
    ? { family: 'IPv4', value: value & 0xffff_ffffn }
    : { family: 'IPv6', value };
}

/** Parses a CIDR block or a single address; undefined for other text. */
export function parseIpBlock(text: string): IpBlock | undefined {
  const [addressText = '', prefixText, more] = text.split('/');
  const address = parseIpAddress(addressText);
  if (address === undefined || more !== undefined) return undefined;
  const bits = addressBits[address.family];
  // The prefix length of an IPv4-mapped address counts the bits of IPv6.
  if (address.family === 'IPv4' && addressText.includes(':')) return undefined;
  if (prefixText === undefined) return { first: address, prefix: bits };
  if (!/^(0|[1-9][0-9]{0,2})$/.test(prefixText)) return undefined;
  const prefix = Number(prefixText);
  return prefix > bits ? undefined : blockAround(address, prefix);
}

/** Returns the block with this prefix length around an address. */
export function blockAround(address: IpAddress, prefix: number): IpBlock {
  const host = BigInt(addressBits[address.family] - prefix);
  return { first: { ...address, value: (address.value >> host) << host }, prefix };
}

/** Returns true if an address lies in a block. */
export function isInBlock({ family, value }: IpAddress, { first, prefix }: IpBlock): boolean {
  const host = BigInt(addressBits[first.family] - prefix);
  return family === first.family && value >> host === first.value >> host;
}

/** Returns the canonical text of a block. */
export const ipBlockText = ({ first, prefix }: IpBlock): string =>
  `${first.family === 'IPv4' ? ipv4Text(first.value) : ipv6Text(first.value)}/${prefix}`;

/** RFC 4291 section 2.5.5.2. */
const mappedPrefix = 0xffffn;

function ipv4Value(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => decimalByte.test(part))) return undefined;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** Rejects leading zeros, which some parsers read as octal. */
const decimalByte = /^(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])$/;

function ipv6Value(text: string): bigint | undefined {
  const [before = '', after, more] = text.split('::');
  if (more !== undefined) return undefined;
  const head = groupsOf(before, after === undefined);
  const tail = after === undefined ? [] : groupsOf(after, true);
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  // `::` stands for at least one group.
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => 0n), ...tail];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

/** Returns the groups between colons. The last two groups of an address may be written as IPv4. */
function groupsOf(text: string, isLast: boolean): bigint[] | undefined {
  if (text === '') return [];
  const groups: bigint[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    const ipv4 = isLast && i === parts.length - 1 ? ipv4Value(part) : undefined;
    if (ipv4 !== undefined) groups.push(ipv4 >> 16n, ipv4 & 0xffffn);
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return groups.length > 8 ? undefined : groups;
}

function ipv4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
}

/** Writes lower case, and the first of the longest runs of at least two zero groups as `::`. */
function ipv6Text(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  let [start, length] = [0, 1];
  for (let i = 0; i < 8; i += 1) {
    let end = i;
    while (groups[end] === '0') end += 1;
    if (end - i > length) [start, length] = [i, end - i];
  }
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}
