// The explanation of Solana transactions, sentence by sentence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex, utf8 } from '../../../src/core/base/bytes.ts';
import { programs } from '../../../src/core/chains/solana/programs.ts';
import { textDigest } from '../../../src/core/contracts/smart_contract_interfaces.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { solanaKind } from '../../../src/core/transactions/solana/index.ts';
import { account, build, keyText, type Parts, u64 } from '../chains/solana/build.ts';
import { accountOf, solanaVectors } from '../chains/solana/vectors.ts';

const me = keyText(1);
const two = keyText(2);
const three = keyText(3);
const four = keyText(4);
const keyHex = (byte: number) => byte.toString(16).padStart(2, '0').repeat(32);
const u32 = (value: number) => u64(BigInt(value)).slice(0, 8);
const seed = `${u64(4n)}73656564`;

function explain(parts: Parts, interfaces: Readonly<Record<string, string>> = {}) {
  const transaction = solanaKind.format.read(build(parts), account);
  const texts = Object.entries(interfaces).map(
    ([address, text]) => [address, { text, digest: textDigest(text) }] as const,
  );
  return solanaKind.explain(transaction, account, new Map(texts));
}

/** Returns a transaction with one instruction of a program, which is the fifth key. */
const one = (program: string, data: string, accounts: readonly number[]): Parts => ({
  keys: [1, 2, 3, 4, program],
  instructions: [{ program: 4, accounts, data }],
});
const system = (data: string, accounts: readonly number[]) => one(programs.system, data, accounts);
const token = (data: string, accounts: readonly number[]) => one(programs.token, data, accounts);

type Row = readonly [name: string, parts: Parts, effect: object, ...warnings: string[]];

const transferred = { kind: 'TRANSFER', from: me, to: two, asset: 'SOL' };
const systemEffect = (kind: string) => ({ kind, contract: programs.system });
const tokenEffect = (kind: string) => ({ kind, contract: programs.token });
const memo = (hex: string) => one(programs.memo, hex, []);
const budget = (hex: string) => one(programs.computeBudget, hex, []);

