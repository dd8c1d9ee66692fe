import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concat, keccak256, TypedDataEncoder } from 'ethers';
import fc from 'fast-check';
import { hashTypedData as hashTypedDataOfViem } from 'viem';
import { hex } from '../../../src/core/base/bytes.ts';
import {
  domainFacts,
  hashTypedData,
  hashTypedDataInSteps,
  maxTypedDataLength,
  readTypedData,
} from '../../../src/core/payload/eip712.ts';
import { encodeType, typeLimits } from '../../../src/core/payload/eip712_types.ts';
import { type TypedValue, valueLimits } from '../../../src/core/payload/eip712_values.ts';
import { randomTypedData } from './random_typed_data.ts';
import { doneOrRefused, refuses } from './refusals.ts';
import { address, mail, one, path, read, row } from './typed_data_samples.ts';

const digest = (data: unknown) => hex(hashTypedData(read(data)));

test('typed data of many values is hashed in steps, and once', () => {
  const values = Array.from({ length: 16_000 }, (_, i) => `value ${i}`);
  const types = { Batch: [{ name: 'values', type: 'string[]' }] };
  const data = read({
    ...mail,
    types: { ...mail.types, ...types },
    primaryType: 'Batch',
    message: { values },
  });
  const work = hashTypedDataInSteps(data);
  let steps = 0;
  while (work.next().done !== true) steps += 1;
  assert.ok(steps >= 500, String(steps));
  assert.equal(hashTypedDataInSteps(data).next().done, true);
});

test('typed data contains only declared values', () => {
  const data = read({
    ...mail,
    comment: 'left out',
    message: { ...mail.message, spender: address, from: { ...mail.message.from, extra: 1 } },
  });
  assert.equal(data.primaryType, 'Mail');
  assert.deepEqual(plain(data.message), {
    from: { name: 'Cow', wallet: address },
    cc: [{ name: 'Bob', wallet: address }],
    amount: { value: 100n, written: 'string' },
  });
  assert.deepEqual(domainFacts(data), {
    name: 'Mail',
    version: undefined,
    chainId: 1n,
    verifyingContract: new Uint8Array(20).fill(0xab),
    verifyingContractText: undefined,
    salt: undefined,
  });
  assert.equal(hex(hashTypedData(data)), digest(mail));
});

test('every part of the domain is signed', () => {
  const full = { name: 'n', version: '1', chainId: 1, verifyingContract: address, salt: word(1) };
  const domains: object[] = [
    {},
    full,
    { ...full, name: 'm' },
    { ...full, version: '' },
    { ...full, chainId: 2 },
    { ...full, verifyingContract: `0x${'ac'.repeat(20)}` },
    { ...full, salt: word(2) },
    ...Object.keys(full).map((name) =>
      Object.fromEntries(Object.entries(full).filter(([member]) => member !== name)),
    ),
  ];
  const digests = domains.map((domain) => {
    const isEmpty = Object.keys(domain).length === 0;
    const types = { ...mail.types, ...(isEmpty ? { EIP712Domain: [] } : {}) };
    return digest({ ...mail, types, domain });
  });
  assert.equal(new Set(digests).size, domains.length);
});

test('null in a domain equals absence', () => {
  const domain = { ...mail.domain, version: null, salt: null };
  assert.equal(digest({ ...mail, domain }), digest(mail));
});

test('a declared domain type keeps its own order', () => {
  const reordered = [
    { name: 'chainId', type: 'uint256' },
    { name: 'name', type: 'string' },
    { name: 'verifyingContract', type: 'address' },
  ];
  const data = read({ ...mail, types: { ...mail.types, EIP712Domain: reordered } });
  assert.equal(
    encodeType('EIP712Domain', data.types),
    'EIP712Domain(uint256 chainId,string name,address verifyingContract)',
  );
  assert.notEqual(hex(hashTypedData(data)), digest(mail));
});

test('a domain that is not declared is derived as viem and ethers derive it', () => {
  const { types, message } = mail;
  const salt = `0x${'07'.repeat(32)}` as const;
  const whole = { ...mail.domain, version: '1', salt } as const;
  const names = Object.keys(whole);
  // Every non-empty subset of the members, in an order other than the standard's.
  for (let set = 1; set < 2 ** names.length; set += 1) {
    const picked = names.filter((_, i) => ((set >> i) & 1) === 1).toReversed();
    const domain = Object.fromEntries(picked.map((name) => [name, whole[name as 'name']]));
    const ours = `0x${digest({ ...mail, domain })}`;
    assert.equal(ours, TypedDataEncoder.hash(domain, types, message));
    const primaryType = 'Mail';
    assert.equal(ours, hashTypedDataOfViem({ domain, types, primaryType, message } as never));
  }
});

