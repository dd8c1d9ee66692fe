// Writes and reads Borsh like an operator's own tool, by a description of the values and without code from
// the sources.

import { Buffer } from 'node:buffer';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A writer and a reader of one kind of value. */
export type Form = {
  readonly write: (value: Json) => Buffer;
  readonly read: (from: Reader) => Json;
};

/** Reads bytes from front to back, and throws beyond the end. */
export class Reader {
  readonly #bytes: Buffer;
  #offset = 0;
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }
  take(length: number): Buffer {
    if (this.#offset + length > this.#bytes.length) throw new Error('the bytes end too early');
    this.#offset += length;
    return this.#bytes.subarray(this.#offset - length, this.#offset);
  }
  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }
}

const number = (length: number): Form => ({
  write: (value) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUIntLE(Number(value), 0, length);
    return bytes;
  },
  read: (from) => from.take(length).readUIntLE(0, length),
});
const u32 = number(4);
const sized = (encoding: 'utf8' | 'hex'): Form => ({
  write: (value) => {
    const bytes = Buffer.from(String(value), encoding);
    return Buffer.concat([u32.write(bytes.length), bytes]);
  },
  read: (from) => from.take(Number(u32.read(from))).toString(encoding),
});
const text = sized('utf8');
const bytes = sized('hex');
const list = (item: Form): Form => ({
  write: (values) => {
    const items = values as readonly Json[];
    return Buffer.concat([u32.write(items.length), ...items.map(item.write)]);
  },
  read: (from) => Array.from({ length: Number(u32.read(from)) }, () => item.read(from)),
});
const oneOf = (names: readonly string[]): Form => ({
  write: (value) => Buffer.of(names.indexOf(String(value))),
  read: (from) => names[from.take(1)[0] ?? -1] ?? null,
});
const boolean: Form = {
  write: (value) => Buffer.of(value === true ? 1 : 0),
  read: (from) => from.take(1)[0] === 1,
};
const hash: Form = {
  write: (value) => Buffer.from(String(value), 'hex'),
  read: (from) => from.take(32).toString('hex'),
};
const record = (members: Readonly<Record<string, Form>>): Form => ({
  write: (value) => {
    const known = value as { readonly [name: string]: Json };
    return Buffer.concat(
      Object.entries(members).map(([name, form]) => form.write(known[name] ?? null)),
    );
  },
  read: (from) =>
    Object.fromEntries(Object.entries(members).map(([name, form]) => [name, form.read(from)])),
});

const quorum = record({ threshold: u32, members: list(record({ alias: text, pubKey: bytes })) });

/** The first version of QuorumOS manifests. */
export const manifestForm = record({
  namespace: record({ name: text, nonce: u32, quorumKey: bytes }),
  pivot: record({
    hash,
    restart: oneOf(['Never', 'Always']),
    bridgeConfig: list(record({ type: oneOf(['server']), port: number(2), host: text })),
    debugMode: boolean,
    args: list(text),
  }),
  manifestSet: quorum,
  shareSet: quorum,
  enclave: record({
    pcr0: bytes,
    pcr1: bytes,
    pcr2: bytes,
    pcr3: bytes,
    awsRootCertificate: bytes,
    qosCommit: text,
  }),
  patchSet: record({ threshold: u32, members: list(record({ pubKey: bytes })) }),
});
