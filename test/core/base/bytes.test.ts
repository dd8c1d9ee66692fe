import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  base64url,
  bytesOfBase64url,
  bytesOfHex,
  concatBytes,
  equalBytes,
  hex,
  textOfUtf8,
  utf8,
  wipe,
} from '../../../src/core/base/bytes.ts';

const bytes = () => fc.uint8Array({ maxLength: 200 });
const plain = (buffer: Buffer) => Uint8Array.from(buffer);

test('hex equals that of Buffer, and is read in any letter case', () => {
  fc.assert(
    fc.property(bytes(), fc.infiniteStream(fc.boolean()), (value, upper) => {
      const text = hex(value);
      assert.equal(text, Buffer.from(value).toString('hex'));
      const spelled = [...text].map((c) => (upper.next().value ? c.toUpperCase() : c)).join('');
      assert.deepEqual(bytesOfHex(spelled), value);
    }),
  );
});

test('anything but an even number of hex digits is not hex', () => {
  const wrong = ['0', '0x00', 'gg', '0g', ' 00', '00 ', '00\n', '٠٠', '0-', '+1', 'é0', '00\0'];
  for (const text of wrong) assert.equal(bytesOfHex(text), undefined, JSON.stringify(text));
  assert.deepEqual(bytesOfHex(''), new Uint8Array(0));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      const isHex = /^([0-9a-f]{2})*$/i.test(text) && !text.includes('\n');
      assert.equal(bytesOfHex(text) !== undefined, isHex);
    }),
  );
});

test('base64url equals that of Buffer', () => {
  fc.assert(
    fc.property(bytes(), (value) => {
      assert.equal(base64url(value), Buffer.from(value).toString('base64url'));
    }),
  );
});

// RFC 4648 section 10, and section 5 for the two letters that differ
test('base64url matches the examples of its standard', () => {
  const examples = [
    ['', ''],
    ['f', 'Zg'],
    ['fo', 'Zm8'],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg'],
    ['fooba', 'Zm9vYmE'],
    ['foobar', 'Zm9vYmFy'],
  ] as const;
  for (const [text, encoded] of examples) {
    assert.equal(base64url(utf8(text)), encoded);
    assert.deepEqual(bytesOfBase64url(encoded), utf8(text));
  }
  assert.equal(base64url(Uint8Array.of(0xfb, 0xff)), '-_8');
});

test('both alphabets are read, padded or not', () => {
  fc.assert(
    fc.property(bytes(), (value) => {
      const buffer = Buffer.from(value);
      const padded = buffer.toString('base64');
      const forms = [
        padded,
        padded.replace(/=+$/, ''),
        buffer.toString('base64url'),
        padded.replaceAll('+', '-').replaceAll('/', '_'),
      ];
      for (const form of forms) assert.deepEqual(bytesOfBase64url(form), value);
    }),
  );
});

test('other characters and impossible lengths are not base64url', () => {
  const wrong = ['A', 'AAAAA', 'AA AA', 'AA\n', 'A=A=', '=AAA', 'AA===', '====', 'AA.A', 'ÄÖÜß'];
  for (const text of wrong) assert.equal(bytesOfBase64url(text), undefined, JSON.stringify(text));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      const [unpadded = ''] = /^[^=]*/.exec(text) ?? [];
      const isPossible =
        /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && !text.includes('\n') && unpadded.length % 4 !== 1;
      assert.equal(bytesOfBase64url(text) !== undefined, isPossible);
    }),
  );
});

test('every well-formed text survives UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const well = text.toWellFormed();
      assert.deepEqual(utf8(well), plain(Buffer.from(well, 'utf8')));
      assert.equal(textOfUtf8(utf8(well)), well);
    }),
  );
  // A byte order mark is an ordinary character, so the read text equals the signed text.
  assert.equal(textOfUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41)), '\ufeffA');
});

test('bytes are text exactly if they are the UTF-8 of a text', () => {
  const wrong = [
    [0x80],
    [0xc3],
    [0xc0, 0x80],
    [0xe0, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xff],
  ];
  for (const value of wrong) assert.equal(textOfUtf8(Uint8Array.from(value)), undefined);
  assert.equal(textOfUtf8(utf8('after a failure')), 'after a failure');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (value) => {
      const text = textOfUtf8(value);
      const read = Buffer.from(value).toString('utf8');
      const isUtf8 = plain(Buffer.from(read, 'utf8')).join() === value.join();
      assert.equal(text !== undefined, isUtf8);
      if (text !== undefined) assert.deepEqual(utf8(text), value);
    }),
    { numRuns: 1000 },
  );
});

test('joined parts are contiguous in new memory', () => {
  fc.assert(
    fc.property(fc.array(bytes(), { maxLength: 5 }), (parts) => {
      const joined = concatBytes(...parts);
      assert.deepEqual(joined, Uint8Array.from(parts.flatMap((part) => [...part])));
      joined.fill(1);
      if (parts.length === 1) assert.notEqual(joined.buffer, parts[0]?.buffer);
    }),
  );
});

test('bytes are equal if their lengths and all bytes are equal', () => {
  fc.assert(
    fc.property(bytes(), fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
      assert.equal(equalBytes(value, value.slice()), true);
      assert.equal(equalBytes(value, Uint8Array.of(...value, 0)), false);
      if (value.length === 0) return;
      const other = value.slice();
      const i = at % value.length;
      other[i] = (other[i] ?? 0) ^ change;
      assert.equal(equalBytes(value, other), false);
    }),
  );
});

test('wiping leaves zeros, and tolerates an absent array', () => {
  const secret = Uint8Array.of(1, 2, 3);
  const other = Uint8Array.of(4);
  wipe(secret, undefined, other);
  assert.deepEqual([...secret, ...other], [0, 0, 0, 0]);
});