const rows: readonly Row[] = [
  [
    'a transfer',
    system(`02000000${u64(1_500_000_000n)}`, [0, 1]),
    { ...transferred, text: `${me} sends 1.5 SOL to ${two}.`, amount: '1500000000' },
  ],
  [
    'a transfer from a derived address',
    system(`0b000000${u64(5n)}${seed}${keyHex(9)}`, [1, 0, 2]),
    {
      kind: 'TRANSFER',
      text: `${two}, which ${me} signs for, sends 0.000000005 SOL to ${three}.`,
      from: two,
      to: three,
      amount: '5',
      asset: 'SOL',
    },
  ],
  [
    'a new account',
    system(`00000000${u64(7n)}${u64(165n)}${keyHex(9)}`, [0, 1]),
    {
      ...transferred,
      text: `${me} puts 0.000000007 SOL into the new account ${two} of 165 bytes, which the program ${keyText(9)} owns.`,
      amount: '7',
    },
  ],
  [
    'a new account at a derived address',
    system(`03000000${keyHex(1)}${seed}${u64(7n)}${u64(165n)}${keyHex(9)}`, [0, 1]),
    {
      ...transferred,
      text: `${me} puts 0.000000007 SOL into the new account ${two} (derived from ${me} and the seed "seed") of 165 bytes, which the program ${keyText(9)} owns.`,
      amount: '7',
    },
  ],
  [
    'a seed with characters that turn others',
    system(`0a000000${keyHex(1)}${u64(5n)}61e280ae22${keyHex(9)}`, [1]),
    {
      ...systemEffect('PERMISSION_CHANGE'),
      text: `Makes the program ${keyText(9)} the owner of the account ${two} (derived from ${me} and the seed "a\\u{202e}\\"").`,
    },
    `NEW_AUTHORITY: The program ${keyText(9)} decides on all that the account ${two} holds.`,
  ],
  [
    'a new owner',
    system(`01000000${keyHex(9)}`, [0]),
    {
      ...systemEffect('PERMISSION_CHANGE'),
      text: `Makes the program ${keyText(9)} the owner of the account ${me}.`,
    },
    `NEW_AUTHORITY: The program ${keyText(9)} decides on all that the account ${me} holds.`,
  ],
  [
    'a new owner of a derived address',
    system(`0a000000${keyHex(1)}${seed}${keyHex(9)}`, [1]),
    {
      ...systemEffect('PERMISSION_CHANGE'),
      text: `Makes the program ${keyText(9)} the owner of the account ${two} (derived from ${me} and the seed "seed").`,
    },
    `NEW_AUTHORITY: The program ${keyText(9)} decides on all that the account ${two} holds.`,
  ],
  [
    'room and a new owner of a derived address',
    system(`09000000${keyHex(1)}${seed}${u64(10n)}${keyHex(9)}`, [1]),
    {
      ...systemEffect('PERMISSION_CHANGE'),
      text: `Makes the program ${keyText(9)} the owner of the account ${two} (derived from ${me} and the seed "seed") of 10 bytes.`,
    },
    `NEW_AUTHORITY: The program ${keyText(9)} decides on all that the account ${two} holds.`,
  ],
  [
    'room',
    system(`08000000${u64(10n)}`, [0]),
    { ...systemEffect('PERMISSION_CHANGE'), text: `Makes the account ${me} 10 bytes long.` },
    `NEW_AUTHORITY: The account ${me} then contains data and can no longer send SOL by transfers.`,
  ],
  [
    'room for a nonce',
    system(`08000000${u64(80n)}`, [0]),
    { ...systemEffect('PERMISSION_CHANGE'), text: `Makes the account ${me} 80 bytes long.` },
    `NEW_AUTHORITY: Anyone can then make the account ${me} a nonce account and withdraw its SOL.`,
  ],
  [
    'room for nothing',
    system(`08000000${u64(0n)}`, [0]),
    { ...systemEffect('PERMISSION_CHANGE'), text: `Makes the account ${me} 0 bytes long.` },
  ],
  [
    'the own account as a new account',
    system(`00000000${u64(7n)}${u64(165n)}${keyHex(9)}`, [1, 0]),
    {
      ...transferred,
      from: two,
      to: me,
      text: `${two} puts 0.000000007 SOL into the new account ${me} of 165 bytes, which the program ${keyText(9)} owns.`,
      amount: '7',
    },
    `NEW_AUTHORITY: The program ${keyText(9)} decides on all that the account ${me} holds.`,
  ],
  [
    'a durable nonce',
    system('04000000', [1, 2, 0]),
    { ...systemEffect('VALIDITY'), text: `Advances the nonce of the account ${two}.` },
    `DURABLE_NONCE: The transaction does not expire: it can be sent until the nonce of ${two} advances.`,
  ],
  [
    'a withdrawal from a nonce account',
    system(`05000000${u64(9n)}`, [1, 2]),
    {
      kind: 'TRANSFER',
      text: `Takes 0.000000009 SOL from the nonce account ${two} and sends it to ${three}.`,
      from: two,
      to: three,
      amount: '9',
      asset: 'SOL',
    },
  ],
  [
    'a new nonce account',
    system(`06000000${keyHex(9)}`, [1]),
    {
      ...systemEffect('PERMISSION_CHANGE'),
      text: `Makes ${two} a nonce account; ${keyText(9)} is its authority.`,
    },
    `NEW_AUTHORITY: ${keyText(9)} can withdraw everything in the nonce account ${two}.`,
  ],
  [
    'a new nonce account of the own account',
    system(`06000000${keyHex(1)}`, [1]),
    {
      ...systemEffect('PERMISSION_CHANGE'),
      text: `Makes ${two} a nonce account; ${me} is its authority.`,
    },
  ],
  [
    'another authority of a nonce account',
    system(`07000000${keyHex(9)}`, [1]),
    {
      ...systemEffect('PERMISSION_CHANGE'),
      text: `Makes ${keyText(9)} the authority of the nonce account ${two}.`,
    },
    `NEW_AUTHORITY: ${keyText(9)} can withdraw everything in the nonce account ${two}.`,
  ],
  [
    'an upgrade of a nonce account',
    system('0c000000', [1]),
    { ...systemEffect('VALIDITY'), text: `Upgrades the nonce account ${two}.` },
  ],
  [
    'tokens without their mint',
    token(`03${u64(5n)}`, [1, 2, 0]),
    {
      kind: 'TOKEN_TRANSFER',
      text: `${me} moves 5 of the smallest unit of a token from the token account ${two} to the token account ${three}.`,
      from: two,
      to: three,
      amount: '5',
    },
    'UNVERIFIED_AMOUNT: A transfer of tokens does not name the token.',
  ],
  [
    'tokens with their mint',
    token(`0c${u64(1_250_000n)}06`, [1, 3, 2, 0]),
    {
      kind: 'TOKEN_TRANSFER',
      text: `${me} moves 1.25 of the token ${four} from the token account ${two} to the token account ${three}.`,
      from: two,
      to: three,
      amount: '1250000',
      asset: four,
    },
  ],
  [
    'tokens with a fee',
    token(`1a01${u64(1_250_000n)}06${u64(10n)}`, [1, 3, 2, 0]),
    {
      kind: 'TOKEN_TRANSFER',
      text: `${me} moves 1.25 of the token ${four} from the token account ${two} to the token account ${three}, of which a fee of 0.00001 is withheld.`,
      from: two,
      to: three,
      amount: '1250000',
      asset: four,
    },
  ],
  [
    'an approval',
    token(`04${u64(5n)}`, [1, 2, 0]),
    {
      kind: 'APPROVAL',
      text: `${me} lets ${three} move up to 5 of the smallest unit from the token account ${two}.`,
      from: two,
      to: three,
      amount: '5',
    },
    `APPROVAL: ${three} can take tokens of the token account ${two} at any later time.`,
  ],
  [
    'an approval without a limit',
    token(`0d${u64(2n ** 64n - 1n)}06`, [1, 3, 2, 0]),
    {
      kind: 'APPROVAL',
      text: `${me} lets ${three} move all tokens from the token account ${two}.`,
      from: two,
      to: three,
      amount: '18446744073709551615',
      asset: four,
    },
    `UNLIMITED_APPROVAL: ${three} can take all tokens of the token account ${two} at any later time.`,
  ],
  [
    'an approval with its mint',
    token(`0d${u64(1_000_000n)}06`, [1, 3, 2, 0]),
    {
      kind: 'APPROVAL',
      text: `${me} lets ${three} move up to 1 of the token ${four} from the token account ${two}.`,
      from: two,
      to: three,
      amount: '1000000',
      asset: four,
    },
    `APPROVAL: ${three} can take tokens of the token account ${two} at any later time.`,
  ],
  [
    'an approval taken back',
    token('05', [1, 0]),
    {
      ...tokenEffect('APPROVAL'),
      text: `Revokes the allowance of the delegate of the token account ${two}.`,
    },
  ],
  [
    'another owner of a token account',
    token(`060201${keyHex(9)}`, [1, 0]),
    {
      ...tokenEffect('PERMISSION_CHANGE'),
      text: `Gives the authority for owning over ${two} to ${keyText(9)}.`,
      to: keyText(9),
    },
    `NEW_AUTHORITY: ${keyText(9)} gets the authority for owning over ${two}.`,
  ],
  [
    'another authority of an extension',
    token(`060901${keyHex(9)}`, [1, 0]),
    {
      ...tokenEffect('PERMISSION_CHANGE'),
      text: `Gives the authority for setting up confidential transfers over ${two} to ${keyText(9)}.`,
      to: keyText(9),
    },
    `NEW_AUTHORITY: ${keyText(9)} gets the authority for setting up confidential transfers over ${two}.`,
  ],
  [
    'an authority that can take all tokens',
    token(`060801${keyHex(9)}`, [1, 0]),
    {
      ...tokenEffect('PERMISSION_CHANGE'),
      text: `Gives the authority for taking all tokens from anyone over ${two} to ${keyText(9)}.`,
      to: keyText(9),
    },
    `NEW_AUTHORITY: ${keyText(9)} gets the authority for taking all tokens from anyone over ${two}.`,
  ],
  [
    'an authority of an extension that is newer than the reader',
    token(`063201${keyHex(9)}`, [1, 0]),
    {
      ...tokenEffect('PERMISSION_CHANGE'),
      text: `Gives the authority for kind 50 over ${two} to ${keyText(9)}.`,
      to: keyText(9),
    },
    `NEW_AUTHORITY: ${keyText(9)} gets the authority for kind 50 over ${two}.`,
  ],
  [
    'an authority given up',
    token('060000', [1, 0]),
    {
      ...tokenEffect('PERMISSION_CHANGE'),
      text: `Removes the authority for minting over ${two}.`,
    },
    `NEW_AUTHORITY: The authority for minting over ${two} is given up permanently.`,
  ],
  [
    'new tokens',
    token(`0e${u64(1_000_000n)}06`, [3, 1, 0]),
    {
      kind: 'TOKEN_TRANSFER',
      text: `Mints 1 of the token ${four} in the token account ${two}.`,
      to: two,
      amount: '1000000',
      asset: four,
    },
  ],
  [
    'tokens destroyed',
    token(`08${u64(1n)}`, [1, 3, 0]),
    {
      kind: 'TOKEN_TRANSFER',
      text: `Burns 1 of the smallest unit of the token ${four} in the token account ${two}.`,
      from: two,
      amount: '1',
      asset: four,
    },
  ],
  [
    'a token account closed for its owner',
    token('09', [1, 0, 0]),
    {
      kind: 'TRANSFER',
      text: `Closes the token account ${two} and sends all SOL in it to ${me}.`,
      from: two,
      to: me,
      asset: 'SOL',
    },
  ],
  [
    'a token account closed for another',
    token('09ff', [1, 2, 0]),
    {
      kind: 'TRANSFER',
      text: `Closes the token account ${two} and sends all SOL in it to ${three}.`,
      from: two,
      to: three,
      asset: 'SOL',
    },
    `UNVERIFIED_AMOUNT: The transaction does not state how much SOL ${three} gets from ${two}.`,
  ],
  [
    'SOL beyond the rent',
    token('26', [1, 2, 0]),
    {
      kind: 'TRANSFER',
      text: `Sends the SOL in ${two} beyond its rent to ${three}.`,
      from: two,
      to: three,
      asset: 'SOL',
    },
    `UNVERIFIED_AMOUNT: The transaction does not state how much SOL ${three} gets from ${two}.`,
  ],
  [
    'wrapped SOL, all of it',
    token('2d00', [1, 0, 0]),
    {
      kind: 'TRANSFER',
      text: `Sends all wrapped SOL of the token account ${two} to ${me} as SOL.`,
      from: two,
      to: me,
      asset: 'SOL',
    },
  ],
  [
    'wrapped SOL, some of it',
    token(`2d01${u64(10n)}`, [1, 2, 0]),
    {
      kind: 'TRANSFER',
      text: `Sends 0.00000001 SOL that is wrapped in the token account ${two} to ${three}.`,
      from: two,
      to: three,
      amount: '10',
      asset: 'SOL',
    },
  ],
  [
    'a token account frozen',
    token('0a', [1, 3, 0]),
    { ...tokenEffect('PERMISSION_CHANGE'), text: `Freezes the token account ${two}.` },
  ],
  [
    'a token account thawed',
    token('0b', [1, 3, 0]),
    { ...tokenEffect('PERMISSION_CHANGE'), text: `Thaws the token account ${two}.` },
  ],
  [
    'SOL wrapped',
    token('11', [1]),
    { ...tokenEffect('CALL'), text: `Wraps the SOL that was sent to the token account ${two}.` },
  ],
  [
    'a token account set up',
    token('01', [1, 3, 2, 0]),
    {
      ...tokenEffect('CALL'),
      text: `Makes ${two} a token account of the token ${four}, which ${three} owns.`,
    },
  ],
  ...['10', '12'].map(
    (tag): Row => [
      `a token account set up by ${tag}`,
      token(`${tag}${keyHex(9)}`, [1, 3]),
      {
        ...tokenEffect('CALL'),
        text: `Makes ${two} a token account of the token ${four}, which ${keyText(9)} owns.`,
      },
    ],
  ),
  ...['01', `10${keyHex(9).slice(2)}`, '14', '16'].map(
    (data): Row => [
      `something set up by ${data.slice(0, 2)}`,
      token(data, [1, 3]),
      { ...tokenEffect('CALL'), text: `Sets up ${two} for the token program.` },
    ],
  ),
  [
    'a guard against other programs',
    token('2201', [1, 0]),
    {
      ...tokenEffect('PERMISSION_CHANGE'),
      text: `Calls instruction 34 of the token program ${programs.token}, about the guard against other programs of ${two}.`,
    },
    `NEW_AUTHORITY: Other programs may be allowed to move tokens of the token account ${two}.`,
    `UNREADABLE_CALL_DATA: The effect of an instruction of the program ${programs.token} is unknown.`,
  ],
  [
    'the permanent delegate',
    token(`23${keyHex(9)}`, [1]),
    {
      ...tokenEffect('PERMISSION_CHANGE'),
      text: `Calls instruction 35 of the token program ${programs.token}, about the permanent delegate of ${two}.`,
    },
    `NEW_AUTHORITY: A permanent delegate can take all tokens of ${two} from anyone.`,
    `UNREADABLE_CALL_DATA: The effect of an instruction of the program ${programs.token} is unknown.`,
  ],
  [
    'a transfer hook',
    token(`2401${keyHex(9)}`, [1, 0]),
    {
      ...tokenEffect('PERMISSION_CHANGE'),
      text: `Calls instruction 36 of the token program ${programs.token}, about the transfer hook of ${two}.`,
    },
    `NEW_AUTHORITY: Another program decides on transfers of the token ${two}.`,
    `UNREADABLE_CALL_DATA: The effect of an instruction of the program ${programs.token} is unknown.`,
  ],
  [
    'confidential transfers',
    token('1b', [1]),
    {
      ...tokenEffect('PERMISSION_CHANGE'),
      text: `Calls instruction 27 of the token program ${programs.token}, about confidential transfers of ${two}.`,
    },
    `UNREADABLE_CALL_DATA: The effect of an instruction of the program ${programs.token} is unknown.`,
  ],
  [
    'an unknown token instruction',
    token('64', [1]),
    {
      ...tokenEffect('CALL'),
      text: `Calls instruction 100 of the token program ${programs.token}.`,
    },
    `UNREADABLE_CALL_DATA: The effect of an instruction of the program ${programs.token} is unknown.`,
  ],
  [
    'a token account made',
    one(programs.associatedToken, '', [0, 1, 2, 3]),
    {
      kind: 'CALL',
      text: `${me} pays the rent of a new token account ${two}, which ${three} owns, for the token ${four}.`,
      from: me,
      contract: programs.associatedToken,
    },
  ],
  [
    'a token account made where there is none',
    one(programs.associatedToken, '01', [0, 1, 2, 3]),
    {
      kind: 'CALL',
      text: `${me} pays the rent of a new token account ${two}, which ${three} owns, for the token ${four}, if there is none yet.`,
      from: me,
      contract: programs.associatedToken,
    },
  ],
  [
    'a nested token account',
    one(programs.associatedToken, '02', [0, 1, 2, 3]),
    {
      kind: 'CALL',
      text: 'Calls the program of associated token accounts.',
      contract: programs.associatedToken,
    },
    `UNREADABLE_CALL_DATA: The effect of an instruction of the program ${programs.associatedToken} is unknown.`,
  ],
  ['a memo', memo('6869'), { kind: 'DATA', text: 'Writes the memo "hi".' }],
  [
    'a memo with characters that do not show',
    memo('61e280ae0a22e385a4'),
    { kind: 'DATA', text: 'Writes the memo "a\\u{202e}\\u{a}\\"\\u{3164}".' },
  ],
  [
    'a long memo',
    memo('61'.repeat(500)),
    { kind: 'DATA', text: `Writes the memo "${'a'.repeat(500)}".` },
  ],
  [
    'a memo that is no text',
    memo('ff'),
    { kind: 'DATA', text: 'Writes a memo of 1 byte that is not text.' },
  ],
  [
    'a heap',
    budget(`01${u32(65536)}`),
    { kind: 'RESOURCE_CHANGE', text: 'Requests a heap of 65536 bytes.' },
  ],
  [
    'a limit of compute units',
    budget(`02${u32(300)}`),
    { kind: 'RESOURCE_CHANGE', text: 'Uses at most 300 compute units.' },
  ],
  [
    'a price of compute units',
    budget(`03${u64(1500n)}`),
    { kind: 'RESOURCE_CHANGE', text: 'Offers 0.0015 lamports for each compute unit.' },
  ],
  [
    'a limit of loaded data',
    budget(`04${u32(1000)}`),
    { kind: 'RESOURCE_CHANGE', text: 'Loads at most 1000 bytes of accounts.' },
  ],
  [
    'a budget that cannot be read',
    budget('00'),
    {
      kind: 'RESOURCE_CHANGE',
      text: 'Calls the compute budget program in a way that the network refuses.',
    },
  ],
  [
    'a budget in version 1',
    { ...budget(`02${u32(300)}`), version: 'V1' },
    {
      kind: 'RESOURCE_CHANGE',
      text: 'Calls the compute budget program, which changes nothing in version 1.',
    },
  ],
  [
    'an unknown program without our signature',
    one(three, '0102', [1]),
    { kind: 'CALL', text: `Calls the program ${three} with 2 bytes of data.`, contract: three },
    `UNKNOWN_CONTRACT: No interface of the program ${three} is stored.`,
  ],
];

