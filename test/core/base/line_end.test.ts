import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { withoutLineEnd } from '../../../src/core/base/line_end.ts';
import { decodeKey } from '../../../src/gateway/root_key/key_encodings.ts';
import { passphraseOf } from '../../../src/gateway/root_key/read_passphrase.ts';

test('one line end of any system is removed', () => {
  for (const [given, expected] of [
    ['word', 'word'],
    ['word\n', 'word'],
    ['word\r\n', 'word'],
    // A carriage return inside of a line and a second line end are content.
    ['word\r', 'word\r'],
    ['word\n\n', 'word\n'],
    ['word\r\n\r\n', 'word\r\n'],
    ['\r\n', ''],
    ['\n', ''],
    ['', ''],
  ] as const) {
    assert.deepEqual(withoutLineEnd(utf8(given)), utf8(expected), JSON.stringify(given));
  }
});

test('a passphrase and a root key are the same whichever line end their file has', () => {
  const hex = 'ab'.repeat(32);
  const base64 = Buffer.from(hex, 'hex').toString('base64');
  for (const end of ['', '\n', '\r\n']) {
    assert.deepEqual(passphraseOf(utf8(`my passphrase${end}`), 'a file'), utf8('my passphrase'));
    for (const [text, encoding] of [
      [hex, 'hex'],
      [base64, 'base64'],
    ] as const) {
      assert.equal(
        Buffer.from(decodeKey(utf8(`${text}${end}`), encoding) ?? []).toString('hex'),
        hex,
      );
    }
  }
});
