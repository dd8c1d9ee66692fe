// Instructions of the stake program and of loaders that grant power over stake and code. Those of the stake
// program come from @solana/web3.js.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Authorized,
  Lockup,
  PublicKey,
  StakeAuthorizationLayout,
  StakeProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { programs } from '../../../src/core/chains/solana/programs.ts';
import { solanaKind } from '../../../src/core/transactions/solana/index.ts';
import { account, build, keyText, type Parts, u64 } from '../chains/solana/build.ts';

const me = keyText(1);
const [two, three, four, nine] = [2, 3, 4, 9].map(keyText) as [string, string, string, string];
const key = (text: string) => new PublicKey(text);
const [own, stake, other, votes] = [me, two, four, three].map(key) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
];

/** Returns a transaction with one instruction of web3.js. */
function partsOf({ keys, programId, data }: TransactionInstruction): Parts {
  const addresses = [
    ...new Set([me, ...keys.map(({ pubkey }) => pubkey.toBase58()), String(programId)]),
  ];
  return {
    keys: addresses,
    instructions: [
      {
        program: addresses.indexOf(String(programId)),
        accounts: keys.map(({ pubkey }) => addresses.indexOf(pubkey.toBase58())),
        data: new Uint8Array(data),
      },
    ],
  };
}

function last(transaction: { readonly instructions: readonly TransactionInstruction[] }): Parts {
  const instruction = transaction.instructions.at(-1);
  return partsOf(instruction ?? assert.fail());
}

/** Returns a transaction with one instruction of a program and this data. */
const one = (program: string, data: string, accounts: readonly number[]): Parts => ({
  keys: [1, 2, 3, 4, 5, 6, 7, 9, program],
  instructions: [{ program: 8, accounts, data }],
});
const loader = (data: string, accounts: readonly number[]) => one(programs.loader, data, accounts);
const fourth = (data: string, accounts: readonly number[]) =>
  one(programs.fourthLoader, data, accounts);
const stakeCall = (data: string, accounts: readonly number[]) =>
  one(programs.stake, data, accounts);

const vote = (data: string, accounts: readonly number[]) => one(programs.vote, data, accounts);
const keyHex = (byte: number) => byte.toString(16).padStart(2, '0').repeat(32);
const withRent = (accounts: readonly number[]): Parts => {
  const { keys = [], instructions = [] } = stakeCall('09000000', accounts);
  return { keys: [...keys, 'SysvarRent111111111111111111111111111111111'], instructions };
};

const { Staker, Withdrawer } = StakeAuthorizationLayout;
const ofStake = { stakePubkey: stake, authorizedPubkey: own };
const seeded = {
  stakePubkey: stake,
  authorityBase: own,
  authoritySeed: 'seed',
  authorityOwner: votes,
};
const lockup = new Lockup(0, 0, PublicKey.default);

const setUp = (locked: Lockup) =>
  partsOf(
    StakeProgram.initialize({
      stakePubkey: stake,
      authorized: new Authorized(own, own),
      lockup: locked,
    }),
  );
const lockWarning = `Before the lockup of the stake account ${two} ends, a withdrawal needs the signature of its custodian.`;