test('typed data of the chains of Cosmos is signed by its declared types', () => {
  // The domain of Ethermint: https://github.com/evmos/ethermint/blob/main/ethereum/eip712/domain.go
  const domain = {
    name: 'Cosmos Web3',
    version: '1.0.0',
    chainId: 9000,
    verifyingContract: 'cosmos',
    salt: '0',
  };
  const types = {
    EIP712Domain: [
      row('name', 'string'),
      row('version', 'string'),
      row('chainId', 'uint256'),
      row('verifyingContract', 'string'),
      row('salt', 'string'),
    ],
    Tx: [row('account_number', 'string'), row('memo', 'string')],
  };
  const message = { account_number: '7', memo: '' };
  const data = read({ types, domain, primaryType: 'Tx', message });
  const structs = TypedDataEncoder.from({ EIP712Domain: types.EIP712Domain });
  const separator = structs.hashStruct('EIP712Domain', domain);
  const content = TypedDataEncoder.from({ Tx: types.Tx }).hashStruct('Tx', message);
  assert.equal(`0x${hex(hashTypedData(data))}`, keccak256(concat(['0x1901', separator, content])));
  const { verifyingContract, verifyingContractText } = domainFacts(data);
  assert.deepEqual([verifyingContract, verifyingContractText], [undefined, 'cosmos']);
});

test('a type name with a colon, as an exchange writes it, keeps its referenced types', () => {
  const types = {
    'Exchange:Order': [{ name: 'leg', type: 'Leg' }],
    Leg: [{ name: 'v', type: 'int8' }],
  };
  const data = {
    types: { ...types, EIP712Domain: [] },
    domain: {},
    primaryType: 'Exchange:Order',
    message: { leg: { v: -1 } },
  };
  assert.equal(
    encodeType('Exchange:Order', read(data).types),
    'Exchange:Order(Leg leg)Leg(int8 v)',
  );
  assert.equal(`0x${digest(data)}`, TypedDataEncoder.hash({}, types, data.message));
});

test('integers: both ends of every width are accepted, and numbers beyond refused', () => {
  for (let bits = 8; bits <= 256; bits += 8) {
    const half = 2n ** BigInt(bits - 1);
    for (const [type, min, max] of [
      [`uint${bits}`, 0n, 2n * half - 1n],
      [`int${bits}`, -half, half - 1n],
    ] as const) {
      for (const end of [min, max]) {
        const data = one(type, end.toString());
        const expected = TypedDataEncoder.hash(data.domain, data.types, { v: end });
        assert.equal(`0x${digest(data)}`, expected, `${type} ${end}`);
      }
      for (const beyond of [min - 1n, max + 1n]) {
        refuses(
          () => read(one(type, beyond.toString())),
          `${path}.message.v`,
          /out of range|at most 256 bits/,
          `${type} ${beyond}`,
        );
      }
    }
  }
});

test('an integer has one hash in every spelling', () => {
  const digests = [255, '255', '0255', '0xff', '0x00FF'].map((v) => digest(one('uint16', v)));
  assert.equal(new Set(digests).size, 1);
  assert.equal(digest(one('int8', '-0')), digest(one('int8', 0)));
});

test('hexadecimal digits have one hash in any letter case', () => {
  const upper = `0x${'AB'.repeat(20)}`;
  assert.equal(digest(one('address', upper)), digest(one('address', address)));
  assert.equal(digest(one('bytes', upper)), digest(one('bytes', address)));
  assert.equal(digest(one('bytes20', upper)), digest(one('bytes20', address)));
});

test('names of Object.prototype are ordinary names', () => {
  const types =
    '{"One":[{"name":"__proto__","type":"constructor"}],"constructor":[{"name":"toString","type":"bool"}]}';
  const payload = (message: string) =>
    `{"types":${types},"domain":{"name":""},"primaryType":"One","message":${message}}`;
  readTypedData(payload('{"__proto__":{"toString":true}}'), path);
  refuses(() => readTypedData(payload('{}'), path), `${path}.message.__proto__`, /missing/);
  refuses(
    () => readTypedData(payload('{"__proto__":{}}'), path),
    `${path}.message.__proto__.toString`,
    /missing/,
  );
  refuses(
    () => read({ ...one('bool', true), primaryType: 'toString' }),
    `${path}.primaryType`,
    /./,
  );
  refuses(() => read(one('valueOf', {})), `${path}.types.One.0.type`, /unknown type/);
});

