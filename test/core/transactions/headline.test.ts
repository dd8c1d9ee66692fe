// The first line of an approval: the amount, the chain and the parties, with the names of the organization.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '../../../src/core/base/bytes.ts';
import { programs } from '../../../src/core/chains/solana/programs.ts';
import type { Effect } from '../../../src/core/organization/records/transaction_explanation.ts';
import { explainTransaction } from '../../../src/core/transactions/explain_signed.ts';
import {
  addressKey,
  headlineOf,
  isPlainPayment,
  type KnownAddresses,
  nothingKnown,
} from '../../../src/core/transactions/headline/headline.ts';
import {
  knownAddresses,
  type ReportedRows,
} from '../../../src/core/transactions/headline/known_addresses.ts';
import { shortAddress } from '../../../src/core/transactions/headline/short_address.ts';
import { solanaKind } from '../../../src/core/transactions/solana/index.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../support/transaction_vectors.ts';
import { account, build, keyText, u64 } from '../chains/solana/build.ts';

const signer = '0x1111111111111111111111111111111111111111';
const dead = '0x000000000000000000000000000000000000dEaD';
const other = '0x2222222222222222222222222222222222222222';
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

const transfer = (members: Partial<Effect> = {}): Effect => ({
  kind: 'TRANSFER',
  text: '',
  from: signer,
  to: dead,
  amount: '500000000000000000',
  asset: 'ETH',
  ...members,
});

const headline = (
  effects: readonly Effect[],
  chain = 'eip155:11155111',
  known: KnownAddresses = nothingKnown,
) => headlineOf({ effects }, { chain, signer }, known);

test('the headline of a coin transfer has its amount, its chain and both parties', () => {
  assert.deepEqual(headline([transfer()]), {
    kind: 'pay',
    amount: '0.5 ETH',
    asset: 'ETH',
    chain: 'Sepolia',
    network: 'test',
    from: { address: signer, standing: { kind: 'unknown' } },
    to: [{ address: dead, standing: { kind: 'unknown' } }],
    more: 0,
  });
});

test('a transfer whose text says more than the headline is no plain payment', () => {
  const [me, own, program] = [keyText(1), keyText(2), keyText(9)];
  const explain = (data: string, accounts: readonly number[]) => {
    const instructions = [{ program: 4, accounts, data }];
    const parts = { keys: [1, 2, 3, 4, programs.system], instructions };
    return solanaKind.explain(solanaKind.format.read(build(parts), account), account, new Map());
  };
  assert.equal(isPlainPayment(explain(`02000000${u64(7n)}`, [0, 1])), true);
  const newAccount = `${u64(7n)}${u64(165n)}${'09'.repeat(32)}`;
  for (const [number, accounts] of [
    ['00', [0, 1]],
    ['0d', [1, 0]],
  ] as const) {
    const explained = explain(`${number}000000${newAccount}`, accounts);
    assert.equal(isPlainPayment(explained), false);
    // The headline is that of a payment, although the program controls all funds of the account.
    const { from, to } = headlineOf(explained, { chain: 'solana', signer: me }) ?? assert.fail();
    assert.deepEqual([from.address, to.map(({ address }) => address)], [me, [own]]);
    assert.match(explained.summary, new RegExp(`which the program ${program} owns`));
  }
  const paid = transfer({ text: `${signer} sends 0.5 ETH to ${dead}.` });
  assert.equal(isPlainPayment({ effects: [paid] }), true);
  assert.equal(isPlainPayment({ effects: [paid, paid] }), false);
});

test('each chain has its name, its coin and its decimals', () => {
  const rows = [
    ['eip155:137', 'POL', '1500000000000000000', '1.5 POL', 'Polygon'],
    [
      'eip155:999',
      'coin of eip155:999',
      '7',
      '7 × smallest unit of coin of eip155:999',
      'chain 999',
    ],
    ['solana', 'SOL', '1', '0.000000001 SOL', 'Solana'],
    ['bip122', 'BTC', '100000000', '1 BTC', 'Bitcoin'],
    ['tron', 'TRX', '1000001', '1.000001 TRX', 'Tron'],
    ['eip155', 'coin of any chain', '7', '7 × smallest unit of coin of any chain', undefined],
  ] as const;
  for (const [chain, asset, amount, text, name] of rows) {
    const found = headline([transfer({ asset, amount })], chain);
    assert.deepEqual([found?.amount, found?.chain], [text, name]);
  }
});

test('a contract named SOL on an Ethereum chain gets no decimals', () => {
  assert.equal(
    headline([transfer({ asset: 'SOL', amount: '5' })])?.amount,
    '5 × smallest unit of SOL',
  );
});