const rows: readonly (readonly [Parts, text: string, ...warnings: string[]])[] = [
  [
    partsOf(
      StakeProgram.initialize({
        stakePubkey: stake,
        authorized: new Authorized(own, other),
        lockup,
      }),
    ),
    `Sets up the stake account ${two}: ${me} may delegate it, and ${four} may withdraw it.`,
    `${four} can withdraw everything in the stake account ${two}.`,
  ],
  [
    setUp(lockup),
    `Sets up the stake account ${two}: ${me} may delegate it, and ${me} may withdraw it.`,
  ],
  // A lockup delays withdrawals of those who may withdraw.
  [
    setUp(new Lockup(1_893_456_000, 0, other)),
    `Sets up the stake account ${two}: ${me} may delegate it, and ${me} may withdraw it from 2030-01-01T00:00:00Z on, or before with the signature of ${four}.`,
    lockWarning,
  ],
  [
    setUp(new Lockup(0, 900, other)),
    `Sets up the stake account ${two}: ${me} may delegate it, and ${me} may withdraw it from epoch 900 on, or before with the signature of ${four}.`,
    lockWarning,
  ],
  [
    setUp(new Lockup(1_893_456_000, 900, own)),
    `Sets up the stake account ${two}: ${me} may delegate it, and ${me} may withdraw it from 2030-01-01T00:00:00Z and epoch 900 on, or before with the signature of ${me}.`,
  ],
  [
    setUp(new Lockup(-5, 0, other)),
    `Sets up the stake account ${two}: ${me} may delegate it, and ${me} may withdraw it.`,
  ],
  [
    last(
      StakeProgram.authorize({
        ...ofStake,
        newAuthorizedPubkey: other,
        stakeAuthorizationType: Withdrawer,
      }),
    ),
    `Lets ${four} withdraw the stake account ${two}.`,
    `Only ${four} can withdraw everything in the stake account ${two}.`,
  ],
  [
    last(
      StakeProgram.authorize({
        ...ofStake,
        newAuthorizedPubkey: other,
        stakeAuthorizationType: Staker,
      }),
    ),
    `Lets ${four} delegate the stake account ${two}.`,
    `${four} decides to whom the stake account ${two} is delegated.`,
  ],
  [
    last(
      StakeProgram.authorizeWithSeed({
        ...seeded,
        newAuthorizedPubkey: other,
        stakeAuthorizationType: Withdrawer,
      }),
    ),
    `Lets ${four} withdraw the stake account ${two}.`,
    `Only ${four} can withdraw everything in the stake account ${two}.`,
  ],
  [
    last(StakeProgram.delegate({ ...ofStake, votePubkey: votes })),
    `Delegates the stake account ${two} to the vote account ${three}.`,
  ],
  [
    last(StakeProgram.split({ ...ofStake, splitStakePubkey: other, lamports: 7 }, 1)),
    `Splits 0.000000007 SOL of the stake account ${two} off into ${four}, with the same authorities.`,
  ],
  [
    last(StakeProgram.withdraw({ ...ofStake, toPubkey: other, lamports: 7 })),
    `Takes 0.000000007 SOL from the stake account ${two} and sends it to ${four}.`,
  ],
  [last(StakeProgram.deactivate(ofStake)), `Ends the delegation of the stake account ${two}.`],
  [
    last(StakeProgram.merge({ ...ofStake, sourceStakePubKey: other })),
    `Merges the stake account ${four} into ${two}.`,
  ],
  [
    stakeCall('06000000000000', [1, 0]),
    `Changes the lockup of the stake account ${two} or its custodian.`,
    `Before the lockup of the stake account ${two} ends, a withdrawal needs the signature of its custodian.`,
  ],
  [
    withRent([1, 9, 0, 3]),
    `Sets up the stake account ${two}: ${me} may delegate it, and ${four} may withdraw it.`,
    `${four} can withdraw everything in the stake account ${two}.`,
  ],
  // Newer clients omit the sysvars. Accounts after the last one that the program reads have no effect.
  [
    stakeCall('09000000', [1, 2, 3, 0]),
    `Sets up the stake account ${two}: ${three} may delegate it, and ${four} may withdraw it.`,
    `${four} can withdraw everything in the stake account ${two}.`,
  ],
  [
    stakeCall('0a00000001000000', [1, 0, 3, 0]),
    `Lets ${four} withdraw the stake account ${two}.`,
    `Only ${four} can withdraw everything in the stake account ${two}.`,
  ],
  [
    { ...stakeCall('0b00000001000000', [2, 3, 1, 0]), header: { requiredSignatures: 2 } },
    `Lets ${two} withdraw the stake account ${three}.`,
    `Only ${two} can withdraw everything in the stake account ${three}.`,
    `Another account has to sign as well: ${two}.`,
  ],
  [
    {
      version: 'V0',
      ...stakeCall('09000000', [1, 9, 0, 2]),
      tables: [{ key: 8, readonly: [1] }],
    },
    'Calls instruction 9 of the stake program.',
    `The effect of an instruction of the program ${programs.stake} is unknown.`,
    '1 account comes from lookup tables: the transaction does not hold the addresses.',
  ],
  [
    stakeCall('02000000', [1, 2, 0]),
    `Delegates the stake account ${two} to the vote account ${three}.`,
  ],
  [stakeCall('05000000', [1, 0]), `Ends the delegation of the stake account ${two}.`],
  [stakeCall('07000000', [1, 2, 0]), `Merges the stake account ${three} into ${two}.`],
  [
    vote(`00000000${keyHex(5)}${keyHex(6)}${keyHex(9)}0a`, [1, 2, 3, 0]),
    `Makes ${two} a vote account: ${keyText(6)} may vote, and ${nine} may withdraw everything in it.`,
    `${nine} can withdraw everything in the vote account ${two}.`,
  ],
  [
    vote(`01000000${keyHex(9)}01000000`, [1, 2, 0]),
    `Lets ${nine} withdraw everything in the vote account ${two}.`,
    `Only ${nine} can withdraw everything in the vote account ${two}.`,
  ],
  [
    vote('0700000000000000', [1, 2, 0, 3]),
    `Lets ${four} vote with the vote account ${two}.`,
    `${four} decides on the votes of the vote account ${two}.`,
  ],
  [vote('0e000000', [1, 0]), `Votes with the vote account ${two}.`],
  [
    vote(`03000000${u64(7n)}`, [1, 3, 0]),
    `Takes 0.000000007 SOL from the vote account ${two} and sends it to ${four}.`,
  ],
  [vote('04000000', [1, 3, 0]), `Makes ${four} the validator of the vote account ${two}.`],
  [vote('0500000064', [1, 0]), `Sets the commission of the vote account ${two} to 100 percent.`],
  [
    vote('0a000000', [1, 2, 0]),
    'Calls instruction 10 of the vote program.',
    `The effect of an instruction of the program ${programs.vote} is unknown.`,
  ],
  [
    stakeCall('0a00000001000000', [1, 2, 0, 3]),
    `Lets ${four} withdraw the stake account ${two}.`,
    `Only ${four} can withdraw everything in the stake account ${two}.`,
  ],
  [
    stakeCall('0b00000000000000', [1, 0, 2, 3]),
    `Lets ${four} delegate the stake account ${two}.`,
    `${four} decides to whom the stake account ${two} is delegated.`,
  ],
  [
    stakeCall('0c0000000000', [1, 0]),
    `Changes the lockup of the stake account ${two} or its custodian.`,
    `Before the lockup of the stake account ${two} ends, a withdrawal needs the signature of its custodian.`,
  ],
  [
    stakeCall('0e000000', [1, 2, 3]),
    `Ends the delegation of ${two} to a vote account that does not vote.`,
  ],
  [
    stakeCall(`10000000${u64(7n)}`, [1, 2, 0]),
    `Moves a stake of 0.000000007 SOL from ${two} to ${three}, which has the same authorities.`,
  ],
  [
    stakeCall(`11000000${u64(7n)}`, [1, 2, 0]),
    `Moves 0.000000007 SOL that is not staked from ${two} to ${three}, which has the same authorities.`,
  ],
  [
    stakeCall('0d000000', []),
    'Calls instruction 13 of the stake program.',
    `The effect of an instruction of the program ${programs.stake} is unknown.`,
  ],
  [
    stakeCall('04000000', [1, 2, 3, 4, 0]),
    'Calls instruction 4 of the stake program.',
    `The effect of an instruction of the program ${programs.stake} is unknown.`,
  ],
  [
    stakeCall('04', []),
    'Calls the stake program.',
    `The effect of an instruction of the program ${programs.stake} is unknown.`,
  ],
  [
    loader('00000000', [1, 3]),
    `Makes ${two} a buffer for the code of a program; its authority is ${four}.`,
    `${four} controls the buffer ${two}.`,
  ],
  [
    loader('00000000', [1, 0]),
    `Makes ${two} a buffer for the code of a program; its authority is ${me}.`,
  ],
  [loader('01000000ff', [1, 0]), `Writes 1 byte to the buffer ${two}.`],
  [
    loader(`02000000${u64(9n)}`, [0, 1, 2, 3, 4, 5, 6, 7]),
    `Deploys the program ${three} from the buffer ${four}; ${me} pays the rent of its code.`,
    `${nine} can replace the code of the program ${three}.`,
    `The transaction does not state how much SOL ${two} gets from ${me}.`,
  ],
  [
    loader('03000000', [1, 2, 3, 4, 5, 6, 0]),
    `Replaces the code of the program ${three} by that of the buffer ${four}, whose SOL goes to ${keyText(5)}.`,
    `The new code controls everything that the program ${three} owns.`,
  ],
  [
    loader('04000000', [1, 0, 2]),
    `Gives the authority over the code in ${two} to ${three}.`,
    `${three} can replace the code in ${two}.`,
  ],
  [
    loader('04000000', [1, 0]),
    `Removes the authority over the code in ${two}.`,
    `The authority over the code in ${two} is given up permanently.`,
  ],
  [
    loader('05000000', [1, 2, 0, 3]),
    `Closes ${two} and sends all SOL in it to ${three}, and permanently closes the program ${four}.`,
    `The transaction does not state how much SOL ${three} gets from ${two}.`,
  ],
  [loader('06000000', [1, 2]), `Extends the space for the code of the program ${three}.`],
  [
    loader('07000000', [1, 0, 2]),
    `Gives the authority over the code in ${two} to ${three}.`,
    `${three} can replace the code in ${two}.`,
  ],
  [
    loader('06000000ffff0000', [1, 2, 3, 0]),
    `Extends the space for the code of the program ${three}; ${me} pays the rent.`,
    `The transaction does not state how much SOL ${two} gets from ${me}.`,
  ],
  [
    loader('09000000ffff0000', [1, 2, 3, 4, 0]),
    `Extends the space for the code of the program ${three}; ${me} pays the rent.`,
    `The transaction does not state how much SOL ${two} gets from ${me}.`,
  ],
  [loader('08000000', [1, 2, 0]), `Moves the program ${three} to another loader.`],
  [loader('09000000', [1, 2, 0]), `Extends the space for the code of the program ${three}.`],
  [
    loader('0a000000', []),
    'Calls instruction 10 of the program that loads programs.',
    `The effect of an instruction of the program ${programs.loader} is unknown.`,
  ],
  [fourth('00000000ff', [1, 0]), `Writes 1 byte to the program ${two}.`],
  [fourth('01000000', [1, 0, 2]), `Copies the code of ${three} to the program ${two}.`],
  [fourth('02000000', [1, 0]), `Changes the size of the space for the code of the program ${two}.`],
  [
    fourth('03000000', [1, 0]),
    `Deploys the program ${two}.`,
    `The new code controls everything that the program ${two} owns.`,
  ],
  [fourth('04000000', [1, 0]), `Takes the program ${two} out of service.`],
  [
    fourth('05000000', [1, 0, 2]),
    `Gives the authority over the code in ${two} to ${three}.`,
    `${three} can replace the code in ${two}.`,
  ],
  [
    fourth('06000000', [1, 0, 2]),
    `Removes the authority over the code in ${two}.`,
    `The authority over the code in ${two} is given up permanently.`,
  ],
];

