import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Interface, type InterfaceAbi, keccak256, toUtf8Bytes } from 'ethers';
import fc from 'fast-check';
import { erc20Abi, erc721Abi, erc1155Abi, erc4626Abi, multicall3Abi } from 'viem';
import { finish } from '../../../src/core/base/steps.ts';
import { abiLimits, readAbiInSteps } from '../../../src/core/contracts/abi.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';

const readAbi = (value: unknown) => finish(readAbiInSteps(value));

const input = (type: string, more: object = {}) => ({ name: '', type, ...more });
const named = (name: string, ...inputs: object[]) => ({ type: 'function', name, inputs });

const selectorsOf = (abi: unknown) =>
  readAbi(abi).map(({ signature, selector }) => [signature, selector]);

// The selectors that the standards print (ERC-20, ERC-165, ERC-721, ERC-1155), and the examples of the
// Solidity ABI specification (baz, bar, sam, f, g).
const published: readonly [signature: string, selector: string, inputs: readonly object[]][] = [
  ['transfer(address,uint256)', '0xa9059cbb', [input('address'), input('uint256')]],
  ['approve(address,uint256)', '0x095ea7b3', [input('address'), input('uint')]],
  ['balanceOf(address)', '0x70a08231', [input('address')]],
  ['totalSupply()', '0x18160ddd', []],
  ['supportsInterface(bytes4)', '0x01ffc9a7', [input('bytes4')]],
  [
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    '0x2eb2c2d6',
    ['address', 'address', 'uint256[]', 'uint256[]', 'bytes'].map((type) => input(type)),
  ],
  ['baz(uint32,bool)', '0xcdcd77c0', [input('uint32'), input('bool')]],
  ['bar(bytes3[2])', '0xfce353f6', [input('bytes3[2]')]],
  ['sam(bytes,bool,uint256[])', '0xa5643bf2', [input('bytes'), input('bool'), input('uint[]')]],
  [
    'f(uint256,uint32[],bytes10,bytes)',
    '0x8be65246',
    ['uint256', 'uint32[]', 'bytes10', 'bytes'].map((type) => input(type)),
  ],
  ['g(uint256[][],string[])', '0x2289b18c', [input('uint256[][]'), input('string[]')]],
  // A function of Uniswap's router, with a tuple.
  [
    'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))',
    '0x414bf389',
    [
      input('tuple', {
        components: [
          ...['address', 'address', 'uint24', 'address'],
          ...['uint256', 'uint256', 'uint256', 'uint160'],
        ].map((type) => input(type)),
      }),
    ],
  ],
];

test('selectors equal those in the standards', () => {
  const abi = published.map(([signature, , inputs]) =>
    named(signature.split('(')[0] ?? '', ...inputs),
  );
  assert.deepEqual(
    selectorsOf(abi),
    published.map(([signature, selector]) => [signature, selector]),
  );
});

test('arrays of tuples, tuples in tuples and every elementary type', () => {
  const types = [
    ...['address', 'bool', 'string', 'bytes', 'function', 'uint8', 'uint256', 'int8', 'int256'],
    ...['bytes1', 'bytes32', 'int', 'uint', 'uint8[3][]', 'string[][2]'],
  ];
  const inner = input('tuple[2]', { components: [input('bool'), input('int')] });
  const abi = [
    named('all', ...types.map((type) => input(type))),
    named('nested', input('tuple[]', { components: [input('uint'), inner] })),
  ];
  assert.deepEqual(
    readAbi(abi).map(({ signature }) => signature),
    [
      'all(address,bool,string,bytes,function,uint8,uint256,int8,int256,bytes1,bytes32,int256,uint256,uint8[3][],string[][2])',
      'nested((uint256,(bool,int256)[2])[])',
    ],
  );
});

test('other entries of an ABI are skipped, and the type of a function is optional', () => {
  const abi = [
    { type: 'constructor', inputs: [] },
    { type: 'event', name: 'Transfer', inputs: [], anonymous: false },
    { type: 'error', name: 'Broke', inputs: [] },
    { type: 'fallback', stateMutability: 'payable' },
    { type: 'receive', stateMutability: 'payable' },
    { name: 'deposit', inputs: [], outputs: [], payable: true, constant: false },
    named('deposit', input('uint256')),
  ];
  assert.deepEqual(selectorsOf(abi), [
    ['deposit()', '0xd0e30db0'],
    ['deposit(uint256)', '0xb6b55f25'],
  ]);
});

function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'field_invalid');
    return error.message.replace('invalid request body: `parameters.smartContractInterface`: ', '');
  }
  return 'accepted';
}

const deepTuple = (depth: number): object =>
  depth === 0 ? input('bool') : input('tuple', { components: [deepTuple(depth - 1)] });

