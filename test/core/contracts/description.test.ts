// The parser of descriptions (ERC-7730) refuses each part that it does not know or cannot check.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFunctionSelector } from 'viem';
import { finish } from '../../../src/core/base/steps.ts';
import { readDescriptionInSteps } from '../../../src/core/contracts/description.ts';
import { descriptionLimits } from '../../../src/core/contracts/description_members.ts';
import { permitDescription, vault, vaultDescription } from '../../support/descriptions.ts';

const readDescription = (value: unknown) => finish(readDescriptionInSteps(value));

const formatsOf = (formats: object) => ({
  ...vaultDescription,
  display: { ...vaultDescription.display, formats },
});
const fieldsOf = (...fields: readonly object[]) =>
  formatsOf({ 'call(uint256 a,bytes b,address c)': { intent: 'Call', fields } });

test('a description of calls is read by selector, and one of typed data by encoded type', () => {
  const description = readDescription(vaultDescription);
  assert.equal(description.name, 'Example Vault');
  assert.deepEqual(description.deployments, [{ chainId: 1n, address: vault.toLowerCase() }]);
  const selector = toFunctionSelector(
    'function order((address,uint256)[],address,uint256,uint8,uint256,bytes32)',
  );
  assert.deepEqual([...description.calls.keys()], [selector, toFunctionSelector('pause(bool)')]);
  assert.equal(description.calls.get(selector)?.fields.length, 7);
  const typed = readDescription(permitDescription);
  assert.deepEqual([...typed.types.keys()], Object.keys(permitDescription.display.formats));
  assert.deepEqual([...typed.domain], [['name', 'USD Coin']]);
});

test('older names of tuples, fixed arrays and blanks are read', () => {
  const fragments = [
    'one(tuple(address token,uint256[2] amounts)[3] orders)',
    'two( address  to , uint256 value )',
    'three(address,uint256)',
    'four()',
  ];
  const file = formatsOf(Object.fromEntries(fragments.map((key) => [key, { fields: [] }])));
  assert.deepEqual(
    [...readDescription(file).calls.values()].map((call) => call.function.signature),
    ['one((address,uint256[2])[3])', 'two(address,uint256)', 'three(address,uint256)', 'four()'],
  );
});

test('an invalid description is refused with the position', () => {
  const { context, metadata, display } = vaultDescription;
  const deployments = context.contract.deployments;
  const nested = (depth: number): object =>
    depth === 0 ? { path: 'a' } : { path: '', fields: [nested(depth - 1)] };
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [[], /expected a JSON object/],
    [{ ...vaultDescription, $schema: 'erc7730-v1.schema.json' }, /`\$schema`: expected version 2/],
    [{ ...vaultDescription, $schema: undefined }, /`\$schema`/],
    [{ ...vaultDescription, includes: './other.json' }, /`includes`: other files are not included/],
    [{ ...vaultDescription, more: 1 }, /`more`: is not a known member/],
    [{ ...vaultDescription, context: {} }, /either `contract` or `eip712`/],
    [
      { ...vaultDescription, context: { contract: { deployments: [] } } },
      /expected at least one deployment/,
    ],
    [
      { ...vaultDescription, context: { contract: { deployments, factory: {} } } },
      /`context.contract.factory`: contracts of a factory/,
    ],
    [
      {
        ...vaultDescription,
        context: { contract: { deployments: [{ chainId: 0, address: vault }] } },
      },
      /chainId`: expected a positive integer/,
    ],
    [
      {
        ...vaultDescription,
        context: { contract: { deployments: [{ chainId: 1, address: '0x1' }] } },
      },
      /address`: expected `0x` and 40/,
    ],
    [{ ...vaultDescription, metadata: { ...metadata, maps: {} } }, /maps are not supported/],
    [
      { ...vaultDescription, metadata: { ...metadata, token: { ticker: 'A', decimals: 78 } } },
      /expected an integer from 0 to 77/,
    ],
    [{ ...vaultDescription, display: { ...display, formats: {} } }, /expected 1 to 200 formats/],
    [formatsOf({ 'call(uint257 a)': { fields: [] } }), /unknown type/],
    [formatsOf({ 'call(uint256 a': { fields: [] } }), /expected a function/],
    [formatsOf({ 'call(uint256 a,uint256 a)': { fields: [] } }), /stands there twice/],
    [
      formatsOf({ 'call(uint256 a)': { fields: [] }, 'call(uint256 b)': { fields: [] } }),
      /selector/,
    ],
    [formatsOf({ 'call()': { intent: 'x'.repeat(201), fields: [] } }), /at most 200 characters/],
    [fieldsOf({ path: 'a', value: 1 }), /either `path` or `value`/],
    [fieldsOf({ path: 'a', format: 'toString' }), /is not a known format/],
    [fieldsOf({ path: 'a', encryption: {} }), /encrypted values/],
    [fieldsOf({ path: 'a', visible: 'perhaps' }), /expected `always`/],
    [
      fieldsOf({ path: 'a', format: 'enum', params: { $ref: '$.metadata.enums.x' } }),
      /enumeration/,
    ],
    [fieldsOf({ path: 'a', $ref: '$.display.definitions.x' }), /names no definition/],
    [fieldsOf({ path: '$.metadata.constants.x' }), /names no constant/],
    [fieldsOf({ path: '@.nonce' }), /expected one of @\.from/],
    [fieldsOf({ path: 'a..b[x]' }), /expected names, indices and slices/],
    [fieldsOf({ path: Array(17).fill('a').join('.') }), /at most 16 parts/],
    [fieldsOf({ path: 'a'.repeat(257) }), /at most 256 characters/],
    [fieldsOf(nested(descriptionLimits.groupDepth + 1)), /at most 4 deep/],
    [
      formatsOf({ [`call(uint256 ${'a'.repeat(descriptionLimits.keyCharacters)})`]: {} }),
      /at most 100000 characters of functions/,
    ],
    [fieldsOf(...Array(65).fill({ path: 'a' })), /at most 64 items/],
  ];
  for (const [file, expected] of cases) {
    assert.throws(() => readDescription(file), expected, JSON.stringify(file).slice(0, 300));
  }
});

test('a format with more than 256 nested fields and groups is rejected early', () => {
  const groups = (depth: number): readonly object[] =>
    depth === 0 ? [] : Array(64).fill({ path: '', fields: groups(depth - 1) });
  // Without the bound the parser would report the unknown member first.
  const fields = [...groups(4), { path: 'a', more: 1 }].slice(-64);
  assert.throws(() => readDescription(fieldsOf(...fields)), /at most 256 fields and groups/);
});

test('constants are counted before they are read', () => {
  const values = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [i, [i]]));
  const metadata = { ...vaultDescription.metadata, enums: { mode: values } };
  assert.throws(() => readDescription({ ...vaultDescription, metadata }), /at most 2000 constants/);
});

test('the fields of all groups count together, and so do the constants of a file', () => {
  const group = { path: '', fields: Array(40).fill({ path: 'a' }) };
  assert.throws(() => readDescription(fieldsOf(group, group)), /at most 64 fields/);
  const constants = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`c${i}`, i]));
  const file = { ...vaultDescription, metadata: { constants } };
  const plain = { ...file, display: { formats: { 'pause(bool on)': { fields: [] } } } };
  assert.throws(() => readDescription(plain), /at most 2000 constants/);
});
