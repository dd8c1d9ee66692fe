// Facts that policies see of a Solana transaction, by the shared vectors and the policies of public pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherBitcoinSpellings } from '../../../src/core/address/bitcoin_spellings.ts';
import { programs } from '../../../src/core/chains/solana/programs.ts';
import { solanaFormat } from '../../../src/core/chains/solana/sign.ts';
import { readIdl } from '../../../src/core/contracts/idl.ts';
import { textDigest } from '../../../src/core/contracts/smart_contract_interfaces.ts';
import { compileClause } from '../../../src/core/policy/language/clause.ts';
import type { FactStruct } from '../../../src/core/policy/language/values.ts';
import { readStruct } from '../../../src/core/policy/simulator/policy_scenario_facts.ts';
import type { Json, JsonObject } from '../../../src/core/schema/json.ts';
import { isJsonObject } from '../../../src/core/schema/json.ts';
import type { InterfaceTexts } from '../../../src/core/transactions/described.ts';
import { calledPrograms, solanaFacts } from '../../../src/core/transactions/solana/facts.ts';
import { account, build, keyText, u64 } from '../chains/solana/build.ts';
import { accountOf, rowsOf, type SolanaVector, solanaVectors } from '../chains/solana/vectors.ts';

for (const vector of solanaVectors) {
  test(`the facts are those of the vector: ${vector.name}`, () => {
    const expected = readStruct(
      'SolanaTransaction',
      forReading(vector.facts.solana.tx),
      '',
      otherBitcoinSpellings,
    );
    assert.deepEqual(plain(factsOf(vector)), { solana: { tx: plain(expected) } });
  });
}

type PolicyRow = {
  readonly name: string;
  readonly condition: string;
  readonly cases: readonly {
    readonly chain: string;
    readonly vector: string;
    readonly expected: 'applies' | 'does_not_apply' | 'fails';
    readonly code?: string;
  }[];
};

let cases = 0;
for (const { name, condition, cases: all } of rowsOf('policies.json') as readonly PolicyRow[]) {
  for (const { chain, vector: vectorName, expected, code } of all) {
    if (chain !== 'solana') continue;
    cases += 1;
    test(`the policy ${expected} (${name}): ${vectorName}`, () => {
      const vector = solanaVectors.find((each) => each.name === vectorName);
      assert(vector !== undefined);
      const outcome = compileClause('condition', condition).evaluate(factsOf(vector));
      assert.deepEqual(
        'failure' in outcome ? outcome.failure.code : outcome.value,
        expected === 'fails' ? code : expected === 'applies',
      );
    });
  }
}

test('all cases of public policies are there', () => {
  assert.equal(cases, 81);
});

test('an account of a table has a placeholder, and neither signs nor shifts others', () => {
  const bytes = build({
    version: 'V0',
    keys: [1, 2, 3],
    header: { readonlyUnsigned: 1 },
    tables: [
      { key: 7, writable: [9], readonly: [8] },
      { key: 6, writable: [5] },
    ],
    instructions: [{ program: 2, accounts: [5, 0, 4, 3, 1] }],
  });
  const { solana } = solanaFacts(solanaFormat.read(bytes, account), new Map());
  const { tx } = solana as { tx: FactStruct };
  const [instruction] = tx['instructions'] as FactStruct[];
  const hidden = { account_key: 'ADDRESS_TABLE_LOOKUP', signer: false };
  assert.deepEqual(instruction?.['accounts'], [
    { ...hidden, writable: false },
    { account_key: keyText(1), signer: true, writable: true },
    { ...hidden, writable: true },
    { ...hidden, writable: true },
    { account_key: keyText(2), signer: false, writable: true },
  ]);
  assert.deepEqual(tx['address_table_lookup_references'], [
    { address_table_key: keyText(7), index: 9n, writable: true },
    { address_table_key: keyText(6), index: 5n, writable: true },
    { address_table_key: keyText(7), index: 8n, writable: false },
  ]);
});

test('a program is listed once, and an uncalled key is not', () => {
  const instructions = [{ program: 3 }, { program: 1 }, { program: 3 }];
  const transaction = solanaFormat.read(build({ keys: [1, 2, 3, 4], instructions }), account);
  assert.deepEqual(calledPrograms(transaction), [keyText(2), keyText(4)]);
});

const idl = (instruction: JsonObject) =>
  JSON.stringify({
    instructions: [{ name: 'go', args: [], accounts: [], ...instruction }],
    types: [],
  });
const discriminator = [1, 2];

