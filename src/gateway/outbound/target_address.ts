// Allowed targets of outgoing requests. A caller who can choose a URL (of a webhook or an identity provider)
// must not reach private targets through the service: this machine, its network, the metadata service of its
// cloud.

import { BlockList, isIP, isIPv4 } from 'node:net';

/** An allowed URL. Every address of its name must also be public. */
export type Target = {
  readonly isSecure: boolean;
  /** Lower case, without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** True if the host is an address, which has been checked. */
  readonly isAddress: boolean;
  /** In the form of the `Host` header: with brackets, and with a port that is not the default. */
  readonly authority: string;
  /** Path and query, without the fragment. */
  readonly path: string;
};

type TargetRefusal = { readonly refusal: string };

export type TargetRules = {
  /** Allows `http`, private and loopback addresses, and local names, for development and tests. */
  readonly allowPrivateTargets: boolean;
};

/** Maximum characters of a URL. */
const maximumUrlCharacters = 2048;

/**
 * Returns the target of a URL, or the reason to reject it: another scheme than `https`, user info, port 0, an
 * address that is not public, a name outside of the public DNS. The URL is parsed by the WHATWG standard, so
 * the checked target is the one that is connected to.
 */
export function targetOf(text: string, rules: TargetRules): Target | TargetRefusal {
  if (text.length > maximumUrlCharacters) {
    return { refusal: `the URL has more than ${maximumUrlCharacters} characters` };
  }
  // The URL standard drops or converts these characters, and other parsers do not.
  if (/[\p{Cc}\s\\]/u.test(text)) return { refusal: 'the URL has white space or a backslash' };
  const url = URL.parse(text);
  if (url === null) return { refusal: 'not a URL' };
  const isSecure = url.protocol === 'https:';
  if (!isSecure && !(rules.allowPrivateTargets && url.protocol === 'http:')) {
    return { refusal: `the scheme is not ${rules.allowPrivateTargets ? 'http or ' : ''}https` };
  }
  if (url.username !== '' || url.password !== '') return { refusal: 'the URL has user info' };
  if (url.port === '0') return { refusal: 'the port is 0' };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isAddress = isIP(host) !== 0;
  const refusal = isAddress ? refusalOfAddress(host, rules) : refusalOfName(host, rules);
  if (refusal !== undefined) return { refusal };
  return {
    isSecure,
    host,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    isAddress,
    authority: url.host,
    path: url.pathname + url.search,
  };
}

/** Returns why connections to an address are forbidden, or undefined. Invalid addresses are rejected too. */
export function refusalOfAddress(address: string, rules: TargetRules): string | undefined {
  // A zone (RFC 4007 section 11) names an interface of this machine.
  if (isIP(address) === 0 || address.includes('%')) return 'not an address';
  const isVersion4 = isIPv4(address);
  const row = (isVersion4 ? ranges4 : ranges6).find(({ list }) =>
    list.check(address, isVersion4 ? 'ipv4' : 'ipv6'),
  );
  if (row === undefined || (row.isPrivate && rules.allowPrivateTargets)) return undefined;
  return `the address is ${row.what}`;
}

/** Domains outside of the public DNS. */
const privateDomains = [
  'localhost', // RFC 6761 section 6.3
  'local', // RFC 6762 section 3
  'internal', // reserved by ICANN for private use
  'home.arpa', // RFC 8375
  'onion', // RFC 7686
  'localdomain',
];

function refusalOfName(host: string, rules: TargetRules): string | undefined {
  // An empty last label is a trailing dot, another spelling of the same name.
  const labels = host.split('.');
  if (host.length > 253 || labels.some((label) => label === '' || label.length > 63)) {
    return 'not a name of the DNS';
  }
  if (rules.allowPrivateTargets) return undefined;
  if (privateDomains.some((domain) => host === domain || host.endsWith(`.${domain}`))) {
    return 'the name is one of a private network';
  }
  return labels.length === 1 ? 'the name has no domain' : undefined;
}

type SpecialRange = {
  /** A network and its prefix length. */
  readonly range: string;
  readonly what: string;
  readonly rfc: number;
  /** True if `allowPrivateTargets` permits it. */
  readonly isPrivate?: true;
};

/**
 * The IPv4 addresses of the IANA registry of special-purpose addresses, globally reachable ones
 * included, and multicast.
 */