for (const [name, given, effect, ...warnings] of rows) {
  test(`is explained: ${name}`, () => {
    // A key may occur only once.
    const keys = given.keys?.[4] === three ? [1, 2, 5, 4, three] : given.keys;
    const explanation = explain({ ...given, ...(keys === undefined ? {} : { keys }) });
    assert.deepEqual(explanation.effects, [effect]);
    const found = explanation.warnings.map(({ code, text }) => `${code}: ${text}`);
    assert.deepEqual(found, warnings);
  });
}

const idl = JSON.stringify({
  instructions: [
    {
      name: 'swap',
      discriminator: [1, 2],
      accounts: [{ name: 'user' }],
      args: [
        { name: 'amount', type: 'u64' },
        { name: 'route', type: { vec: { option: 'string' } } },
        { name: 'side', type: { defined: { name: 'Side' } } },
        { name: 'rate', type: 'f32' },
      ],
    },
  ],
  types: [
    {
      name: 'Side',
      type: { kind: 'enum', variants: [{ name: 'Buy' }, { name: 'Sell', fields: ['u8'] }] },
    },
  ],
});
const swap = `0102${u64(7n)}${u32(2)}00${'01'}${u32(1)}61${'01'}05${'0000c03f'}`;

test('a call is explained with the stored interface', () => {
  const parts: Parts = {
    keys: [1, 2, 3],
    instructions: [{ program: 2, accounts: [0], data: swap }],
  };
  const { effects, warnings, summary } = explain(parts, { [three]: idl });
  const text = `Calls swap of the program ${three} with the signature of ${me}, as the stored interface describes it.`;
  assert.deepEqual(effects, [
    {
      kind: 'CALL',
      text,
      contract: three,
      functionName: 'swap',
      arguments: [
        { name: 'amount', value: '7' },
        { name: 'route', value: '[none, "a"]' },
        { name: 'side', value: '{Sell: [5]}' },
        { name: 'rate', value: '1.5' },
        { name: 'account user', value: me },
      ],
    },
  ]);
  assert.equal(summary, text);
  assert.deepEqual(warnings, []);
});

