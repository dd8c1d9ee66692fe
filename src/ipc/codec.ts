// The schema language of `messages.ts` and its binary form. A schema is a pair of functions, one
// that writes and one that reads, so that coding a message walks no description at run time.
//
//   text      u32 length, UTF-8          optional  u8 0 or 1, then the value
//   bytes     u32 length, bytes          list      u32 count, then the items
//   boolean   u8 0 or 1                  struct    the members in the order of their table
//   number    u32 high, u32 low          one of    u8 place among the names
//   nothing   no bytes                    packed    u32 length, then the value
//
// All integers are big-endian, and every value has exactly one spelling.

import { textOfUtf8 } from '../core/base/bytes.ts';
import { assert } from '../core/errors/errors.ts';

/** Encodes and decodes values of one type. */
export type Schema<Value = unknown> = {
  /** The minimum number of bytes of a value, which bounds the length of a list. */
  readonly minimumBytes: number;
  write(writer: FrameWriter, value: Value): void;
  read(reader: FrameReader): Value;
};

/** The type of the values of a schema. */
export type ValueOf<S extends Schema> = ReturnType<S['read']>;

/** The bytes do not have the expected form. The message names the kind of fault, never the content. */
export class FrameError extends Error {
  constructor(reason: string) {
    super(`malformed frame: ${reason}`);
    this.name = 'FrameError';
  }
}

/** Returns the bytes of a value. Throws for a value that does not fit its schema. */
export function encode<S extends Schema>(schema: S, value: ValueOf<S>): Uint8Array {
  const writer = new FrameWriter(256);
  schema.write(writer, value);
  return writer.written();
}

/**
 * Decodes untrusted bytes completely; throws FrameError for missing or excess bytes. Texts and byte strings
 * of the value are copies, so `encoded` may be overwritten afterwards. Memory use is proportional to
 * `encoded.length`.
 */
export function decode<S extends Schema>(schema: S, encoded: Uint8Array): ValueOf<S>;
export function decode(schema: Schema, encoded: Uint8Array): unknown {
  return readWhole(schema, new FrameReader(encoded));
}

/** Reads a value that fills the rest of the bytes; throws FrameError otherwise. */
export function readWhole<Value>(schema: Schema<Value>, reader: FrameReader): Value {
  const value = schema.read(reader);
  reader.end();
  return value;
}

/** A well-formed Unicode text. */
export const text: Schema<string> = {
  minimumBytes: 4,
  write: (writer, value) => writer.text(value),
  read: (reader) => reader.text(),
};

/** A byte string. */
export const bytes: Schema<Uint8Array> = {
  minimumBytes: 4,
  write: (writer, value) => writer.bytes(value),
  read: (reader) => reader.bytes(),
};

export const boolean: Schema<boolean> = {
  minimumBytes: 1,
  write: (writer, value) => writer.flag(value),
  read: (reader) => reader.flag(),
};

/** An integer from 0 to 2^53 − 1. */
export const number: Schema<number> = {
  minimumBytes: 8,
  write: (writer, value) => writer.integer(value),
  read: (reader) => reader.integer(),
};

/** No value at all. */
export const nothing: Schema<undefined> = {
  minimumBytes: 0,
  write: (_writer, value) => assert(value === undefined, 'nothing has no value'),
  read: () => undefined,
};

/** One of at most 256 texts, encoded as its position in one byte. */
export function oneOf<const Name extends string>(...names: readonly Name[]): Schema<Name> {
  assert(names.length <= 256, 'a place among names fits one byte');
  return {
    minimumBytes: 1,
    write: (writer, value) => {
      const place = names.indexOf(value);
      assert(place !== -1, 'a name is one of its enumeration');
      writer.byte(place);
    },
    read: (reader) => {
      const name = names[reader.byte()];
      if (name === undefined) throw new FrameError('a name is not of its enumeration');
      return name;
    },
  };
}

/** A value or undefined. */
export function optional<Value>(inner: Schema<Value>): Schema<Value | undefined> {
  return {
    minimumBytes: 1,
    write: (writer, value) => {
      writer.flag(value !== undefined);
      if (value !== undefined) inner.write(writer, value);
    },
    read: (reader) => (reader.flag() ? inner.read(reader) : undefined),
  };
}

/** Returns the same schema for a member that a sender may leave out of its object. */
export function omittable<Value>(inner: Schema<Value>): Omittable<Value> {
  return { ...optional(inner), isOmittable: true };
}

type Omittable<Value> = Schema<Value | undefined> & { readonly isOmittable: true };

/** Any number of values of one kind. */
export function list<Item>(item: Schema<Item>): Schema<readonly Item[]> {
  assert(item.minimumBytes > 0, 'items of a list take at least one byte each');
  return {
    minimumBytes: 4,
    write: (writer, values) => {
      writer.count(values.length);
      for (const value of values) item.write(writer, value);
    },
    read: (reader) => {
      const count = reader.count(item.minimumBytes);
      const values: Item[] = [];
      for (let i = 0; i < count; i += 1) values.push(item.read(reader));
      return values;
    },
  };
}

/**
 * A value after its length in bytes. Its byte strings are views of one copy, so reading a list of many byte
 * strings takes less time than with a copy of each.
 */
export function packed<Value>(inner: Schema<Value>): Schema<Value> {
  return {
    minimumBytes: 4 + inner.minimumBytes,
    write: (writer, value) => {
      const start = writer.length;
      writer.u32(0);
      inner.write(writer, value);
      writer.patchU32(start, writer.length - start - 4);
    },
    read: (reader) => readWhole(inner, new FrameReader(reader.bytes(), { areViews: true })),
  };
}

