import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namesOf } from '../../../src/core/base/table.ts';
import { type FormatName, formatNames, formats, isUuid } from '../../../src/core/schema/formats.ts';
import { isJsonObject } from '../../../src/core/schema/json.ts';

const samples: Readonly<
  Record<FormatName, { readonly matching: readonly string[]; readonly other: readonly string[] }>
> = {
  uuid: {
    matching: [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-FFFF-ffff-FFFF-ffffffffffff',
      '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    ],
    other: [
      '',
      '017f22e279b07cc398c4dc0c0c07398f',
      '{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}',
      '017f22e2-79b0-7cc3-98c4-dc0c0c07398g',
      '017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n',
      ' 017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
      '０17f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    ],
  },
  fingerprint: {
    matching: [`sha256:${'0a'.repeat(32)}`, `SHA256:${'F'.repeat(64)}`],
    other: [
      '',
      'a'.repeat(64),
      `sha256:${'a'.repeat(63)}`,
      `sha256:${'a'.repeat(65)}`,
      `sha512:${'a'.repeat(64)}`,
      `sha256:${'g'.repeat(64)}`,
      `sha256:${'a'.repeat(64)}\n`,
    ],
  },
  label: {
    matching: ['a', ' a', 'Ключи', '名前', '😀', '__proto__', '<b>', '\u00a0x'],
    other: ['', ' ', '\u00a0', '\u2003', 'a\nb', 'a\u0000', '\u007f', 'a\u0085'],
  },
  decimal: {
    matching: ['0', '1', '9'.repeat(16), '1'.repeat(17), '1700000000000'],
    other: ['', '00', '01', '-1', '+1', '1.0', '1e3', '0x1', '1_0', ' 1', '1 ', '1\n'],
  },
};

for (const name of namesOf(formats)) {
  test(`${name}: ${formats[name].expected}`, () => {
    for (const text of samples[name].matching) {
      assert.equal(formats[name].matches(text), true, JSON.stringify(text));
    }
    for (const text of samples[name].other) {
      assert.equal(formats[name].matches(text), false, JSON.stringify(text));
    }
    assert.equal(formatNames[name], name);
  });
}

test('every UUID is valid in any letter case', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      assert.ok(isUuid(id) && isUuid(id.toUpperCase()));
      assert.equal(isUuid(id.slice(1)), false);
    }),
  );
});

test('every safe integer has one decimal text', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (number) => {
      assert.ok(formats.decimal.matches(String(number)));
      assert.equal(formats.decimal.matches(`0${number}`), false);
    }),
  );
});

test('JSON objects are neither null nor lists', () => {
  assert.equal(isJsonObject({}), true);
  for (const value of [null, undefined, [], '', 0, true]) assert.equal(isJsonObject(value), false);
});