test('a name that only the author of the interface vouches for is warned of', () => {
  const derived = [...sha256(utf8('global:deposit')).subarray(0, 8)];
  const of = (discriminator: readonly number[], type: unknown = 'u8') =>
    JSON.stringify({
      instructions: [
        { name: 'deposit', discriminator, accounts: [], args: [{ name: 'amount', type }] },
        { name: 'other', accounts: [], args: [] },
      ],
    });
  const warned = (discriminator: readonly number[], type?: unknown) => {
    const data = `${hex(Uint8Array.from(discriminator))}05`;
    const parts = { keys: [1, 2, 3], instructions: [{ program: 2, accounts: [], data }] };
    return explain(parts, { [three]: of(discriminator, type) }).warnings;
  };
  assert.deepEqual(warned(derived), []);
  assert.deepEqual(warned(derived.toReversed()), [
    {
      code: 'NAME_OF_ANOTHER_CALL',
      text: `The stored interface of ${three} names the instruction deposit, but the instruction does not begin with the bytes of this name (Anchor). Only the author of the interface vouches for the name.`,
    },
  ]);
  // The type has no definition.
  assert.deepEqual(warned(derived, { defined: { name: 'Missing' } }), [
    {
      code: 'NOT_DECODED',
      text: `The stored interface of the program ${three} does not decode deposit.`,
    },
  ]);
});