const refused: readonly [abi: unknown, message: string][] = [
  [{}, 'expected a JSON array, got an object'],
  ['[]', 'expected a JSON array, got a string'],
  [[], 'expected an ABI with at least one function'],
  [[{ type: 'event', name: 'E', inputs: [] }], 'expected an ABI with at least one function'],
  [[null], '`0`: expected a JSON object, got null'],
  [[named('a'), []], '`1`: expected a JSON object, got an array'],
  [[{ type: 'method' }], '`0.type`: unknown type `method` of an entry'],
  [[{ type: 1 }], '`0.type`: expected text, got a number'],
  [[{ type: 'function', inputs: [] }], '`0.name`: expected text, got nothing'],
  [[named('a b')], '`0.name`: expected a Solidity name, got `a b`'],
  [[named('')], '`0.name`: expected a Solidity name, got ``'],
  [[{ type: 'function', name: 'a' }], '`0.inputs`: expected a JSON array, got nothing'],
  [[named('a', input('uint7'))], '`0.inputs.0.type`: unknown type `uint7`'],
  [[named('a', input('uint264'))], '`0.inputs.0.type`: unknown type `uint264`'],
  [[named('a', input('bytes33'))], '`0.inputs.0.type`: unknown type `bytes33`'],
  [[named('a', input('fixed128x18'))], '`0.inputs.0.type`: unknown type `fixed128x18`'],
  [[named('a', input('constructor'))], '`0.inputs.0.type`: unknown type `constructor`'],
  [[named('a', input('uint8[0]'))], '`0.inputs.0.type`: unknown type `uint8[0]`'],
  [[named('a', input('uint8[-1]'))], '`0.inputs.0.type`: unknown type `uint8[-1]`'],
  [[named('a', input('uint8[]x'))], '`0.inputs.0.type`: unknown type `uint8[]x`'],
  [[named('a', input('[]'))], '`0.inputs.0.type`: unknown type ``'],
  [
    [named('a', input(`uint8${'[]'.repeat(17)}`))],
    '`0.inputs.0.type`: expected at most 16 array dimensions',
  ],
  [[named('a', input('tuple'))], '`0.inputs.0.components`: expected a JSON array, got nothing'],
  [
    [named('a', deepTuple(17))],
    `\`0.inputs.0${'.components.0'.repeat(16)}\`: expected tuples in at most 16 tuples`,
  ],
  [
    [named('a', input('bool', { name: 'x' }), input('bool'), input('bool', { name: 'x' }))],
    '`0.inputs.2`: a parameter `x` stands there twice',
  ],
  [
    [named('a', input('uint')), { type: 'event' }, named('a', input('uint256'))],
    '`2`: a function with the selector `0xf0fdf834` stands there twice',
  ],
  [
    Array.from({ length: abiLimits.functions + 1 }, (_, i) => named(`f${i}`)),
    'expected at most 2500 functions',
  ],
  [Array(abiLimits.entries + 1).fill(named('a')), 'expected at most 5000 items, got 5001'],
];

test('a function that cannot be decoded has a problem, and the others are read', () => {
  // Selectors of Solidity library functions, whose signatures spell types as written.
  const abi = [
    named('transfer', input('address'), input('uint256')),
    named('price', input('fixed168x10')),
    named(
      'set',
      input('Lib.Kind'),
      input('tuple[]', { components: [input('uint'), input('Lib.Kind')] }),
    ),
    named('pair', input('uint256', { name: '_' }), input('uint256', { name: '_' })),
  ];
  const functions = readAbi(abi);
  assert.deepEqual(
    functions.map(({ signature, problem }) => [signature, problem]),
    [
      ['transfer(address,uint256)', undefined],
      ['price(fixed168x10)', '`1.inputs.0.type`: unknown type `fixed168x10`'],
      ['set(Lib.Kind,(uint256,Lib.Kind)[])', '`2.inputs.0.type`: unknown type `Lib.Kind`'],
      ['pair(uint256,uint256)', '`3.inputs.1`: a parameter `_` stands there twice'],
    ],
  );
  for (const { signature, selector } of functions) {
    assert.equal(selector, keccak256(toUtf8Bytes(signature)).slice(0, 10));
  }
});

test('text that is not an ABI is refused with the position', () => {
  for (const [abi, message] of refused)
    assert.equal(
      refusalOf(() => readAbi(abi)),
      message,
    );
  assert.equal(
    refusalOf(() => readAbi([named('a', deepTuple(16))])),
    'accepted',
  );
});

test('any JSON is read or refused', () => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 6 }),
    fc.array(
      fc.record(
        {
          type: fc.constantFrom('function', 'event', 'tuple', 'x'),
          name: fc.oneof(fc.constantFrom('a', 'b', '', '__proto__'), fc.jsonValue()),
          inputs: fc.oneof(
            fc.array(
              fc.record(
                {
                  name: fc.constantFrom('', 'x', 'y'),
                  type: fc.constantFrom('uint8', 'uint[]', 'tuple', 'tuple[2]', 'nothing'),
                  components: fc.jsonValue({ maxDepth: 3 }),
                },
                { requiredKeys: ['type'] },
              ),
              { maxLength: 3 },
            ),
            fc.jsonValue(),
          ),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 4 },
    ),
  );
  fc.assert(fc.property(anything, (value) => typeof refusalOf(() => readAbi(value)) === 'string'));
});

test('the ABIs of published contracts have the selectors that another library computes', () => {
  for (const abi of [erc20Abi, erc721Abi, erc1155Abi, erc4626Abi, multicall3Abi]) {
    const other = new Interface(abi as unknown as InterfaceAbi);
    const expected: [string, string][] = [];
    other.forEachFunction((of) => expected.push([of.format('sighash'), of.selector]));
    assert.deepEqual(selectorsOf(abi).sort(), expected.sort());
  }
});
