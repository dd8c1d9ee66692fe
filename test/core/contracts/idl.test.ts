import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { idlLimits, readIdl } from '../../../src/core/contracts/idl.ts';
import { parsedIdls } from '../../../src/core/contracts/idl_program.ts';
import { textDigest } from '../../../src/core/contracts/smart_contract_interfaces.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';

/** The format of Anchor up to 0.29. */
const older = {
  version: '0.1.0',
  name: 'vault',
  instructions: [
    {
      name: 'initializeVault',
      accounts: [
        { name: 'vault', isMut: true, isSigner: false },
        { name: 'rent', accounts: [{ name: 'payer', isMut: true, isSigner: true }] },
      ],
      args: [
        { name: 'owner', type: 'publicKey' },
        { name: 'limits', type: { vec: { defined: 'Limit' } } },
        { name: 'note', type: { option: 'string' } },
        { name: 'seed', type: { array: ['u8', 32] } },
      ],
    },
    { name: 'close', accounts: [], args: [] },
  ],
  accounts: [{ name: 'Vault', type: { kind: 'struct', fields: [] } }],
  types: [
    {
      name: 'Limit',
      type: {
        kind: 'struct',
        fields: [
          { name: 'amount', type: 'u64' },
          { name: 'kind', type: { defined: 'Kind' } },
        ],
      },
    },
    {
      name: 'Kind',
      type: {
        kind: 'enum',
        variants: [
          { name: 'Daily' },
          { name: 'Named', fields: [{ name: 'label', type: 'string' }] },
          { name: 'Pair', fields: ['i128', { option: 'bool' }] },
        ],
      },
    },
    { name: 'Amounts', type: { kind: 'alias', value: { vec: 'u128' } } },
  ],
};

/** The format since 0.30. */
const newer = {
  address: 'Vault11111111111111111111111111111111111111',
  metadata: { name: 'vault', version: '0.1.0', spec: '0.1.0' },
  instructions: [
    {
      name: 'initialize_vault',
      discriminator: [48, 191, 163, 44, 71, 129, 63, 164],
      accounts: [
        { name: 'vault', writable: true, pda: { seeds: [] } },
        { name: 'payer', writable: true, signer: true, optional: true },
        { name: 'system_program', address: '11111111111111111111111111111111' },
      ],
      args: [
        { name: 'owner', type: 'pubkey' },
        { name: 'limit', type: { defined: { name: 'Limit' } } },
      ],
    },
    { name: 'close', discriminator: [1], accounts: [], args: [] },
  ],
  types: [
    { name: 'Limit', type: { kind: 'struct', fields: ['f64', 'bytes'] } },
    { name: 'Amount', type: { kind: 'type', alias: 'u64' } },
    { name: 'Unit', type: { kind: 'struct' } },
  ],
};

test('both formats are read', () => {
  assert.deepEqual(namesOf(older), ['initializeVault', 'close']);
  assert.deepEqual(namesOf(newer), ['initialize_vault', 'close']);
  assert.deepEqual(namesOf({ ...newer, types: [], instructions: newer.instructions.slice(1) }), [
    'close',
  ]);
});

const primitives =
  'bool bytes string publicKey pubkey f32 f64 u8 u16 u32 u64 u128 i8 i16 i32 i64 i128'.split(' ');

const withArgument = (type: unknown) => ({
  instructions: [{ name: 'go', accounts: [], args: [{ name: 'x', type }] }],
  types: [{ name: 'T', type: { kind: 'struct', fields: [] } }],
});

test('every type of the format is known', () => {
  for (const type of [
    ...primitives,
    { vec: { option: { array: [{ defined: 'T' }, 0] } } },
    { defined: { name: 'T', generics: [] } },
  ]) {
    assert.deepEqual(namesOf(withArgument(type)), ['go']);
  }
});

const namesOf = (idl: unknown) => readIdl(idl).map(({ name }) => name);

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

