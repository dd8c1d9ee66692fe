// Decodes return values of contracts from the vectors of ethers, which a compiler encoded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParamType } from 'ethers';
import { finish } from '../../src/core/base/steps.ts';
import { readAbiInSteps } from '../../src/core/contracts/abi.ts';
import { type AbiValue, decodeArguments } from '../../src/core/contracts/abi_arguments.ts';
import { layoutOf } from '../../src/core/contracts/abi_layout.ts';
import { readPackedVectors } from '../support/packed_vectors.ts';
import { bytes } from './vector_files.ts';

const readAbi = (value: unknown) => finish(readAbiInSteps(value));

type Row = {
  readonly name: string;
  /** JSON of a list of types, and of a list of values. */
  readonly types: string;
  readonly values: string;
  readonly result: string;
};

type Told = { readonly type: string; readonly value: unknown } | readonly Told[];

function toldValue(told: Told): unknown {
  if (!('type' in told)) return told.map(toldValue);
  if (told.type === 'tuple') return (told.value as readonly Told[]).map(toldValue);
  return typeof told.value === 'string' ? told.value.toLowerCase() : told.value;
}

function decodedValue(value: AbiValue): unknown {
  switch (value.kind) {
    case 'list':
      return value.items.map(decodedValue);
    case 'address':
    case 'bytes':
      return value.hex;
    case 'boolean':
      return value.value;
    default:
      return String(value.value).toLowerCase();
  }
}

for (const [file, rows, decoded] of [
  ['contract_interface', 2_045, 2_045],
  ['contract_interface_abi2', 1_880, 1_880],
] as const) {
  test(`ethers ${file}: values of contracts`, () => {
    const given = readPackedVectors<readonly Row[]>(`ethers/${file}`);
    assert.equal(given.length, rows);
    let count = 0;
    for (const { name, types, values, result } of given) {
      const inputs = (JSON.parse(types) as readonly string[]).map((type) =>
        JSON.parse(ParamType.from(type).format('json')),
      );
      const [called] = readAbi([{ type: 'function', name: 'f', inputs }]);
      assert(called !== undefined);
      const told = (JSON.parse(values) as readonly Told[]).map(toldValue);
      const got = decodeArguments(layoutOf(called.inputs), bytes(result.slice(2)));
      if (got === undefined) continue;
      assert.deepEqual(got.map(decodedValue), told, name);
      count += 1;
    }
    assert.equal(count, decoded);
  });
}