for (const [parts, text, ...warnings] of rows) {
  test(`is explained: ${text}`, () => {
    const transaction = solanaKind.format.read(build(parts), account);
    const { effects, warnings: found } = solanaKind.explain(transaction, account, new Map());
    assert.deepEqual(
      effects.map((effect) => effect.text),
      [text],
    );
    assert.deepEqual(
      found.map((warning) => warning.text),
      warnings,
    );
  });
}

const transfersOf = (parts: Parts) =>
  solanaKind.transfers(solanaKind.format.read(build(parts), account), account);

test('a withdrawal of stake counts as SOL that its withdrawer sends', () => {
  const parts = last(StakeProgram.withdraw({ ...ofStake, toPubkey: other, lamports: 7 }));
  assert.deepEqual(transfersOf(parts), [{ token: '', from: me, to: four, amount: 7n }]);
  assert.deepEqual(transfersOf(stakeCall('04000000', [1, 2, 3, 4, 0])), []);
  assert.deepEqual(transfersOf(stakeCall(`03000000${u64(7n)}`, [1, 2, 0])), []);
});

test('accounts after the withdrawer do not make a withdrawal of stake look like one to itself', () => {
  const data = `04000000${u64(7n)}`;
  for (const accounts of [
    [1, 2, 0],
    [1, 2, 0, 5, 2],
  ]) {
    assert.deepEqual(transfersOf(stakeCall(data, accounts)), [
      { token: '', from: me, to: three, amount: 7n },
    ]);
  }
  const [own] = transfersOf(stakeCall(data, [1, 0, 0]));
  assert.equal(own?.from, own?.to);
});