const instruction = { name: 'go', accounts: [] as unknown, args: [] as unknown };
const withInstructions = (...instructions: unknown[]) => ({ instructions, types: [] });
const argumentOf = (name: string) => ({
  name: 'go',
  accounts: [],
  args: [{ name: 'x', type: { defined: name } }],
});

test('types that no argument is made of may lack a definition, as programs publish them', () => {
  const types = [
    { name: 'Prices', type: { kind: 'alias', value: { vec: { defined: 'PriceId' } } } },
    struct('Account', { name: 'prices', type: { defined: 'Prices' } }),
    struct('Limit', { name: 'amount', type: 'u64' }),
  ];
  assert.deepEqual(namesOf({ instructions: [argumentOf('Limit')], types }), ['go']);
  for (const name of ['Account', 'Prices']) {
    assert.throws(() => readIdl({ instructions: [argumentOf(name)], types }), {
      message: /`types\.0\.type\.value\.vec\.defined`: the type `PriceId` is not defined$/,
    });
  }
});

test('an IDL without types is read, and an instruction that needs an unknown type has a problem', () => {
  const { instructions } = withInstructions(instruction);
  assert.deepEqual(namesOf({ instructions }), ['go']);
  assert.equal(readIdl({ instructions })[0]?.problem, undefined);
  const argument = (type: unknown) => [{ name: 'x', type }];
  const types = [
    struct('Wide', { name: 'v', type: 'u256' }),
    struct('Inner', { name: 'w', type: { defined: 'Wide' } }),
    struct('Same', { name: 'v', type: 'u8' }),
    { ...struct('Same', { type: 'u8', name: 'v', docs: ['of the oracle'] }), docs: ['twice'] },
    struct('Other', { name: 'v', type: 'u8' }),
    struct('Other', { name: 'v', type: 'u16' }),
    { ...struct('Many'), generics: [{ kind: 'type', name: 'T' }] },
  ];
  const cases: readonly [name: string, type: unknown, problem: RegExp | undefined][] = [
    ['wide', 'u256', /unknown type `u256`/],
    ['tuple', { tuple: ['u8', 'u8'] }, /expected one of vec, option, array, defined/],
    ['nested', { vec: { defined: 'Inner' } }, /unknown type `u256`/],
    ['missing', { defined: 'Nowhere' }, /the type `Nowhere` is not defined/],
    ['generic', { defined: 'Many' }, /generic types are not supported/],
    ['other', { defined: 'Other' }, /a type `Other` stands there twice/],
    ['same', { defined: 'Same' }, undefined],
  ];
  const idl = {
    instructions: cases.map(([name, type]) => ({ ...instruction, name, args: argument(type) })),
    types,
  };
  for (const [i, { name, problem }] of readIdl(idl).entries()) {
    const [, , expected] = cases[i] ?? assert.fail();
    if (expected === undefined) assert.equal(problem, undefined, name);
    else assert.match(problem ?? '', expected, name);
  }
});

test('recursive types end the search for definitions', () => {
  const types = [
    struct('A', { name: 'b', type: { vec: { defined: 'B' } } }),
    struct('B', { name: 'a', type: { option: { defined: 'A' } } }),
  ];
  assert.deepEqual(namesOf({ instructions: [argumentOf('A')], types }), ['go']);
});

const withTypes = (...types: { readonly name: string; readonly [other: string]: unknown }[]) => ({
  instructions: [argumentOf(types[0]?.name ?? '')],
  types,
});
const struct = (name: string, ...fields: unknown[]) => ({ name, type: { kind: 'struct', fields } });
const nested = (depth: number): unknown => (depth === 0 ? 'u8' : { vec: nested(depth - 1) });
const grouped = (depth: number): object =>
  depth === 0 ? { name: 'a' } : { name: 'a', accounts: [grouped(depth - 1)] };
const type = '`instructions.0.args.0.type';

