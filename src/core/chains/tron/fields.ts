// Messages as lists of fields: each list yields the reader, the writer and the type. Default values are
// omitted, as nodes of Tron do: a node hashes its own encoding of a message, so a signature over other bytes
// would never verify.

import { concatBytes, textOfUtf8, utf8 } from '../../base/bytes.ts';
import { refuseTransaction } from '../unreadable.ts';
import {
  cursorOver,
  delimitedField,
  isNext,
  type TronCursor,
  takeDelimited,
  takeVarint,
  varintField,
} from './wire.ts';

/** One field of a message. */
export type Field<Value> = {
  readonly number: number;
  /** Takes the field if it comes next; otherwise returns its default. */
  read(cursor: TronCursor, place: string): Value;
  /** Returns the bytes of the field; empty for the default. */
  write(value: Value): Uint8Array;
};

/** Fields by name, in ascending order of their numbers. */
export type Fields = { readonly [name: string]: Field<unknown> };

/** The members of a message with these fields. */
export type Members<Of extends Fields> = {
  readonly [Name in keyof Of]: Of[Name] extends Field<infer Value> ? Value : never;
};

const none = new Uint8Array(0);
const largestInt32 = 2n ** 31n - 1n;
const largestInt64 = 2n ** 63n - 1n;

/** Reads the members of a message. Raises `UnreadableTransaction` for unknown or non-canonical fields. */
export function readMessage<Of extends Fields>(
  fields: Of,
  encoded: Uint8Array,
  place: string,
): Members<Of> {
  const cursor = cursorOver(encoded, place);
  const members: { [name: string]: unknown } = {};
  for (const name of Object.keys(fields)) {
    members[name] = fields[name]?.read(cursor, `${place}.${name}`);
  }
  if (cursor.nextKey !== 0) refuseField(fields, cursor.nextKey, place);
  return members as Members<Of>;
}

/** Returns the canonical encoding of a message. */
export function writeMessage<Of extends Fields>(fields: Of, members: Members<Of>): Uint8Array {
  return concatBytes(
    ...Object.entries(fields).map(([name, field]) => field.write(members[name as keyof Of])),
  );
}

/** An integer from 0 to 2^63 − 1. */
export function int64(number: number): Field<bigint> {
  return integer(number, largestInt64);
}

/** An integer from 0 to 2^31 − 1. */
export function int32(number: number): Field<bigint> {
  return integer(number, largestInt32);
}

function integer(number: number, largest: bigint): Field<bigint> {
  return {
    number,
    read: (cursor, place) => {
      if (!isNext(cursor, number, 'varint')) return 0n;
      const value = takeVarint(cursor, place);
      if (value === 0n) refuseTransaction(place, 'zero is written out, expected no field');
      if (value > largest) {
        refuseTransaction(place, `expected 0 to ${largest}, got a negative or larger number`);
      }
      return value;
    },
    write: (value) => (value === 0n ? none : varintField(number, value)),
  };
}

/** A name from a list, encoded by its position; the first is the default. */
export function choice<Name extends string>(
  number: number,
  names: readonly [Name, ...Name[]],
): Field<Name> {
  const position = int32(number);
  return {
    number,
    read: (cursor, place) => {
      const value = position.read(cursor, place);
      return (
        names[Number(value)] ??
        refuseTransaction(place, `expected 0 to ${names.length - 1}, got ${value}`)
      );
    },
    write: (name) => position.write(BigInt(names.indexOf(name))),
  };
}

/** A boolean: 1 for true, omitted for false. */
export function flag(number: number): Field<boolean> {
  const value = integer(number, 1n);
  return {
    number,
    read: (cursor, place) => value.read(cursor, place) === 1n,
    write: (isTrue) => value.write(isTrue ? 1n : 0n),
  };
}

/** Bytes of any length; empty if omitted. */
export function bytes(number: number): Field<Uint8Array> {
  return {
    number,
    read: (cursor, place) => {
      if (!isNext(cursor, number, 'delimited')) return none;
      const value = takeDelimited(cursor, place);
      if (value.length === 0) refuseTransaction(place, 'is empty, expected no field');
      return value;
    },
    write: (value) => (value.length === 0 ? none : delimitedField(number, value)),
  };
}

/** Exactly this many bytes, required. */
export function exactBytes(number: number, length: number): Field<Uint8Array> {
  const any = bytes(number);
  return {
    ...any,
    read: (cursor, place) => requireLength(any.read(cursor, place), length, place),
  };
}

/** Exactly this many bytes; empty if omitted. */
export function optionalBytes(number: number, length: number): Field<Uint8Array> {
  const any = bytes(number);
  return {
    ...any,
    read: (cursor, place) => {
      const value = any.read(cursor, place);
      return value.length === 0 ? value : requireLength(value, length, place);
    },
  };
}

/** Well-formed UTF-8; empty if omitted. */
export function text(number: number): Field<string> {
  const any = bytes(number);
  return {
    number,
    read: (cursor, place) =>
      textOfUtf8(any.read(cursor, place)) ?? refuseTransaction(place, 'expected UTF-8'),
    write: (value) => any.write(utf8(value)),
  };
}

/** Required bytes in a form of their own. */
export function required<Value>(
  number: number,
  form: {
    readonly read: (encoded: Uint8Array, place: string) => Value;
    readonly write: (value: Value) => Uint8Array;
  },
): Field<Value> {
  return {
    number,
    read: (cursor, place) => {
      if (!isNext(cursor, number, 'delimited')) refuseTransaction(place, 'is missing');
      return form.read(takeDelimited(cursor, place), place);
    },
    write: (value) => delimitedField(number, form.write(value)),
  };
}

/** A required message. */
export function requiredMessage<Of extends Fields>(number: number, fields: Of): Field<Members<Of>> {
  return required(number, {
    read: (encoded, place) => readMessage(fields, encoded, place),
    write: (value) => writeMessage(fields, value),
  });
}

/** An optional message. */
export function optionalMessage<Of extends Fields>(
  number: number,
  fields: Of,
): Field<Members<Of> | undefined> {
  return {
    number,
    read: (cursor, place) =>
      isNext(cursor, number, 'delimited')
        ? readMessage(fields, takeDelimited(cursor, place), place)
        : undefined,
    write: (value) =>
      value === undefined ? none : delimitedField(number, writeMessage(fields, value)),
  };
}

/** A list of at most `maximum` messages. */
export function messages<Of extends Fields>(
  number: number,
  fields: Of,
  maximum: number,
): Field<readonly Members<Of>[]> {
  return {
    number,
    read: (cursor, place) => {
      const list: Members<Of>[] = [];
      while (isNext(cursor, number, 'delimited')) {
        if (list.length === maximum) refuseTransaction(place, `expected at most ${maximum}`);
        const at = `${place}[${list.length}]`;
        list.push(readMessage(fields, takeDelimited(cursor, at), at));
      }
      return list;
    },
    write: (list) =>
      concatBytes(...list.map((item) => delimitedField(number, writeMessage(fields, item)))),
  };
}

/** Rejects bytes of another length; returns all others. */
export function requireLength(value: Uint8Array, length: number, place: string): Uint8Array {
  if (value.length === length) return value;
  return refuseTransaction(place, `expected ${length} bytes, got ${value.length}`);
}

function refuseField(fields: Fields, key: number, place: string): never {
  const number = Math.floor(key / 8);
  const isKnown = Object.values(fields).some((field) => field.number === number);
  return refuseTransaction(
    place,
    isKnown
      ? `field ${number} is repeated, out of order or of another wire type`
      : `field ${number} is not accepted`,
  );
}