export const specialRanges4: readonly SpecialRange[] = [
  { range: '0.0.0.0/8', what: 'of this network', rfc: 791 },
  { range: '10.0.0.0/8', what: 'private', rfc: 1918, isPrivate: true },
  { range: '100.64.0.0/10', what: 'shared behind a carrier', rfc: 6598, isPrivate: true },
  { range: '127.0.0.0/8', what: 'loopback', rfc: 1122, isPrivate: true },
  { range: '169.254.0.0/16', what: 'link-local', rfc: 3927 },
  { range: '172.16.0.0/12', what: 'private', rfc: 1918, isPrivate: true },
  { range: '192.0.0.0/24', what: 'for protocols', rfc: 6890 },
  { range: '192.0.2.0/24', what: 'for documentation', rfc: 5737 },
  { range: '192.31.196.0/24', what: 'of AS112', rfc: 7535 },
  { range: '192.52.193.0/24', what: 'a multicast tunnel', rfc: 7450 },
  { range: '192.88.99.0/24', what: 'a 6to4 relay', rfc: 7526 },
  { range: '192.168.0.0/16', what: 'private', rfc: 1918, isPrivate: true },
  { range: '192.175.48.0/24', what: 'of AS112', rfc: 7534 },
  { range: '198.18.0.0/15', what: 'for benchmarks', rfc: 2544 },
  { range: '198.51.100.0/24', what: 'for documentation', rfc: 5737 },
  { range: '203.0.113.0/24', what: 'for documentation', rfc: 5737 },
  { range: '224.0.0.0/4', what: 'multicast', rfc: 1112 },
  { range: '255.255.255.255/32', what: 'broadcast', rfc: 919 },
  { range: '240.0.0.0/4', what: 'reserved', rfc: 1112 },
];

/**
 * IPv6 addresses of the same registry, and everything outside of global unicast. Addresses that embed an IPv4
 * address are rejected, because public services do not use them.
 */
export const specialRanges6: readonly SpecialRange[] = [
  { range: '::1/128', what: 'loopback', rfc: 4291, isPrivate: true },
  { range: '::/128', what: 'unspecified', rfc: 4291 },
  { range: '::ffff:0:0/96', what: 'an IPv4 address in IPv6', rfc: 4291 },
  { range: '::/96', what: 'an IPv4 address in IPv6', rfc: 4291 },
  { range: '::ffff:0:0:0/96', what: 'an IPv4 address translated', rfc: 2765 },
  { range: '64:ff9b::/96', what: 'an IPv4 address behind NAT64', rfc: 6052 },
  { range: '64:ff9b:1::/48', what: 'an IPv4 address behind NAT64', rfc: 8215 },
  { range: '100::/64', what: 'discarded', rfc: 6666 },
  { range: '100:0:0:1::/64', what: 'a dummy', rfc: 9780 },
  { range: '2001::/32', what: 'a Teredo tunnel', rfc: 4380 },
  { range: '2001:2::/48', what: 'for benchmarks', rfc: 5180 },
  { range: '2001:10::/28', what: 'an ORCHID', rfc: 4843 },
  { range: '2001:20::/28', what: 'an ORCHID', rfc: 7343 },
  { range: '2001::/23', what: 'for protocols', rfc: 2928 },
  { range: '2001:db8::/32', what: 'for documentation', rfc: 3849 },
  { range: '2002::/16', what: 'a 6to4 tunnel', rfc: 3056 },
  { range: '2620:4f:8000::/48', what: 'of AS112', rfc: 7534 },
  { range: '3fff::/20', what: 'for documentation', rfc: 9637 },
  { range: '5f00::/16', what: 'a segment identifier', rfc: 9602 },
  { range: 'fc00::/7', what: 'private', rfc: 4193, isPrivate: true },
  { range: 'fe80::/10', what: 'link-local', rfc: 4291 },
  { range: 'fec0::/10', what: 'site-local', rfc: 3879 },
  { range: 'ff00::/8', what: 'multicast', rfc: 4291 },
  // Global unicast is 2000::/3; these are the reserved parts of the rest.
  { range: '::/3', what: 'outside of global unicast', rfc: 4291 },
  { range: '4000::/2', what: 'outside of global unicast', rfc: 4291 },
  { range: '8000::/1', what: 'outside of global unicast', rfc: 4291 },
];

const ranges4 = withLists(specialRanges4, 'ipv4');
const ranges6 = withLists(specialRanges6, 'ipv6');

/** Creates one list for each range and family, because a mapped address must not match the other's. */
function withLists(
  ranges: readonly SpecialRange[],
  family: 'ipv4' | 'ipv6',
): readonly (SpecialRange & { readonly list: BlockList })[] {
  return ranges.map((row) => {
    const [network = '', prefix = ''] = row.range.split('/');
    const list = new BlockList();
    list.addSubnet(network, Number(prefix), family);
    return { ...row, list };
  });
}