const refused: readonly [idl: unknown, message: string][] = [
  [[], 'expected a JSON object, got an array'],
  [null, 'expected a JSON object, got null'],
  [{ instructions: [instruction], types: {} }, '`types`: expected a JSON array, got an object'],
  [{ types: [] }, '`instructions`: expected a JSON array, got nothing'],
  [withInstructions(), '`instructions`: expected at least one instruction'],
  [withInstructions('go'), '`instructions.0`: expected a JSON object, got a string'],
  [
    withInstructions({ ...instruction, name: '' }),
    '`instructions.0.name`: expected a name, got ``',
  ],
  [
    withInstructions({ ...instruction, args: {} }),
    '`instructions.0.args`: expected a JSON array, got an object',
  ],
  [
    withInstructions({ name: 'go', args: [] }),
    '`instructions.0.accounts`: expected a JSON array, got nothing',
  ],
  [
    withInstructions({ ...instruction, accounts: [{ name: 'a', isMut: 1 }] }),
    '`instructions.0.accounts.0.isMut`: expected a boolean, got a number',
  ],
  [
    withInstructions({ ...instruction, accounts: [grouped(17)] }),
    `\`instructions.0.accounts${'.0.accounts'.repeat(17)}\`: nested too deep`,
  ],
  [
    withInstructions(instruction, { ...instruction, accounts: [] }),
    '`instructions.1`: an instruction `go` stands there twice',
  ],
  [
    withInstructions(
      { ...instruction, discriminator: [1, 2] },
      { ...instruction, name: 'no', discriminator: [1, 2] },
    ),
    '`instructions.1`: an instruction with the discriminator `1,2` stands there twice',
  ],
  ...[[], [256], [-1], [0.5], ['1']].map((discriminator): [unknown, string] => [
    withInstructions({ ...instruction, discriminator }),
    '`instructions.0.discriminator`: expected bytes from 0 to 255',
  ]),
  [
    withInstructions({ ...instruction, discriminant: { type: 'u8', value: 3 } }),
    '`instructions.0.discriminant`: expected an IDL of Anchor, got one whose instructions begin with other bytes',
  ],
  [
    withInstructions({ ...instruction, args: ['u8'] }),
    '`instructions.0.args.0`: expected a JSON object, got a string',
  ],
  [
    withInstructions({ ...instruction, args: [{ vec: 'u8' }] }),
    '`instructions.0.args.0.name`: expected text, got nothing',
  ],
  [withArgument('u256'), `${type}\`: unknown type \`u256\``],
  [withArgument('toString'), `${type}\`: unknown type \`toString\``],
  [withArgument(7), `${type}\`: expected a JSON object, got a number`],
  [withArgument({}), `${type}\`: expected one of vec, option, array, defined`],
  [withArgument({ map: 'u8' }), `${type}\`: expected one of vec, option, array, defined`],
  [
    withArgument({ vec: 'u8', option: 'u8' }),
    `${type}\`: expected one of vec, option, array, defined`,
  ],
  [withArgument({ array: ['u8'] }), `${type}.array\`: expected a type and a length`],
  [withArgument({ array: ['u8', -1] }), `${type}.array\`: expected a type and a length`],
  [
    withArgument({ array: ['u8', { generic: 'N' }] }),
    `${type}.array\`: expected a type and a length`,
  ],
  [withArgument({ array: ['u8', 1, 1] }), `${type}.array\`: expected at most 2 items, got 3`],
  [withArgument({ defined: 'U' }), `${type}.defined\`: the type \`U\` is not defined`],
  [
    withArgument({ defined: { name: 'T', generics: [{ kind: 'type', type: 'u8' }] } }),
    `${type}.defined\`: generic types are not supported`,
  ],
  [
    withArgument(nested(idlLimits.depth + 1)),
    `${type}${'.vec'.repeat(idlLimits.depth + 1)}\`: nested too deep`,
  ],
  [
    withTypes(struct('T'), struct('T', { name: 'v', type: 'u8' })),
    '`types.1`: a type `T` stands there twice',
  ],
  [
    withTypes({ name: 'T', type: { kind: 'union' } }),
    '`types.0.type.kind`: unknown kind of type `union`',
  ],
  [
    withTypes({ ...struct('T'), generics: [{ kind: 'type', name: 'X' }] }),
    '`types.0`: generic types are not supported',
  ],
  [
    withTypes(struct('T', { name: 'x', type: 'u8' }, 'u8')),
    '`types.0.type.fields`: expected names for all fields or for none',
  ],
  [
    withTypes(struct('T', { name: 'x', type: 'u8' }, { name: 'x', type: 'u8' })),
    '`types.0.type.fields.1`: a field `x` stands there twice',
  ],
  [
    withTypes({ name: 'E', type: { kind: 'enum', variants: [{ name: 'A' }, { name: 'A' }] } }),
    '`types.0.type.variants.1`: a variant `A` stands there twice',
  ],
  [
    withTypes({ name: 'E', type: { kind: 'enum', variants: [{ name: 'A', fields: ['x'] }] } }),
    '`types.0.type.variants.0.fields.0`: unknown type `x`',
  ],
  [
    withTypes({ name: 'A', type: { kind: 'alias' } }),
    '`types.0.type.value`: expected a JSON object, got nothing',
  ],
  [
    withTypes({ name: 'A', type: { kind: 'type' } }),
    '`types.0.type.alias`: expected a JSON object, got nothing',
  ],
];