test('limits: each is reached and not exceeded', () => {
  const structs = (count: number) =>
    Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`S${i}`, []]));
  atLimit(typeLimits.structTypes, (n) => one('bool', true, structs(n)), '.types');

  const members = (count: number) => Array.from({ length: count }, (_, i) => row(`m${i}`));
  atLimit(typeLimits.membersOfStruct, (n) => one('bool', true, { S: members(n) }), '.types.S');

  atLimit(typeLimits.nameLength, (n) => one('bool', true, { ['S'.repeat(n)]: [] }), '.types');

  const nested = (count: number): unknown => (count === 0 ? true : [nested(count - 1)]);
  atLimit(
    typeLimits.arrayDimensions,
    (n) => one(`bool${'[1]'.repeat(n)}`, nested(n)),
    '.types.One.0.type',
  );

  // The message itself and its list count as values.
  atLimit(
    valueLimits.values,
    (n) =>
      one(
        'bool[]',
        Array.from({ length: n - 2 }, () => true),
      ),
    `.message.v.${valueLimits.values - 2}`,
  );

  const chain = (count: number): object => ({ next: count < 2 ? [] : [chain(count - 2)] });
  const types = { Node: [row('next', 'Node[]')] };
  const deep = (n: number) => ({
    types: { ...types, EIP712Domain: [] },
    domain: {},
    primaryType: 'Node',
    message: chain(n - 1),
  });
  read(deep(valueLimits.depth));
  refuses(
    () => read(deep(valueLimits.depth + 2)),
    `${path}.message${'.next.0'.repeat(valueLimits.depth / 2)}.next`,
    /at most 64 levels/,
  );
});

test('limits: the text of all types, and of the whole', () => {
  const wide = (count: number) => ({
    S: Array.from({ length: count }, (_, i) => row(`m${i}`.padEnd(124, 'm'), 'bool')),
  });
  read(one('bool', true, wide(255)));
  refuses(
    () => read(one('bool', true, { ...wide(255), T: wide(20).S })),
    `${path}.types.T.0`,
    /at most 32768 characters/,
  );
  const padded = (length: number) => JSON.stringify(mail).padEnd(length);
  readTypedData(padded(maxTypedDataLength), path);
  refuses(
    () => readTypedData(padded(maxTypedDataLength + 1), path),
    path,
    /at most 1048576 characters, got 1048577/,
  );
});

test('a struct that contains itself without an array cannot have a value', () => {
  const types = { Node: [row('next', 'Node')] };
  const data = {
    types: { ...types, EIP712Domain: [] },
    domain: {},
    primaryType: 'Node',
    message: { next: { next: {} } },
  };
  refuses(() => read(data), `${path}.message.next.next.next`, /missing/);
});

test('any JSON is read or refused', () => {
  const part = fc.jsonValue({ maxDepth: 3 });
  const parts = fc.record(
    { types: part, domain: part, primaryType: fc.string(), message: part },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(part, parts), (data) => {
      doneOrRefused(() => digest(data));
    }),
    { numRuns: 500 },
  );
});

test('valid typed data with one replaced part is read or refused', () => {
  fc.assert(
    fc.property(
      randomTypedData,
      fc.nat(),
      fc.jsonValue({ maxDepth: 2 }),
      ({ types, primaryType, written }, position, value) => {
        const data = { types, primaryType, ...written };
        const changed = replaced(data, position % partsOf(data), value);
        doneOrRefused(() => digest(changed));
      },
    ),
    { numRuns: 500 },
  );
});

function atLimit(limit: number, make: (count: number) => unknown, where: string): void {
  read(make(limit));
  refuses(
    () => read(make(limit + 1)),
    `${path}${where}`,
    new RegExp(`at most ${limit} `),
    `${where} with ${limit + 1}`,
  );
}

function word(byte: number): string {
  return `0x${new Uint8Array(32).fill(byte).toHex()}`;
}

function plain(value: TypedValue): unknown {
  switch (value.kind) {
    case 'struct':
      return Object.fromEntries([...value.members].map(([name, member]) => [name, plain(member)]));
    case 'list':
      return value.items.map(plain);
    case 'integer':
      return { value: value.value, written: value.written };
    case 'address':
    case 'bytes':
      return `0x${hex(value.value)}`;
    default:
      return value.value;
  }
}

/** Counts the JSON values in a JSON value, itself included. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + partsOf(part), 1);
}

/** Returns a copy in which the value at a position is replaced, counted from the outside in. */
function replaced(value: unknown, position: number, by: unknown): unknown {
  if (position === 0) return by;
  if (typeof value !== 'object' || value === null) return value;
  let start = 1;
  const entries = Object.entries(value).map(([name, part]) => {
    const size = partsOf(part);
    const inside = position >= start && position < start + size;
    const entry = [name, inside ? replaced(part, position - start, by) : part] as const;
    start += size;
    return entry;
  });
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
