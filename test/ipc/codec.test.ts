import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Schema, ValueOf } from '../../src/ipc/codec.ts';
import {
  boolean,
  bytes,
  decode,
  encode,
  FrameError,
  FrameWriter,
  list,
  nothing,
  number,
  oneOf,
  optional,
  packed,
  struct,
  text,
} from '../../src/ipc/codec.ts';
import { enclaveMessages, gatewayMessages } from '../../src/ipc/messages.ts';

const everything = struct({
  title: text,
  body: bytes,
  isTrue: boolean,
  amount: number,
  perhaps: optional(text),
  many: list(struct({ name: text, inner: list(optional(bytes)) })),
  packed: packed(list(struct({ name: text, body: bytes }))),
  none: nothing,
});

const anyBytes = fc.uint8Array({ maxLength: 40 });
const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const anything: fc.Arbitrary<ValueOf<typeof everything>> = fc.record(
  {
    title: anyText,
    body: anyBytes,
    isTrue: fc.boolean(),
    amount: fc.maxSafeNat(),
    perhaps: fc.option(anyText, { nil: undefined }),
    many: fc.array(
      fc.record(
        { name: anyText, inner: fc.array(fc.option(anyBytes, { nil: undefined })) },
        { noNullPrototype: true },
      ),
      { maxLength: 5 },
    ),
    packed: fc.array(fc.record({ name: anyText, body: anyBytes }, { noNullPrototype: true }), {
      maxLength: 5,
    }),
    none: fc.constant(undefined),
  },
  { noNullPrototype: true },
);

const allSchemas: readonly Schema[] = [
  everything,
  ...Object.values({ ...enclaveMessages, ...gatewayMessages }).flatMap((message) => [
    message.request,
    message.answer,
  ]),
];

