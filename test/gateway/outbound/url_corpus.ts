// URLs that must never be dialled, and URLs that must never be refused, generated from a table of addresses
// and their spellings.

const tails = [
  '',
  '/',
  ':8443/',
  '/latest/meta-data/',
  ':22',
  '/?x=https://example.com',
  '/#example.com',
];

/** Addresses of each special range: the first, the last and some within. */
const hostile4 = [
  ['0.0.0.0', '0.1.2.3', '0.255.255.255'],
  ['10.0.0.0', '10.0.0.1', '10.200.30.4', '10.255.255.255'],
  ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ['127.0.0.0', '127.0.0.1', '127.1.1.1', '127.255.255.255'],
  ['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  ['172.16.0.0', '172.17.0.1', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.192', '192.0.0.255'],
  ['192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1'],
  ['192.168.0.0', '192.168.0.1', '192.168.255.255'],
  ['198.18.0.0', '198.18.0.1', '198.19.255.255'],
  ['198.51.100.7', '203.0.113.7'],
  ['224.0.0.0', '224.0.0.1', '239.255.255.255'],
  ['240.0.0.0', '250.1.2.3', '255.255.255.254', '255.255.255.255'],
].flat();

const hostile6 = [
  ['::', '::1', '::2', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001'],
  ['100::', '100::1', '100:0:0:1::1', '64:ff9b:1::1', '64:ff9b:1:ffff::a00:1'],
  ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:1::1', '2001:2::1', '2001:3::1'],
  ['2001:10::1', '2001:20::1', '2001:30::1', '2001:1ff:ffff::1'],
  ['2001:db8::1', '2001:DB8:ffff::1', '2002::1', '2002:7f00:1::1', '2002:808:808::1'],
  ['2620:4f:8000::1', '3fff::1', '3fff:fff::1', '5f00::1', '5f00:ffff::1'],
  ['fc00::1', 'fd00::1', 'fd00:ec2::254', 'FDFF::1', 'fe80::1', 'febf::1', 'fec0::1', 'feff::1'],
  ['ff01::1', 'ff02::1', 'ff0e::1', 'FFFF::1', '4000::1', '6000::1', '8000::1', 'e000::1'],
  ['1000::1', '200::1', 'fe00::1', '::ffff:0:7f00:1', '0:ffff::1', '400::1'],
].flat();

const hostileNames = [
  ['localhost', 'LOCALHOST', 'LocalHost', 'a.localhost', 'a.b.localhost', 'localhost.localdomain'],
  ['printer.local', 'a.b.local', 'local', 'metadata.google.internal', 'a.internal', 'internal'],
  ['router.home.arpa', 'home.arpa', 'x.onion', 'intranet', 'kubernetes', 'metadata', 'db', 'a'],
  ['localhost.', 'a.localhost.', 'metadata.google.internal.', 'example.com.', 'a.local.', '.'],
  ['example.com..', '..', 'a..b', `${'a'.repeat(64)}.com`, `${'abcdefg.'.repeat(40)}com`],
  ['127.0.0.1.', '127.1.', '10.0.0.1.', 'localhost%2e', '%6cocalhost', 'ｌｏｃａｌｈｏｓｔ'],
  ['ⓛocalhost', 'local\u00adhost', 'a。localhost', 'printer．local', 'x｡internal'],
].flat();

const hostileTexts = [
  ['', ' ', 'https', 'https:', 'https:/', 'https://', 'https:///', '//example.com', '/path', 'x'],
  [
    'example.com',
    'example.com:443',
    'https:// example.com',
    'https://exa mple.com',
    'https://[::1',
  ],
  [
    'http://example.com',
    'HTTP://example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'ws://a.b',
  ],
  ['gopher://127.0.0.1:70/_x', 'data:text/plain,x', 'javascript:1', 'blob:https://example.com/x'],
  [
    'wss://example.com',
    'about:blank',
    'unix:/var/run/docker.sock',
    'https+unix://x',
    'dict://a.b/',
  ],
  [
    'https://u@example.com',
    'https://u:p@example.com',
    'https://:p@example.com',
    'https://%40@a.com',
  ],
  ['https://example.com@127.0.0.1', 'https://127.0.0.1@example.com', 'https://a:b@localhost'],
  ['https://example.com\\@127.0.0.1', 'https:\\\\127.0.0.1', 'https://127.0.0.1\\.example.com'],
  [
    'https://example.com:0',
    'https://example.com:00',
    'https://example.com:65536',
    'https://a.b:-1',
  ],
  ['https://example.com:x', 'https://example.com: 443', 'https://example.com:443:443'],
  ['https://[fe80::1%25eth0]', 'https://[fe80::1%eth0]', 'https://[::1%25lo]', 'https://[::1]x'],
  ['https://[127.0.0.1]', 'https://[localhost]', 'https://[]', 'https://[:::1]', 'https://[::g]'],
  [
    'https://256.256.256.256',
    'https://1.2.3.4.5',
    'https://0x',
    'https://0',
    'https://0x0',
    'https://00',
  ],
  [
    'https://4294967296',
    'https://127.0.0.0x',
    'https://1.2.3.09',
    'https://2130706433',
    'https://127',
  ],
  [
    'https://exa\nmple.com',
    'https://exa\tmple.com',
    '\thttps://example.com',
    'https://example.com\r\n',
  ],
  [
    'https://example.com/a b',
    'https://example.com/\u0000',
    'https://example.com/\u00a0',
    'https://a.b\\c',
  ],
  [
    'https://exam<ple.com',
    'https://exam|ple.com',
    'https://exam^ple.com',
    'https://a%00.com',
    'https://%',
  ],
  [
    'https://xn--a',
    'https://xn--\u00fc.com',
    `https://example.com/${'a'.repeat(2049)}`,
    'https://\ud800.com',
  ],
].flat();

/** Returns the spellings of an IPv4 address that URL parsers accept, and IPv6 addresses that contain it. */
export function spellingsOf(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const octal = (part: number): string => `0${part.toString(8)}`;
  const hexadecimal = (part: number): string => `0x${part.toString(16)}`;
  const high = ((a << 8) | b).toString(16);
  const low = ((c << 8) | d).toString(16);
  return [
    address,
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map(hexadecimal).join('.'),
    [octal(a), hexadecimal(b), c, octal(d)].join('.'),
    String(whole),
    octal(whole),
    hexadecimal(whole),
    `0X${whole.toString(16).toUpperCase().padStart(12, '0')}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    [...address].map((character) => (character === '.' ? '%2e' : character)).join(''),
    [...address].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
    address.replaceAll('.', '。'),
    [...address]
      .map((digit) => (digit === '.' ? '.' : String.fromCharCode(0xff10 + Number(digit))))
      .join(''),
    `[::ffff:${address}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${high}:${low}]`,
    `[::ffff:0:${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
  ];
}

/** At least a thousand different URLs. */
export const hostileUrls: readonly string[] = [
  ...new Set([
    ...hostile4.flatMap(spellingsOf).map((host, i) => `https://${host}${tails[i % 7] ?? ''}`),
    ...hostile6.flatMap((host) => [`https://[${host}]/`, `https://[${host}]:8443/a?b`]),
    ...hostileNames.flatMap((host) => [`https://${host}/`, `https://${host}:8443/`]),
    ...hostileTexts,
  ]),
];

/** Addresses that a name may return next to a public one. */
export const hostileAddresses: readonly string[] = [
  ...hostile4,
  ...hostile6,
  ...hostile4.map((address) => `::ffff:${address}`),
  ...['', 'localhost', '127.1', '2130706433', '0x7f000001', 'fe80::1%eth0', '::1%lo', '[::1]'],
  ...['127.0.0.1:80', ' 127.0.0.1', '8.8.8.8 ', '8.8.8.8%eth0', '2606:4700::1%eth0', '١٢٧.0.0.1'],
];

const public4 = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
]
  .concat(['100.128.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0'])
  .concat(['172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0'])
  .concat(['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255'])
  .concat(['198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '192.88.98.255']);

const public6 = [
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2a00:1450:4001::1',
  '2400:cb00::1',
]
  .concat([
    '2001:200::1',
    '2001:db7::1',
    '2001:db9::1',
    '2003::1',
    '2620:4f:7fff::1',
    '2620:4f:8001::1',
  ])
  .concat(['2000::1', '3ffe::1', '3fff:1000::1', '2001:500::1', '3000::']);

const publicNames = ['example.com', 'EXAMPLE.com', 'accounts.google.com', 'a.b.c.d.e.example.co.uk']
  .concat([
    'login.microsoftonline.com',
    'xn--bcher-kva.example',
    'bücher.example',
    '例え.jp',
    'a-b.io',
  ])
  .concat([
    'localhost.com',
    'mylocalhost.com',
    'local.example.com',
    'internal.example.com',
    'a.locals',
  ])
  .concat([
    '127.0.0.1.example.com',
    '10-0-0-1.example.com',
    '1e100.net',
    '0x7f.example',
    '_dmarc.a.com',
  ])
  .concat(['notlocal.host', 'xinternal.net', 'arpa.example', `${'a'.repeat(63)}.com`, '3com.com']);

/** At least two hundred different URLs. */
export const goodUrls: readonly string[] = [
  ...[...public4, ...public6.map((host) => `[${host}]`), ...publicNames].flatMap((host) =>
    ['', '/', ':8443/a?b=c#d', ':443/%2e%2e/x', ':1/'].map((tail) => `https://${host}${tail}`),
  ),
  ...[
    'HTTPS://example.com/',
    'https:example.com',
    'https:/example.com',
    'https://example.com:65535',
  ],
  `https://example.com/${'a'.repeat(2000)}`,
];