type Members = Readonly<Record<string, Schema>>;
type StructOf<M extends Members> = {
  readonly [Name in keyof M as M[Name] extends Omittable<unknown> ? never : Name]: ValueOf<M[Name]>;
} & {
  readonly [Name in keyof M as M[Name] extends Omittable<unknown> ? Name : never]?: ValueOf<
    M[Name]
  >;
};

/** An object with exactly these members; a sender may leave out only those that are `omittable`. */
export function struct<M extends Members>(members: M): Schema<StructOf<M>>;
export function struct(members: Members): Schema<Readonly<Record<string, unknown>>> {
  const rows = Object.entries(members).map(([name, schema]) => ({ name, schema }));
  const newObject = objectsOfOneForm();
  return {
    minimumBytes: rows.reduce((sum, { schema }) => sum + schema.minimumBytes, 0),
    write: (writer, value) => {
      for (const { name, schema } of rows) schema.write(writer, value[name]);
    },
    read: (reader) => {
      const value = newObject();
      for (const { name, schema } of rows) value[name] = schema.read(reader);
      return value;
    },
  };
}

/**
 * Returns a function that creates plain objects. The engine learns how many members the objects of one
 * constructor get, and reserves room for them. That takes less memory and fewer steps than an empty literal,
 * and fewer steps than a copy of an object with all members.
 */
function objectsOfOneForm(): () => Record<string, unknown> {
  function Plain() {}
  Plain.prototype = Object.prototype;
  return () => Reflect.construct(Plain, noArguments);
}

const noArguments: readonly unknown[] = [];

/** Writes values one after another into one buffer that grows as needed. */
export class FrameWriter {
  #buffer: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Size of the buffer in bytes, before it grows. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** Returns the bytes written so far: a view, valid until the next write. */
  written(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Discards everything after the first `length` bytes. */
  truncate(length: number): void {
    assert(length <= this.#length, 'a writer is cut to what was written');
    this.#length = length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length] = value;
    this.#length += 1;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeUInt32BE(value, this.#length);
  }

  /** Overwrites an earlier u32. */
  patchU32(offset: number, value: number): void {
    this.#buffer.writeUInt32BE(value, offset);
  }

  flag(value: boolean): void {
    assert(typeof value === 'boolean', 'a flag is true or false');
    this.byte(value ? 1 : 0);
  }

  integer(value: number): void {
    assert(Number.isSafeInteger(value) && value >= 0, 'a number is an integer from 0 to 2^53 - 1');
    this.u32(Math.floor(value / 2 ** 32));
    this.u32(value % 2 ** 32);
  }

  count(value: number): void {
    this.u32(value);
  }

  bytes(value: Uint8Array): void {
    this.u32(value.length);
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  text(value: string): void {
    assert(value.isWellFormed(), 'a text is well-formed Unicode');
    // A UTF-16 unit takes at most three bytes. An exact measure would read the text twice.
    this.#reserve(4 + value.length * 3);
    const length = this.#buffer.write(value, this.#length + 4, 'utf8');
    this.#buffer.writeUInt32BE(length, this.#length);
    this.#length += 4 + length;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    grown.set(this.written());
    // The message may be secret, so the old buffer is cleared before it is dropped.
    this.written().fill(0);
    this.#buffer = grown;
  }
}

/** Reads values one after another; throws FrameError at the first malformed value. */
export class FrameReader {
  readonly #buffer: Buffer;
  readonly #areViews: boolean;
  #offset = 0;

  /** `areViews`: the byte strings are views of `encoded`, which must not change afterwards. */
  constructor(encoded: Uint8Array, { areViews = false }: { readonly areViews?: boolean } = {}) {
    this.#buffer = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    this.#areViews = areViews;
  }

  byte(): number {
    return this.#buffer.readUInt8(this.#take(1));
  }

  u32(): number {
    return this.#buffer.readUInt32BE(this.#take(4));
  }

  flag(): boolean {
    const value = this.byte();
    if (value > 1) throw new FrameError('a flag is neither 0 nor 1');
    return value === 1;
  }

  integer(): number {
    const high = this.u32();
    if (high >= 2 ** 21) throw new FrameError('a number is larger than 2^53 - 1');
    return high * 2 ** 32 + this.u32();
  }

  /** Reads the length of a list. Throws if the remaining bytes cannot hold that many items. */
  count(minimumItemBytes: number): number {
    const count = this.u32();
    if (count * minimumItemBytes > this.#buffer.length - this.#offset) {
      throw new FrameError('a list is longer than the frame');
    }
    return count;
  }

  bytes(): Uint8Array {
    const length = this.u32();
    const start = this.#take(length);
    if (this.#areViews) {
      return new Uint8Array(this.#buffer.buffer, this.#buffer.byteOffset + start, length);
    }
    const copy = new Uint8Array(length);
    copy.set(this.#buffer.subarray(start, start + length));
    return copy;
  }

  text(): string {
    const length = this.u32();
    const start = this.#take(length);
    const value = this.#buffer.toString('utf8', start, start + length);
    // Malformed bytes always decode to U+FFFD; only then is the slower, strict decoder needed.
    if (!value.includes('\uFFFD')) return value;
    const strict = textOfUtf8(this.#buffer.subarray(start, start + length));
    if (strict === undefined) throw new FrameError('a text is not well-formed UTF-8');
    return strict;
  }

  /** Throws FrameError for bytes after the last value. */
  end(): void {
    if (this.#offset !== this.#buffer.length) throw new FrameError('bytes after the last value');
  }

  #take(length: number): number {
    const start = this.#offset;
    if (length > this.#buffer.length - start) throw new FrameError('the frame ends early');
    this.#offset = start + length;
    return start;
  }
}
