// Compares addresses and blocks with the parser and the block lists of Node.

import assert from 'node:assert/strict';
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ipBlockText,
  isInBlock,
  parseIpAddress,
  parseIpBlock,
} from '../../../src/core/base/ip_address.ts';

const ipv4 = fc.ipV4();
/** RFC 4291: with and without `::`, and with an IPv4 tail. */
const ipv6 = fc.ipV6();
const address = fc.oneof(ipv4, ipv6);
/** Texts that resemble addresses. */
const alike = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF.:%/ '.split('')), maxLength: 45 }),
  fc
    .tuple(address, fc.nat(50), fc.constantFrom('', ':', '.', '0', 'f', '::', '%'))
    .map(([text, at, added]) => text.slice(0, at) + added + text.slice(at + 1)),
  address,
);

test('exactly the addresses that Node accepts are accepted', () => {
  fc.assert(
    fc.property(alike, (text) => {
      // Zones name interfaces and are not part of an address.
      const isAddress = isIP(text) !== 0 && !text.includes('%');
      assert.equal(parseIpAddress(text) !== undefined, isAddress, text);
    }),
    { numRuns: 3000 },
  );
});

test('a block of one address is written like in Node', () => {
  fc.assert(
    fc.property(ipv6, (text) => {
      const block = parseIpBlock(text);
      const isMapped = parseIpAddress(text)?.family === 'IPv4';
      assert.equal(block === undefined, isMapped);
      if (block === undefined) return;
      const { address: written } = new SocketAddress({ address: text, family: 'ipv6' });
      // Node writes some IPv4 tails that RFC 5952 section 5 reserves for known prefixes.
      if (!written.includes('.')) assert.equal(ipBlockText(block), `${written}/128`);
      assert.deepEqual(parseIpBlock(ipBlockText(block)), block);
    }),
    { numRuns: 2000 },
  );
});

test('an address is in a block if the block lists of Node agree', () => {
  fc.assert(
    fc.property(address, address, fc.nat(128), fc.boolean(), (first, other, length, isNear) => {
      const family = isIPv4(first) ? 'ipv4' : 'ipv6';
      const prefix = family === 'ipv4' ? length % 33 : length;
      const block = parseIpBlock(`${first}/${prefix}`);
      if (block === undefined) return;
      const list = new BlockList();
      list.addSubnet(first, prefix, family);
      const asked = isNear ? first : other;
      const found = parseIpAddress(asked);
      assert.ok(found !== undefined);
      if (isIPv4(asked) !== (found.family === 'IPv4')) return;
      const expected =
        isIPv4(asked) === (family === 'ipv4') && list.check(asked, isIPv4(asked) ? 'ipv4' : 'ipv6');
      assert.equal(isInBlock(found, block), expected, `${asked} in ${first}/${prefix}`);
    }),
    { numRuns: 2000 },
  );
});

test('host bits are cleared, and a block has one spelling', () => {
  for (const [text, spelling] of [
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['192.0.2.77', '192.0.2.77/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['255.255.255.255/1', '128.0.0.0/1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1/128'],
    ['2001:db8:0:1:1:1:1:1/64', '2001:db8:0:1::/64'],
    ['2001:0db8::0001/48', '2001:db8::/48'],
    ['1:0:0:1:0:0:0:1', '1:0:0:1::1/128'],
    ['1:0:0:2:0:0:3:4', '1::2:0:0:3:4/128'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7/128'],
    ['::', '::/128'],
    ['::1', '::1/128'],
    ['1::', '1::/128'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221/128'],
  ] as const) {
    const block = parseIpBlock(text);
    assert.equal(block && ipBlockText(block), spelling, text);
  }
});

test('text that is not a block is refused', () => {
  for (const text of [
    '',
    '/',
    '192.0.2.0/',
    '192.0.2.0/33',
    '192.0.2.0/024',
    '192.0.2.0/-1',
    '192.0.2.0/24/24',
    '192.0.2.0/ 24',
    '192.0.2/24',
    '192.0.2.0.0/24',
    '192.0.02.0/24',
    '0x7f.1/32',
    '127.1',
    '2001:db8::/129',
    '2001:db8:::/48',
    '1:2:3:4:5:6:7:8::',
    '1:2:3:4:5:6:7',
    'fe80::1%eth0',
    '[::1]',
    '::ffff:192.0.2.0/120',
    'localhost',
  ]) {
    assert.equal(parseIpBlock(text), undefined, text);
  }
});

test('an IPv4-mapped IPv6 address is the IPv4 address', () => {
  for (const text of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1']) {
    assert.deepEqual(parseIpAddress(text), parseIpAddress('192.0.2.1'));
  }
  assert.equal(parseIpAddress('::192.0.2.1')?.family, 'IPv6');
});