describe('frame codec', () => {
  test('each kind of value has the written form', () => {
    const form = (schema: Schema, value: unknown) => Buffer.from(encode(schema, value));
    assert.deepEqual(form(text, 'é'), Buffer.from('00000002c3a9', 'hex'));
    assert.deepEqual(form(bytes, Uint8Array.of(9, 8)), Buffer.from('000000020908', 'hex'));
    assert.deepEqual(form(boolean, true), Buffer.from('01', 'hex'));
    assert.deepEqual(form(number, 2 ** 32 + 5), Buffer.from('0000000100000005', 'hex'));
    assert.deepEqual(form(optional(boolean), undefined), Buffer.from('00', 'hex'));
    assert.deepEqual(form(optional(boolean), false), Buffer.from('0100', 'hex'));
    assert.deepEqual(form(oneOf('north', 'south'), 'south'), Buffer.from([1]));
    assert.deepEqual(form(list(boolean), [true, false]), Buffer.from('000000020100', 'hex'));
    assert.deepEqual(form(struct({ b: boolean, a: nothing }), { b: true }), Buffer.from([1]));
    assert.deepEqual(form(nothing, undefined), Buffer.alloc(0));
    assert.deepEqual(
      form(packed(bytes), Uint8Array.of(9)),
      Buffer.from('000000050000000109', 'hex'),
    );
  });

  test('a written message is read back', () => {
    fc.assert(
      fc.property(anything, (value) => {
        assert.deepEqual(decode(everything, encode(everything, value)), value);
      }),
    );
  });

  test('a value has one spelling: what is read is written back the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(allSchemas.length - 1), (input, i) => {
        const schema = allSchemas[i] ?? everything;
        let value: unknown;
        try {
          value = decode(schema, input);
        } catch (error) {
          assert.ok(error instanceof FrameError);
          return;
        }
        assert.deepEqual(Buffer.from(encode(schema, value)), Buffer.from(input));
      }),
      { numRuns: 2_000 },
    );
  });

  test('every truncation and every extension is refused', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const encoded = encode(everything, value).slice();
        for (let length = 0; length < encoded.length; length += 1) {
          assert.throws(() => decode(everything, encoded.subarray(0, length)), FrameError);
        }
        assert.throws(() => decode(everything, Buffer.concat([encoded, Buffer.of(0)])), FrameError);
      }),
      { numRuns: 30 },
    );
  });

  test('changed bytes give a value or the own error, never another', () => {
    const encoded = fc.tuple(anything, fc.nat(), fc.nat(255)).map(([value, position, byte]) => {
      const changed = encode(everything, value).slice();
      changed[position % changed.length] = byte;
      return changed;
    });
    fc.assert(
      fc.property(encoded, (changed) => {
        try {
          decode(everything, changed);
        } catch (error) {
          assert.ok(error instanceof FrameError);
        }
      }),
    );
  });

  const hostile: Record<string, [Schema, string]> = {
    'a text longer than the frame': [text, 'ffffffff61'],
    'bytes longer than the frame': [bytes, '7fffffff00'],
    'a list longer than the frame': [list(boolean), 'ffffffff'],
    'a list whose items cannot fit': [list(number), '0000000200000000000000010000'],
    'a flag of 2': [boolean, '02'],
    'a name beyond its enumeration': [oneOf('north', 'south'), '02'],
    'a presence of 255': [optional(nothing), 'ff'],
    'a number of 2^53': [number, '0020000000000000'],
    'overlong UTF-8': [text, '00000002c080'],
    'a surrogate in UTF-8': [text, '00000003eda080'],
    'a lone continuation byte': [text, '0000000180'],
    'bytes where nothing belongs': [nothing, '00'],
    'a packed value longer than the frame': [packed(boolean), '0000000201'],
    'a packed value with bytes after it': [packed(boolean), '000000020101'],
    'a packed value that ends early': [packed(number), '0000000100'],
  };
  for (const [name, [schema, input]] of Object.entries(hostile)) {
    test(`refuses ${name}`, () => {
      assert.throws(() => decode(schema, Buffer.from(input, 'hex')), FrameError);
    });
  }

  test('a written U+FFFD and a byte order mark are kept', () => {
    for (const value of ['\uFFFD', '\uFEFFa', 'a\uFFFDb']) {
      assert.equal(decode(text, encode(text, value)), value);
    }
  });

  test('a claimed length takes no memory', () => {
    const claims = Buffer.from('10000000', 'hex');
    const before = process.memoryUsage().arrayBuffers;
    for (const schema of [text, bytes, list(text), list(boolean)]) {
      assert.throws(() => decode(schema, claims), FrameError);
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 20);
  });

  test('decoded bytes are copies', () => {
    const encoded = encode(bytes, Uint8Array.of(1, 2, 3)).slice();
    const value = decode(bytes, encoded);
    encoded.fill(0);
    assert.deepEqual(value, Uint8Array.of(1, 2, 3));
    assert.equal(value.buffer.byteLength, 3);
  });

  test('packed bytes are views of one copy', () => {
    const schema = packed(list(bytes));
    const encoded = encode(schema, [Uint8Array.of(1, 2), Uint8Array.of(3)]).slice();
    const [first, second] = decode(schema, encoded);
    encoded.fill(0);
    assert.deepEqual([first, second], [Uint8Array.of(1, 2), Uint8Array.of(3)]);
    assert.equal(first?.buffer, second?.buffer);
  });

  test('values that do not fit are our own fault', () => {
    const misfits: [Schema, unknown][] = [
      [number, -1],
      [number, 0.5],
      [number, 2 ** 53],
      [number, Number.NaN],
      [text, '\uD800'],
      [text, undefined],
      [boolean, 1],
      [bytes, undefined],
      [nothing, 0],
      [struct({ a: text }), {}],
    ];
    for (const [schema, value] of misfits) {
      assert.throws(
        () => encode(schema, value),
        (error) => !(error instanceof FrameError),
      );
    }
    assert.throws(() => list(nothing), /at least one byte/);
  });

  test('a buffer that is outgrown is overwritten', () => {
    const writer = new FrameWriter(16);
    writer.bytes(new Uint8Array(8).fill(7));
    const first = writer.written();
    writer.bytes(new Uint8Array(64).fill(9));
    assert.deepEqual(Buffer.from(first), Buffer.alloc(12));
    assert.equal(writer.written()[4], 7);
  });
});