test('text that is not an IDL is refused with the position', () => {
  for (const [idl, message] of refused)
    assert.equal(
      refusalOf(() => readIdl(idl)),
      message,
    );
  assert.equal(
    refusalOf(() => readIdl(withArgument(nested(idlLimits.depth)))),
    'accepted',
  );
});

test('any JSON is read or refused', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const anyType = fc.oneof(
    value,
    fc.constantFrom('u8', 'T', { vec: 'u8' }, { defined: 'T' }, { array: ['u8', 2] }),
  );
  const fields = fc.oneof(value, fc.array(fc.record({ name: fc.string(), type: anyType })));
  const idl = fc.record(
    {
      instructions: fc.oneof(
        value,
        fc.array(fc.record({ name: fc.string(), args: fields, accounts: fields })),
      ),
      types: fc.oneof(
        value,
        fc.array(
          fc.record({
            name: fc.constantFrom('T', 'U', '__proto__'),
            type: fc.oneof(
              value,
              fc.record({
                kind: fc.constantFrom('struct', 'enum', 'alias', 'type', 'constructor'),
                fields,
                variants: fields,
                value: anyType,
                alias: anyType,
              }),
            ),
          }),
        ),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(value, idl), (any) => typeof refusalOf(() => readIdl(any)) === 'string'),
  );
});

test('an accepted IDL can be read when a transaction calls the program', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const type = fc.constantFrom<unknown>('u8', { vec: 'bool' }, { defined: 'T' }, { option: 'u64' });
  const named = fc.uniqueArray(fc.record({ name, type }), { selector: (each) => each.name });
  const fields = fc.oneof(named, fc.array(type, { maxLength: 3 }));
  const definition = fc.oneof(
    fc.record({ kind: fc.constant('struct'), fields }, { requiredKeys: ['kind'] }),
    fc.record({ kind: fc.constant('enum'), variants: fc.tuple(fc.record({ name, fields })) }),
    fc.record({ kind: fc.constant('alias'), value: type }),
    fc.record({ kind: fc.constant('type'), alias: type }),
  );
  const accounts = fc.array(fc.oneof(fc.record({ name }), fc.record({ name, accounts: named })));
  const oneInstruction = fc.record(
    { name, args: fields, accounts, discriminator: fc.constant([1]) },
    { requiredKeys: ['name', 'args', 'accounts'] },
  );
  const idl = fc.record({
    instructions: fc.tuple(oneInstruction),
    types: fc.tuple(fc.record({ name: fc.constant('T'), type: definition })),
  });
  let accepted = 0;
  fc.assert(
    fc.property(idl, (any) => {
      if (refusalOf(() => readIdl(any)) !== 'accepted') return;
      accepted += 1;
      const text = JSON.stringify(any);
      assert.equal(parsedIdls.of({ text, digest: textDigest(text) }).instructions.length, 1);
    }),
    { numRuns: 300 },
  );
  assert(accepted > 50, `${accepted} were accepted`);
});