function parsedWith(text: string, data: string, accounts: readonly number[] = [0, 1]): Json {
  const bytes = build({ instructions: [{ program: 2, accounts, data }] });
  const interfaces: InterfaceTexts = new Map([[keyText(3), { text, digest: textDigest(text) }]]);
  const facts = plain(solanaFacts(solanaFormat.read(bytes, account), interfaces));
  const { solana } = facts as { solana: { tx: { instructions: [JsonObject] } } };
  return solana.tx.instructions[0]['parsed_instruction_data'] ?? null;
}

test('an instruction with fewer accounts than its interface names is not parsed', () => {
  const text = idl({ discriminator, accounts: [{ name: 'a' }, { name: 'b' }] });
  assert.notEqual(parsedWith(text, '0102'), null);
  assert.equal(parsedWith(text, '0102', [0]), null);
});

test('accounts of a group have its name as a prefix, and a name of two accounts is omitted', () => {
  const accounts = [
    { name: 'pool', accounts: [{ name: 'vault' }] },
    { name: 'user' },
    { name: 'user' },
  ];
  const text = idl({ discriminator, accounts });
  const parsed = parsedWith(text, '0102', [1, 0, 0]) as JsonObject;
  assert.deepEqual(parsed['named_accounts'], { 'pool.vault': keyText(2) });
});

test('an empty option and a float have no value, nor does a list that contains one', () => {
  const args = [
    { name: 'none', type: { option: 'u8' } },
    { name: 'float', type: 'f32' },
    { name: 'options', type: { array: [{ option: 'u8' }, 2] } },
    { name: 'number', type: 'u8' },
  ];
  const parsed = parsedWith(
    idl({ discriminator, args }),
    '0102' + '00' + '0000803f' + '000105' + '07',
  );
  assert.deepEqual((parsed as JsonObject)['program_call_args'], { number: '7' });
});

test('the system program is parsed by an interface of the organization, too', () => {
  const text = idl({
    discriminator: [2, 0, 0, 0],
    args: [{ name: 'lamports', type: 'u64' }],
  });
  const bytes = build({
    keys: [1, 2, programs.system],
    instructions: [{ program: 2, accounts: [0, 1], data: `02000000${u64(5n)}` }],
  });
  const interfaces: InterfaceTexts = new Map([
    [programs.system, { text, digest: textDigest(text) }],
  ]);
  const facts = solanaFacts(solanaFormat.read(bytes, account), interfaces);
  const text5 = `solana.tx.instructions[0].parsed_instruction_data.program_call_args['lamports'] == 5`;
  assert.deepEqual(compileClause('condition', text5).evaluate(facts), { value: true });
});

function factsOf(vector: SolanaVector): FactStruct {
  const { smartContractAddress, smartContractInterface: text } = vector.interface ?? {};
  if (text !== undefined) readIdl(JSON.parse(text));
  const interfaces: InterfaceTexts =
    smartContractAddress === undefined || text === undefined
      ? new Map()
      : new Map([[smartContractAddress, { text, digest: textDigest(text) }]]);
  const bytes = Uint8Array.fromHex(vector.unsignedTransaction);
  return solanaFacts(solanaFormat.read(bytes, accountOf(vector)), interfaces);
}

/** Returns the facts of a vector in the form of policy tests: without nulls, with both forms of lookups. */
function forReading(json: Json | undefined, key = ''): JsonObject {
  return withBothForms(withoutNulls(json ?? null), key) as JsonObject;
}

function withoutNulls(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, withoutNulls(value)]],
    ),
  );
}

/** The vectors contain an account of a table in one of its two forms. */
function withBothForms(json: Json, key: string): Json {
  const { index, writable } = isJsonObject(json) ? json : {};
  if (Array.isArray(json)) return json.map((each: Json) => withBothForms(each, key));
  if (!isJsonObject(json)) return json;
  if (key === 'instruction lookups' && index !== undefined) {
    const [writable_indexes, readonly_indexes] = writable === true ? [[index], []] : [[], [index]];
    return { ...json, writable_indexes, readonly_indexes };
  }
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const isOfInstruction = key === 'instructions' && name === 'address_table_lookups';
      return [name, withBothForms(value ?? null, isOfInstruction ? 'instruction lookups' : name)];
    }),
  );
}

/** Returns facts as JSON: integers as decimal text, maps as objects, without absent members. */
function plain(value: unknown): Json {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value as Json;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(
    entries.flatMap(([name, each]) => (each === undefined ? [] : [[name, plain(each)]])),
  );
}