test('a new withdrawer of stake makes the sum of SOL unknown, in all forms of the instruction', () => {
  const given = { token: '', from: two, amount: 0n, isAtLeast: true };
  const key = `${keyHex(9)}01000000`;
  for (const [parts, to] of [
    [stakeCall(`01000000${key}`, [1, 2, 0]), nine],
    [stakeCall(`01000000${key}`, [1, 0]), nine],
    [stakeCall(`08000000${key}${u64(0n)}${keyHex(9)}`, [1, 0]), nine],
    [stakeCall('0a00000001000000', [1, 2, 0, 3]), four],
    [stakeCall('0a00000001000000', [1, 0, 3, 0]), four],
    [stakeCall('0b00000001000000', [1, 0, 2, 3]), four],
  ] as const) {
    assert.deepEqual(transfersOf(parts), [{ ...given, to }]);
  }
  for (const parts of [
    stakeCall(`01000000${keyHex(9)}00000000`, [1, 0]),
    stakeCall(`01000000${keyHex(1)}01000000`, [1, 0]),
    stakeCall('0a00000001000000', [1, 2, 3, 0]),
    stakeCall('0a00000001', [1, 2, 3, 0]),
  ]) {
    assert.deepEqual(transfersOf(parts), []);
  }
});

test('SOL that the loader moves without an amount makes the sum unknown', () => {
  const unknown = { token: '', amount: 0n, isAtLeast: true };
  const deploy = `02000000${u64(9n)}`;
  for (const [data, accounts, from, to] of [
    [deploy, [0, 1, 2, 3, 4, 5, 6, 7], me, two],
    ['03000000', [1, 2, 3, 4, 5, 6, 0], me, keyText(5)],
    ['04000000', [1, 0, 2], two, three],
    ['05000000', [1, 2, 0], me, three],
    ['06000000ffff0000', [1, 2, 3, 0], me, two],
    ['07000000', [1, 0, 2], two, three],
    ['09000000ffff0000', [1, 2, 3, 4, 0], me, two],
  ] as const) {
    assert.deepEqual(transfersOf(loader(data, accounts)), [{ ...unknown, from, to }], data);
  }
  // The signing account can get the SOL back.
  for (const [data, accounts] of [
    [deploy, [0, 1, 2, 3, 4, 5, 6, 0]],
    ['03000000', [1, 2, 3, 0, 5, 6, 0]],
    ['04000000', [1, 0]],
    ['05000000', [1, 0, 0]],
    ['06000000ffff0000', [1, 2]],
    ['09000000ffff0000', [1, 2, 0, 4, 0]],
  ] as const) {
    assert.deepEqual(transfersOf(loader(data, accounts)), [], data);
  }
});