test('a call shows the accounts under the names of the interface', () => {
  const told = (names: readonly string[], ...accounts: readonly number[]) => {
    const named = names.map((name) => ({ name }));
    const vault = { name: 'vault', accounts: named };
    const instructions = [{ name: 'go', discriminator: [1], args: [], accounts: [vault] }];
    const text = JSON.stringify({ instructions, types: [] });
    const { effects, warnings } = explain(
      {
        version: 'V0',
        keys: [1, 2, 3],
        tables: [{ key: 7, writable: [0] }],
        instructions: [{ program: 2, accounts, data: '01' }],
      },
      { [three]: text },
    );
    const warning = 'Only a part of the arguments and accounts of go is shown here.';
    const isWarned = warnings.some((each) => each.text === warning);
    assert.equal(isWarned, accounts.length > Math.min(names.length, 32));
    return effects[0]?.arguments?.map(({ name, value }) => `${name}: ${value}`);
  };
  assert.deepEqual(told(['to', 'from\u202e'], 1, 3), [
    `account vault.to: ${two}`,
    'account vault.from\\u{202e}: an account that only a lookup table names',
  ]);
  assert.deepEqual(told(['to'], 1, 0), [`account vault.to: ${two}`, '…: 1 more account']);
  const names = Array.from({ length: 33 }, (_, i) => `n${i}`);
  const rows = told(names, ...names.map(() => 1), 0);
  assert.equal(rows?.length, 33);
  assert.deepEqual(rows?.slice(31), [`account vault.n31: ${two}`, '…: 2 more accounts']);
});

