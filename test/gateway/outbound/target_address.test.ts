import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import {
  refusalOfAddress,
  specialRanges4,
  specialRanges6,
  targetOf,
} from '../../../src/gateway/outbound/target_address.ts';
import { goodUrls, hostileAddresses, hostileUrls } from './url_corpus.ts';

const rules = { allowPrivateTargets: false };
const open = { allowPrivateTargets: true };

test('the corpus has its stated size', () => {
  assert.equal(new Set(hostileUrls).size, hostileUrls.length);
  assert.ok(hostileUrls.length >= 1000, String(hostileUrls.length));
  assert.equal(new Set(goodUrls).size, goodUrls.length);
  assert.ok(goodUrls.length >= 200, String(goodUrls.length));
});

test('no hostile URL is a target', () => {
  const accepted = hostileUrls.filter((url) => !('refusal' in targetOf(url, rules)));
  assert.deepEqual(accepted, []);
});

test('no valid URL is refused', () => {
  const refused = goodUrls.flatMap((url) => {
    const target = targetOf(url, rules);
    return 'refusal' in target ? [`${url}: ${target.refusal}`] : [];
  });
  assert.deepEqual(refused, []);
});

test('no hostile address is public', () => {
  const accepted = hostileAddresses.filter(
    (address) => refusalOfAddress(address, rules) === undefined,
  );
  assert.deepEqual(accepted, []);
});

test('a target has the dialled host and the sent name', () => {
  assert.deepEqual(targetOf('https://EXAMPLE.com:8443/a/../b?c=d#e', rules), {
    isSecure: true,
    host: 'example.com',
    port: 8443,
    isAddress: false,
    authority: 'example.com:8443',
    path: '/b?c=d',
  });
  assert.deepEqual(targetOf('https://[2606:4700::1]', rules), {
    isSecure: true,
    host: '2606:4700::1',
    port: 443,
    isAddress: true,
    authority: '[2606:4700::1]',
    path: '/',
  });
});

const madeOf = (bytes: Uint8Array): string => ipaddr.fromByteArray([...bytes]).toString();
const bytesOf = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });

/** Returns a random address within a range. */
function within(range: string, random: Uint8Array): string {
  const [network, prefix] = ipaddr.parseCIDR(range);
  const start = network.toByteArray();
  const bytes = start.map((byte, i) => {
    const fixed = Math.min(Math.max(prefix - i * 8, 0), 8);
    const mask = (0xff << (8 - fixed)) & 0xff;
    return (byte & mask) | ((random[i] ?? 0) & ~mask & 0xff);
  });
  return madeOf(Uint8Array.from(bytes));
}

for (const { range, isPrivate } of [...specialRanges4, ...specialRanges6]) {
  test(`every address of ${range} is refused`, () => {
    fc.assert(
      fc.property(bytesOf(16), (random) => {
        const address = within(range, random);
        assert.notEqual(refusalOfAddress(address, rules), undefined, address);
        if (isPrivate) assert.equal(refusalOfAddress(address, open), undefined, address);
      }),
      { numRuns: 50 },
    );
  });
}

// The address classes of another library.
test('an address that another library does not call unicast is refused', () => {
  fc.assert(
    fc.property(fc.oneof(bytesOf(4), bytesOf(16)), (bytes) => {
      const address = ipaddr.fromByteArray([...bytes]);
      if (address.range() === 'unicast') return;
      assert.notEqual(refusalOfAddress(address.toString(), rules), undefined, address.toString());
    }),
    { numRuns: 5000 },
  );
});

test('nearly all other addresses are public', () => {
  const cidrs = [...specialRanges4, ...specialRanges6].map(({ range }) => ipaddr.parseCIDR(range));
  fc.assert(
    fc.property(fc.oneof(bytesOf(4), bytesOf(16)), (bytes) => {
      const address = ipaddr.fromByteArray([...bytes]);
      const isSpecial = cidrs.some(
        ([network, prefix]) =>
          network.kind() === address.kind() && address.match([network, prefix]),
      );
      assert.equal(
        refusalOfAddress(address.toString(), rules) !== undefined,
        isSpecial,
        address.toString(),
      );
    }),
    { numRuns: 5000 },
  );
});

test('the setting for private targets allows only private addresses, names and http', () => {
  const opened = [
    'http://example.com/',
    'http://localhost:8080/',
    'http://127.0.0.1:1/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://[fd00::1]/',
    'http://database/',
    'http://a.internal/',
  ];
  for (const url of opened) assert.ok(!('refusal' in targetOf(url, open)), url);
  const closed = [
    'http://169.254.169.254/',
    'http://[fe80::1]/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[64:ff9b::7f00:1]/',
    'http://localhost./',
    'http://u@localhost/',
    'http://localhost:0/',
    'ftp://localhost/',
  ];
  for (const url of closed) assert.ok('refusal' in targetOf(url, open), url);
});

test('any text is a target or refused, and a target has a host and a port', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((s) => `https://${s}`),
      ),
      (text) => {
        const target = targetOf(text, rules);
        if ('refusal' in target) assert.notEqual(target.refusal, '');
        else assert.ok(target.host !== '' && target.port > 0 && target.port < 65_536);
      },
    ),
  );
});