test('a known token has its symbol only on its own chain', () => {
  const token = transfer({ kind: 'TOKEN_TRANSFER', asset: usdc, amount: '25000000' });
  assert.equal(headline([token], 'eip155:1')?.amount, '25 USDC');
  assert.equal(
    headline([token], 'eip155:10')?.amount,
    `25\u202f000\u202f000 × smallest unit of ${usdc}`,
  );
});

test('an allowance is named, and has no amount if it is unlimited', () => {
  const allowance = (amount: string) =>
    headline([transfer({ kind: 'APPROVAL', asset: usdc, amount })], 'eip155:1');
  assert.deepEqual([allowance('1000000')?.kind, allowance('1000000')?.amount], ['allow', '1 USDC']);
  const unlimited = allowance(String(2n ** 256n - 1n));
  assert.deepEqual([unlimited?.amount, unlimited?.asset], [undefined, 'USDC']);
});

test('amounts to several recipients are summed, change is omitted, and other assets are counted', () => {
  const found = headline([
    transfer(),
    transfer({ to: other, amount: '1000000000000000000' }),
    transfer({ to: signer.toUpperCase().replace('0X', '0x'), amount: '9' }),
    transfer({ kind: 'TOKEN_TRANSFER', asset: usdc }),
  ]);
  assert.equal(found?.amount, '1.5 ETH');
  assert.deepEqual(
    found?.to.map(({ address }) => address),
    [dead, other],
  );
  assert.equal(found?.more, 1);
});

test('a call next to a transfer counts, and the call of a token transfer does not', () => {
  const call: Effect = { kind: 'CALL', text: '', contract: dead };
  assert.equal(headline([transfer(), call])?.more, 1);
  const token = transfer({ kind: 'TOKEN_TRANSFER', asset: usdc });
  assert.equal(headline([{ ...call, contract: usdc }, token])?.more, 0);
  assert.equal(headline([transfer(), { kind: 'DELEGATION', text: '' }])?.more, 1);
});

test('a transfer of tokens hides no other call', () => {
  const token = transfer({ kind: 'TOKEN_TRANSFER', asset: usdc });
  const call = (contract: string): Effect => ({ kind: 'CALL', text: '', contract });
  assert.equal(headline([token, call(dead)])?.more, 1, 'a further instruction of Solana');
  assert.equal(headline([call(dead), token])?.more, 1, 'a wrapper of the transfer');
  assert.equal(headline([call(usdc), token, token, call(dead)])?.more, 1, 'a further call');
  assert.equal(headline([call(other), token, token, call(dead)])?.more, 2, 'an inner call');
  assert.equal(headline([{ kind: 'CALL', text: '' }, token])?.more, 1, 'a call of no contract');
});

test('a transaction without a transfer has no headline', () => {
  assert.equal(headline([{ kind: 'CALL', text: '', contract: dead }]), undefined);
  assert.equal(headline([transfer({ amount: undefined as never })]), undefined);
});

const vectors = readVectors<TransactionVector>('ethereum');
const paying = vectors.flatMap((vector) => {
  const { address, format, publicKey } = accountOf(vector);
  const account = { address, addressFormat: format, publicKey: hex(publicKey) };
  const { unsignedTransaction } = vector;
  const explained = explainTransaction('TRANSACTION_TYPE_ETHEREUM', unsignedTransaction, account);
  const found =
    explained && headlineOf(explained, { chain: explained.chain, signer: address }, nothingKnown);
  return found === undefined ? [] : [{ vector, account, found }];
});

const rowsOf = (changes: Partial<ReportedRows>): ReportedRows => ({
  wallets: [{ walletId: 'w', walletName: 'treasury' }],
  accounts: [],
  privateKeys: [],
  entries: [],
  payments: [],
  hasOlderPayments: false,
  ...changes,
});

test('accounts, private keys and the address book give names, own accounts first', () => {
  const accounts = [
    { walletId: 'w', address: signer, addressFormat: 'ADDRESS_FORMAT_ETHEREUM' },
    { walletId: 'w', address: dead.toLowerCase(), addressFormat: 'x', name: 'burn' },
    { walletId: 'w', address: 'So1', addressFormat: 'x' },
  ];
  const known = knownAddresses(
    rowsOf({ accounts, entries: [{ label: 'nowhere', address: dead }] }),
  );
  assert.deepEqual(
    [...known.own].sort(),
    [
      ['So1', 'treasury / account 3'],
      [addressKey(signer), 'treasury / account 1'],
      [addressKey(dead), 'treasury / burn'],
    ].sort(),
  );
  const found = headline([transfer()], 'eip155:1', { ...known, own: new Map() });
  assert.deepEqual(found?.to[0].standing, { kind: 'book', name: 'nowhere' });
});