test('a call names every account whose signature the program gets', () => {
  const textOf = (...accounts: readonly number[]) =>
    explain({
      keys: [2, 1, 3, 4],
      header: { requiredSignatures: 2 },
      instructions: [{ program: 3, accounts, data: '01' }],
    }).effects[0]?.text;
  assert.equal(textOf(2), `Calls the program ${four} with 1 byte of data.`);
  assert.equal(
    textOf(0, 2),
    `Calls the program ${four} with the signature of ${two} and 1 byte of data.`,
  );
  assert.equal(
    textOf(1, 0, 1),
    `Calls the program ${four} with the signatures of ${two} and ${me} and 1 byte of data.`,
  );
});

test('the explanation of a call with many arguments counts the omitted ones', () => {
  const argumentsOf = (count: number) => {
    const args = Array.from({ length: count }, (_, i) => ({ name: `a${i}`, type: 'u8' }));
    const instructions = [{ name: 'go', discriminator: [1], args, accounts: [] }];
    const call = { program: 2, accounts: [], data: `01${'07'.repeat(count)}` };
    const text = JSON.stringify({ instructions, types: [] });
    const { effects } = explain({ keys: [1, 2, 3], instructions: [call] }, { [three]: text });
    return effects[0]?.arguments?.slice(15);
  };
  assert.deepEqual(argumentsOf(16), [{ name: 'a15', value: '7' }]);
  const last = { name: '…', value: '2 more' };
  assert.deepEqual(argumentsOf(18), [{ name: 'a15', value: '7' }, last]);
});

test('a call that does not fit the stored interface is named as such', () => {
  const parts: Parts = {
    keys: [1, 2, 3],
    instructions: [{ program: 2, accounts: [0], data: '01' }],
  };
  const { effects, warnings } = explain(parts, { [three]: idl });
  const text = `Calls the program ${three} with the signature of ${me} and 1 byte of data.`;
  assert.deepEqual(effects, [{ kind: 'CALL', text, contract: three }]);
  const warning = `The stored interface of the program ${three} does not fit the call.`;
  assert.deepEqual(warnings, [{ code: 'UNREADABLE_CALL_DATA', text: warning }]);
});

const transfer = { program: 4, accounts: [0, 1], data: `02000000${u64(1n)}` };

test('the summary of one effect is its sentence, and of several effects their number', () => {
  const keys = [1, 2, 3, programs.computeBudget, programs.system, programs.token];
  const limit = { program: 3, data: `02${u32(300)}` };
  const sent = `${me} sends 0.000000001 SOL to ${two}.`;
  const nothing = 'The transaction only pays its fee.';
  assert.equal(explain({ keys }).summary, nothing);
  assert.equal(explain({ keys, instructions: [limit] }).summary, nothing);
  assert.equal(explain({ keys, instructions: [limit, transfer] }).summary, sent);
  assert.equal(
    explain({ keys, instructions: [transfer, transfer] }).summary,
    'The transaction consists of 2 transfers of SOL.',
  );
  const owner = { program: 5, accounts: [1, 0], data: `060201${keyHex(9)}` };
  assert.equal(
    explain({ keys, instructions: [transfer, owner, transfer] }).summary,
    'The transaction consists of 1 change of an authority and 2 transfers of SOL.',
  );
});

