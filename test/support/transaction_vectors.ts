// Reads the transactions of test/vectors/transactions/, which its README describes.

import { readFileSync } from 'node:fs';
import { bytesOfHex } from '../../src/core/base/bytes.ts';
import type { SigningAccount } from '../../src/core/chains/chain.ts';
import { curves } from '../../src/core/crypto/curves.ts';
import type { JsonObject } from '../../src/core/schema/json.ts';

/** The members of every row; the README lists further members. */
export type TransactionVector = {
  readonly name: string;
  readonly privateKey: string;
  readonly curve: keyof typeof curves;
  readonly addressFormat: SigningAccount['format'];
  readonly signWith: string;
  readonly unsignedTransaction: string;
  readonly signedTransaction: string;
  readonly facts: JsonObject;
  readonly extension: JsonObject;
  readonly interface?: {
    readonly smartContractAddress: string;
    readonly smartContractInterface: string;
  };
};

export type MalformedVector = {
  readonly chain: string;
  readonly name: string;
  readonly code: string;
  readonly unsignedTransaction: string;
};

const folder = new URL('../vectors/transactions/', import.meta.url);

/** Returns the rows of a file in that folder, such as `ethereum`. */
export function readVectors<Row>(file: string): readonly Row[] {
  return JSON.parse(readFileSync(new URL(`${file}.json`, folder), 'utf8'));
}

/** Decodes hex digits of a file. */
export function vectorBytes(text: string): Uint8Array {
  const bytes = bytesOfHex(text);
  if (bytes === undefined) throw new Error(`no hex: ${text.slice(0, 64)}`);
  return bytes;
}

/** Returns the account of a row. */
export function accountOf(vector: TransactionVector): SigningAccount {
  const publicKey = curves[vector.curve].publicKeyOf(vectorBytes(vector.privateKey));
  return { address: vector.signWith, format: vector.addressFormat, publicKey };
}