test('a payment marks its recipient as paid before, and all others as unpaid in the read history', () => {
  const [first] = paying;
  assert(first !== undefined);
  const { vector, account, found } = first;
  const intent = {
    signWith: account.address.toLowerCase(),
    type: 'TRANSACTION_TYPE_ETHEREUM',
    unsignedTransaction: vector.unsignedTransaction,
  };
  const payment = { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', createdAtMs: 5, intent };
  const accounts = [{ ...account, walletId: 'w' }];
  const [{ address }] = found.to;
  const known = knownAddresses(rowsOf({ accounts, payments: [payment] }));
  assert(known.paid?.has(addressKey(address)), address);
  const toDead = headline([transfer()], 'eip155:1', { ...known, own: new Map() });
  assert.deepEqual(toDead?.to[0].standing, { kind: 'unpaid', since: { count: 1 } });
  const cut = knownAddresses(rowsOf({ payments: [payment], hasOlderPayments: true }));
  assert.deepEqual(cut.seen, { count: 1, sinceMs: 5 });
});

test('sends count as payments, and unreadable sends do not', () => {
  const paymentOf = (type: string, intent: Record<string, unknown>) => ({
    type,
    createdAtMs: 1,
    intent,
  });
  const { paid } = knownAddresses(
    rowsOf({
      payments: [
        paymentOf('ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2', {
          from: signer,
          caip2: 'eip155:1',
          calls: [{ to: dead, value: '1' }],
        }),
        paymentOf('ACTIVITY_TYPE_ETH_SEND_TRANSACTION', {
          from: signer,
          caip2: 'eip155:1',
          to: usdc,
          data: `0xa9059cbb${other.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`,
        }),
        paymentOf('ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2', { from: signer, calls: [null] }),
        paymentOf('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', { signWith: signer, type: 7 }),
        paymentOf('ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2', { signWiths: ['x'] }),
      ],
    }),
  );
  assert.deepEqual([...(paid ?? [])].sort(), [addressKey(dead), other].sort());
});

test('an address that begins and ends like a known one is a lookalike, unless it is known', () => {
  const real = '0xabcd111111111111111111111111111111115678';
  const lookalike = '0xABCD222222222222222222222222222222225678';
  const to = (known: Partial<KnownAddresses>, address = lookalike) =>
    headline([transfer({ to: address })], 'eip155:1', { ...nothingKnown, ...known })?.to[0]
      .standing;
  const found = { kind: 'lookalike', name: 'payroll' };
  assert.deepEqual(to({ book: new Map([[real, 'payroll']]) }), found);
  assert.deepEqual(to({ own: new Map([[real, 'payroll']]), paid: new Set() }), found);
  assert.deepEqual(to({ paid: new Set([real]) }), { kind: 'lookalike', name: real });
  assert.deepEqual(to({ book: new Map([[real, 'payroll']]) }, real), {
    kind: 'book',
    name: 'payroll',
  });
  const paid = new Set([addressKey(lookalike)]);
  assert.deepEqual(to({ book: new Map([[real, 'payroll']]), paid }), { kind: 'paid' });
  const bech32 = ['bc1qaaaa5555555555555555xyzw', 'bc1qbbbb5555555555555555xyzw'] as const;
  assert.deepEqual(to({ paid: new Set([bech32[0]]) }, bech32[1])?.kind, 'unpaid');
});

test('an address with the short form of a known one is a lookalike, on every chain', () => {
  for (const [real, shown] of [
    ['0xabcd111111111111111111111111111111115678', '0xabcd…5678'],
    ['bc1qaaaa5555555555555555xyzw', 'bc1qaaaa…xyzw'],
    ['bcrt1qaaaa5555555555555555xyzw', 'bcrt1qaaaa…xyzw'],
    ['cosmos1qaaa5555555555555555xyzw', 'cosmos1qaaa5…xyzw'],
    ['TC1sM1mNaLCwQDmGKiKSReV628Ksz3Sc8E', 'TC1sM1…Sc8E'],
  ] as const) {
    assert.equal(shortAddress(real), shown);
    const middle = real.length - 4;
    const alike = `${real.slice(0, shown.length - 5)}${'7'.repeat(middle - shown.length + 5)}${real.slice(-4)}`;
    assert.equal(shortAddress(alike), shown);
    const known = { ...nothingKnown, book: new Map([[real, 'payroll']]) };
    const found = headline([transfer({ to: alike })], 'bip122', known)?.to[0].standing;
    assert.deepEqual(found, { kind: 'lookalike', name: 'payroll' }, real);
  }
  assert.equal(shortAddress('0x123456789012'), '0x123456789012');
});