test('accounts of lookup tables are never named', () => {
  const { effects, warnings } = explain({
    version: 'V0',
    keys: [1, programs.system],
    tables: [{ key: 7, writable: [0], readonly: [1] }],
    instructions: [{ program: 1, accounts: [0, 2], data: `02000000${u64(1n)}` }],
  });
  const to = 'an account that only a lookup table names';
  const text = `${me} sends 0.000000001 SOL to ${to}.`;
  assert.deepEqual(effects, [{ kind: 'TRANSFER', text, from: me, amount: '1', asset: 'SOL' }]);
  const warning =
    '2 accounts come from lookup tables: the transaction does not hold the addresses.';
  assert.deepEqual(warnings, [{ code: 'HIDDEN_ACCOUNTS', text: warning }]);
});

test('one account of a table is counted in the singular', () => {
  const { warnings } = explain({ version: 'V0', tables: [{ key: 7, writable: [0] }] });
  const text = '1 account comes from lookup tables: the transaction does not hold the addresses.';
  assert.deepEqual(warnings, [{ code: 'HIDDEN_ACCOUNTS', text }]);
});

test('other payers and signers are named', () => {
  const { fee, warnings } = explain({ keys: [2, 1, 3, 4], header: { requiredSignatures: 3 } });
  assert.deepEqual(fee, {
    maximum: '15000',
    asset: 'SOL',
    payer: two,
    text: `${two} pays a fee of at most 0.000015 SOL.`,
  });
  assert.deepEqual(warnings, [
    { code: 'FEE_PAYER_IS_ANOTHER', text: `${two} pays the fee, not ${me}.` },
    {
      code: 'OTHER_SIGNERS',
      text: `2 other accounts have to sign as well: ${two}, ${three}.`,
    },
  ]);
  const alone = explain({ keys: [1, 2], header: { requiredSignatures: 2 } });
  assert.deepEqual(alone.warnings, [
    { code: 'OTHER_SIGNERS', text: `Another account has to sign as well: ${two}.` },
  ]);
});

test('the fee is the maximum of the network', () => {
  const keys = [
    1,
    2,
    programs.computeBudget,
    'Ed25519SigVerify111111111111111111111111111',
    programs.memo,
  ];
  const feeOf = (...data: readonly (readonly [program: number, hex: string])[]) =>
    explain({
      keys,
      instructions: data.map(([program, hex]) => ({ program, data: hex })),
    }).fee?.maximum;
  assert.equal(feeOf(), '5000');
  assert.equal(feeOf([4, '61']), '5000');
  // 200,000 units for each instruction without a limit, 3,000 for one of the budget program, at a lamport
  // each.
  assert.equal(feeOf([2, `03${u64(1_000_000n)}`], [4, '61'], [4, '61']), '408000');
  assert.equal(feeOf([2, `03${u64(1_000_000n)}`], [2, `02${u32(10)}`], [4, '61']), '5010');
  assert.equal(feeOf([2, `03${u64(1n)}`], [4, '61']), '5001', 'a part of a lamport is one');
  assert.equal(feeOf([2, `03${u64(1_000_000n)}`], [2, `02${u32(9_000_000)}`]), '1405000');
  assert.equal(feeOf([3, '0200']), '15000', 'a program of the network checks two signatures');
  assert.equal(feeOf([2, `02${u32(1)}`], [2, `02${u32(1)}`]), undefined, 'the network refuses it');
  assert.equal(feeOf([2, '07']), undefined);
});

test('a price alone gives a fee, and a high fee is warned of', () => {
  const { fee, warnings } = explain({
    keys: [1, programs.computeBudget],
    instructions: [{ program: 1, data: `03${u64(10n ** 12n)}` }],
  });
  assert.equal(fee?.text, `${me} pays a fee of at most 3.000005 SOL.`);
  assert.deepEqual(warnings, [
    { code: 'HIGH_FEE', text: 'The fee may be as high as 3.000005 SOL.' },
  ]);
});

test('the fee of version 1 is in its config', () => {
  const priorityFee = 10_000_000n;
  const { fee, warnings } = explain({ version: 'V1', config: { priorityFee } });
  assert.equal(fee?.maximum, '10005000');
  assert.deepEqual(warnings, [
    { code: 'HIGH_FEE', text: 'The fee may be as high as 0.010005 SOL.' },
  ]);
  assert.equal(explain({ version: 'V1' }).fee?.maximum, '5000');
});

test('each warning appears once, the most serious first', () => {
  const keys = [2, 1, 3, programs.system, 5];
  const { warnings } = explain({
    keys,
    header: { requiredSignatures: 2 },
    instructions: [
      { program: 3, accounts: [2], data: '04000000' },
      { program: 4, accounts: [] },
      { program: 4, accounts: [] },
      { program: 3, accounts: [1], data: `01000000${keyHex(9)}` },
    ],
  });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['NEW_AUTHORITY', 'UNKNOWN_CONTRACT', 'DURABLE_NONCE', 'FEE_PAYER_IS_ANOTHER', 'OTHER_SIGNERS'],
  );
});

test('limits count an allowance of a delegate, and know no sum without a limit', () => {
  const transfersOf = (parts: Parts) =>
    solanaKind.transfers(solanaKind.format.read(build(parts), account), account);
  const approve = (amount: bigint) =>
    transfersOf(one(programs.token, `04${u64(amount)}`, [1, 2, 0]));
  const of = { token: undefined, from: two, to: three };
  assert.deepEqual(approve(7n), [{ ...of, amount: 7n }]);
  assert.deepEqual(approve(0n), []);
  assert.deepEqual(approve(2n ** 64n - 1n), [{ ...of, amount: 0n, isAtLeast: true }]);
  assert.deepEqual(transfersOf(one(programs.token, `0d${u64(7n)}06`, [1, 2, 3, 0])), [
    { token: three, from: two, to: four, amount: 7n },
  ]);
});

test('limits count SOL that the system program moves, and tokens, also unnamed ones', () => {
  const transfersOf = (parts: Parts) =>
    solanaKind.transfers(solanaKind.format.read(build(parts), account), account);
  const sol = { token: '', from: me, to: two, amount: 7n };
  assert.deepEqual(transfersOf(system(`02000000${u64(7n)}`, [0, 1])), [sol]);
  assert.deepEqual(transfersOf(system(`00000000${u64(7n)}${u64(165n)}${keyHex(9)}`, [0, 1])), [
    sol,
  ]);
  assert.deepEqual(transfersOf(system(`0b000000${u64(7n)}${seed}${keyHex(9)}`, [0, 2, 1])), [sol]);
  assert.deepEqual(transfersOf(system(`05000000${u64(7n)}`, [0, 1])), [sol]);
  assert.deepEqual(transfersOf(system(`08000000${u64(7n)}`, [0, 1])), []);
  assert.deepEqual(transfersOf(token(`0c${u64(7n)}06`, [1, 3, 2, 0])), [
    { token: four, from: two, to: three, amount: 7n },
  ]);
  const unnamed = { token: undefined, from: two, to: three, amount: 7n };
  // A token account at the address of the owner, which may have another owner by now.
  assert.deepEqual(transfersOf(token(`03${u64(7n)}`, [1, 0, 0])), [{ ...unnamed, to: me }]);
  assert.deepEqual(transfersOf(token(`03${u64(7n)}`, [1, 2, 0])), [unnamed]);
  // An approval counts like a transfer to the delegate.
  assert.deepEqual(transfersOf(token(`0d${u64(7n)}06`, [1, 3, 2, 0])), [
    { token: four, from: two, to: three, amount: 7n },
  ]);
  const hidden: Parts = {
    version: 'V0',
    keys: [1, 2, programs.token],
    tables: [{ key: 7, writable: [0] }],
    instructions: [{ program: 2, accounts: [1, 3, 1, 0], data: `0c${u64(7n)}06` }],
  };
  assert.deepEqual(transfersOf(hidden), [{ ...unnamed, to: two, from: two }]);
  // Two accounts of tables may be equal or not, so they count as different.
  const pair: Parts = {
    version: 'V0',
    keys: [1, 2, programs.token],
    tables: [{ key: 7, writable: [0, 1] }],
    instructions: [{ program: 2, accounts: [3, 1, 4, 0], data: `0c${u64(7n)}06` }],
  };
  assert.deepEqual(transfersOf(pair), [
    { token: two, from: 'ADDRESS_TABLE_LOOKUP', to: '', amount: 7n },
  ]);
  assert.deepEqual(transfersOf(token(`2d01${u64(7n)}`, [1, 2, 0])), [{ ...sol, to: three }]);
});

test('every shared vector is explained in sentences, with its interface', () => {
  for (const vector of solanaVectors) {
    const signer = accountOf(vector);
    const bytes = Uint8Array.fromHex(vector.unsignedTransaction);
    const transaction = solanaKind.format.read(bytes, signer);
    const { smartContractAddress, smartContractInterface: text } = vector.interface ?? {};
    const interfaces =
      smartContractAddress === undefined || text === undefined
        ? []
        : [[smartContractAddress, { text, digest: textDigest(text) }] as const];
    const { summary, effects, fee, warnings } = solanaKind.explain(
      transaction,
      signer,
      new Map(interfaces),
    );
    for (const sentence of [
      summary,
      fee?.text,
      ...[...effects, ...warnings].map((each) => each.text),
    ]) {
      assert.match(String(sentence), /^[A-Z1-9].*\.$/s, vector.name);
      assert.doesNotMatch(String(sentence), /undefined|null|NaN|ADDRESS_TABLE_LOOKUP/, vector.name);
    }
    assert.equal(effects.length, transaction.instructions.length);
    assert.equal(solanaKind.chain(transaction, signer), 'solana');
  }
});
