// Commands of a Universal Router, encoded by viem.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  maxUint160,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { writeEthereum } from '../../../src/core/chains/ethereum/write.ts';
import { ethereumKind } from '../../../src/core/transactions/ethereum/index.ts';
import { readRouter, routerLimits } from '../../../src/core/transactions/ethereum/router_calls.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
} from '../../support/transaction_vectors.ts';

const [vector] = readVectors<TransactionVector>('ethereum');
assert(vector !== undefined);
const account = accountOf(vector);
const me = account.address;
const router = '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af';
const other: Address = '0xDD92686B88FAF78c826eC71d23D63d3Db11777bA';
const usdc: Address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const weth: Address = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const coin: Address = '0x0000000000000000000000000000000000000000';
const caller: Address = '0x0000000000000000000000000000000000000001';
const itself: Address = '0x0000000000000000000000000000000000000002';
const bytes = (text: string) => Uint8Array.fromHex(text.slice(2));

const abi = parseAbi([
  'function execute(bytes commands, bytes[] inputs, uint256 deadline)',
  'function execute(bytes commands, bytes[] inputs)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
]);
type Command = readonly [code: number, input: Hex];
const codesOf = (commands: readonly Command[]): Hex =>
  `0x${commands.map(([code]) => code.toString(16).padStart(2, '0')).join('')}`;
const inputsOf = (commands: readonly Command[]) => commands.map(([, input]) => input);
const plan = (...commands: readonly Command[]): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'execute',
    args: [codesOf(commands), inputsOf(commands), 9n],
  });
const lists = parseAbiParameters('bytes, bytes[]');
const listOf = (...commands: readonly Command[]): Hex =>
  encodeAbiParameters(lists, [codesOf(commands), inputsOf(commands)]);

function explain(data: Hex, value = 0n, to: string = router) {
  const transaction = ethereumKind.format.read(
    writeEthereum({
      type: 'TYPE_2',
      chainId: 1n,
      nonce: 0n,
      maxPriorityFeePerGas: 1n,
      maxFeePerGas: 10n ** 9n,
      gas: 100_000n,
      to: bytes(to),
      value,
      data: bytes(data),
      accessList: [],
      blobVersionedHashes: [],
      authorizationList: [],
    }),
    account,
  );
  const { effects, warnings } = ethereumKind.explain(transaction, account, new Map());
  const start = `If ${router} is a Universal Router, it `;
  return {
    texts: effects.flatMap(({ text }) => (text.includes(start) ? [text.replace(start, '')] : [])),
    effects,
    warnings: warnings.map(({ code }) => code),
    counted: ethereumKind.transfers(transaction, account),
  };
}

const v3 = parseAbiParameters('address, uint256, uint256, bytes, bool');
const v2 = parseAbiParameters('address, uint256, uint256, address[], bool');
const three = parseAbiParameters('address, address, uint256');
const path = (...tokens: readonly [Address, Address]): Hex =>
  encodePacked(['address', 'uint24', 'address'], [tokens[0], 500, tokens[1]]);
const swapIn = (recipient: Address, amount: bigint, isUser = true): Command => [
  0x00,
  encodeAbiParameters(v3, [recipient, amount, 7n, path(usdc, weth), isUser]),
];
const paid = (amount: bigint, to = router) => ({ token: usdc, from: me, to, amount });

test('swaps of V2 and V3 name the payer, the recipient and the bounds', () => {
  const exactIn = explain(plan(swapIn(other, 25_000_000n)));
  assert.deepEqual(exactIn.texts, [
    `pays 25 USDC of ${me} into a swap.`,
    `sends at least 0.000000000000000007 WETH from the pools to ${other}.`,
  ]);
  assert.deepEqual(exactIn.counted, [paid(25_000_000n)]);
  assert.deepEqual(exactIn.warnings, ['UNKNOWN_CONTRACT']);
  // Paths of exact outputs begin with the received token.
  const exactOut = explain(
    plan([0x01, encodeAbiParameters(v3, [caller, 7n, 25_000_000n, path(weth, usdc), true])]),
  );
  assert.deepEqual(exactOut.texts, [
    `pays at most 25 USDC of ${me} into a swap.`,
    `sends 0.000000000000000007 WETH from the pools to ${me}.`,
  ]);
  assert.deepEqual(exactOut.counted, [paid(25_000_000n)]);
  for (const [code, amounts] of [
    [0x08, [25_000_000n, 7n]],
    [0x09, [7n, 25_000_000n]],
  ] as const) {
    const input = encodeAbiParameters(v2, [other, ...amounts, [usdc, coin, weth], false]);
    const { texts, counted } = explain(plan([code, input]));
    assert.match(texts[0] ?? '', new RegExp(`^pays (at most )?25 USDC of ${router} into a swap`));
    assert.match(texts[1] ?? '', new RegExp(` to ${other}\\.$`));
    // Tokens of the router came from a counted payment.
    assert.deepEqual(counted, []);
  }
  const whole = explain(plan(swapIn(itself, 2n ** 255n)));
  assert.equal(whole.texts[0], `pays as much USDC as the router has, from ${me}, into a swap.`);
  assert.match(whole.texts[1] ?? '', new RegExp(` to ${router}\\.$`));
  assert.deepEqual(whole.counted, [{ ...paid(0n), isAtLeast: true }]);
});

test('payments of the caller and of the router, wraps and checks are explained', () => {
  const permit2Transfer = encodeAbiParameters(parseAbiParameters('address, address, uint160'), [
    usdc,
    other,
    25_000_000n,
  ]);
  const pair = parseAbiParameters('address, uint256');
  const batch = encodeAbiParameters(
    parseAbiParameters('(address from, address to, uint160 amount, address token)[]'),
    [[{ from: me as Address, to: other, amount: 25_000_000n, token: usdc }]],
  );
  const { texts, counted, warnings } = explain(
    plan(
      [0x82, permit2Transfer],
      [0x0d, batch],
      [0x0b, encodeAbiParameters(pair, [itself, 10n ** 18n])],
      [0x0c, encodeAbiParameters(pair, [other, 10n ** 18n])],
      [0x04, encodeAbiParameters(three, [coin, other, 1n])],
      [0x05, encodeAbiParameters(three, [usdc, other, 1_000_000n])],
      [0x06, encodeAbiParameters(three, [usdc, other, 25n])],
      [0x0e, encodeAbiParameters(three, [other, usdc, 1_000_000n])],
    ),
    10n ** 18n,
  );
  assert.deepEqual(texts, [
    `sends 25 USDC from ${me} to ${other}.`,
    `sends 25 USDC from ${me} to ${other}.`,
    `wraps 1 ETH for ${router}.`,
    `unwraps at least 1 ETH and sends them to ${other}.`,
    `sends at least 0.000000000000000001 ETH from ${router} to ${other}.`,
    `sends 1 USDC from ${router} to ${other}.`,
    `sends 0.25% of all USDC of the router to ${other}.`,
    `fails if ${other} has less than 1 USDC.`,
  ]);
  assert.deepEqual(counted, [
    { token: '', from: me, to: router, amount: 10n ** 18n },
    paid(25_000_000n, other),
    paid(25_000_000n, other),
  ]);
  assert.deepEqual(warnings, ['UNKNOWN_CONTRACT']);
});

test('permits within a plan are allowances', () => {
  const single = (amount: bigint): Command => [
    0x0a,
    encodeAbiParameters(
      parseAbiParameters(
        '((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 deadline) permit, bytes signature',
      ),
      [
        {
          details: { token: usdc, amount, expiration: 1_800_000_000, nonce: 0 },
          spender: other,
          deadline: 9n,
        },
        '0x1234',
      ],
    ),
  ];
  const { texts, counted } = explain(plan(single(25_000_000n)));
  assert.deepEqual(texts, [
    `lets ${other} take up to 25 USDC of ${me}, until 2027-01-15T08:00:00Z.`,
  ]);
  assert.deepEqual(counted, [paid(25_000_000n, other)]);
  const unlimited = explain(plan(single(maxUint160)));
  assert(unlimited.warnings.includes('UNLIMITED_APPROVAL'));
  assert.deepEqual(unlimited.counted, [{ ...paid(0n, other), isAtLeast: true }]);
  const batch = encodeAbiParameters(
    parseAbiParameters(
      '((address token, uint160 amount, uint48 expiration, uint48 nonce)[] details, address spender, uint256 deadline) permit, bytes signature',
    ),
    [
      {
        details: [
          { token: usdc, amount: 1_000_000n, expiration: 1, nonce: 0 },
          { token: weth, amount: 5n, expiration: 1, nonce: 0 },
        ],
        spender: other,
        deadline: 9n,
      },
      '0x',
    ],
  );
  assert.deepEqual(explain(plan([0x03, batch])).counted, [
    paid(1_000_000n, other),
    { token: weth, from: me, to: other, amount: 5n },
  ]);
});

test('payments and receipts bound a swap of V4', () => {
  const pair = parseAbiParameters('address, uint256');
  const v4 = (...actions: readonly Command[]): Command => [0x10, listOf(...actions)];
  const { texts, counted, warnings } = explain(
    plan(
      v4(
        [0x07, '0x'],
        [0x0c, encodeAbiParameters(pair, [usdc, 25_000_000n])],
        [0x0f, encodeAbiParameters(pair, [weth, 7n])],
        [0x0e, encodeAbiParameters(three, [coin, other, 0n])],
        [0x10, encodeAbiParameters(three, [weth, other, 25n])],
      ),
    ),
  );
  assert.deepEqual(texts, [
    'swaps in pools of V4.',
    `pays at most 25 USDC of ${me} into a swap.`,
    `sends at least 0.000000000000000007 WETH from the pools to ${me}.`,
    `sends all remaining ETH of the swap from the pools to ${other}.`,
    `sends 0.25% of all WETH of the swap to ${other}.`,
  ]);
  assert.deepEqual(counted, [paid(25_000_000n)]);
  assert.deepEqual(warnings, ['UNKNOWN_CONTRACT']);
  const settle = encodeAbiParameters(parseAbiParameters('address, uint256, bool'), [
    usdc,
    0n,
    true,
  ]);
  const settled = explain(plan(v4([0x0b, settle])));
  assert.deepEqual(settled.texts, [
    `pays all USDC that is still due, an unstated amount, from ${me} into a swap.`,
  ]);
  assert.deepEqual(settled.counted, [{ ...paid(0n), isAtLeast: true }]);
  const unknown = explain(plan(v4([0x12, encodeAbiParameters(pair, [usdc, 1n])])));
  assert.deepEqual(unknown.texts, ['runs the action 0x12 of V4.']);
  assert(unknown.warnings.includes('UNREADABLE_CALL_DATA'));
});

const isUnknown = ({ counted }: ReturnType<typeof explain>): boolean =>
  ['', undefined].every((token) =>
    counted.some((each) => each.token === token && each.isAtLeast === true),
  );

test('plans within plans are explained, and all else is warned of and makes sums unknown', () => {
  const inner = (command: Command): Command => [0x21, listOf(command)];
  const nested = explain(plan(inner(inner(swapIn(other, 25_000_000n)))));
  assert.deepEqual(nested.counted, [paid(25_000_000n)]);
  const cases: readonly (readonly [Hex, string])[] = [
    [plan(inner(inner(inner(swapIn(other, 1n))))), 'command 0x21'],
    [plan([0x07, '0x']), 'command 0x07'],
    [plan([0x12, '0x12345678']), 'command 0x12'],
    // Versions before the second ignore this bit.
    [plan([0x40, swapIn(other, 1n)[1]]), 'command 0x40'],
    [plan([0x00, '0x1234']), 'command 0x00'],
    // A path of one token.
    [plan([0x08, encodeAbiParameters(v2, [other, 1n, 1n, [usdc], true])]), 'command 0x08'],
    [plan([0x00, encodeAbiParameters(v3, [other, 1n, 1n, usdc, true])]), 'command 0x00'],
    [
      encodeFunctionData({ abi, functionName: 'execute', args: ['0x0000', ['0x']] }),
      'list of commands',
    ],
    [`0x${plan(swapIn(other, 1n)).slice(2, 300)}`, 'list of commands'],
    [plan(...Array<Command>(routerLimits.steps).fill(swapIn(other, 1n))), 'further commands'],
    [plan(...Array<Command>(99).fill([0x21, listOf()])), 'further commands'],
  ];
  for (const [data, what] of cases) {
    const explained = explain(data);
    assert.equal(explained.texts.at(-1), `runs the ${what}.`);
    assert(explained.warnings.includes('UNREADABLE_CALL_DATA'), what);
    assert(isUnknown(explained), what);
  }
});

test('a router is also read within other calls', () => {
  const call = { target: router as Address, allowFailure: false } as const;
  const data = encodeFunctionData({
    abi,
    functionName: 'aggregate3',
    args: [[{ ...call, callData: plan(swapIn(caller, 25_000_000n)) }]],
  });
  const { texts, counted } = explain(data, 0n, other);
  assert.deepEqual(texts, [
    `pays 25 USDC of ${other} into a swap.`,
    `sends at least 0.000000000000000007 WETH from the pools to ${other}.`,
  ]);
  assert.deepEqual(counted, [{ ...paid(25_000_000n), from: other }]);
});

test('the commands of all routers of a transaction share one bound', () => {
  const swaps = plan(...Array<Command>(20).fill(swapIn(other, 1n)));
  const call = { target: router as Address, allowFailure: false, callData: swaps };
  const of = (count: number) =>
    explain(
      encodeFunctionData({ abi, functionName: 'aggregate3', args: [Array(count).fill(call)] }),
      0n,
      other,
    );
  assert.deepEqual([of(1).texts.length, of(2).texts.length], [40, 80]);
  assert(!isUnknown(of(2)) && !of(2).warnings.includes('UNREADABLE_CALL_DATA'));
  assert(isUnknown(of(3)) && of(3).warnings.includes('UNREADABLE_CALL_DATA'));
  assert.equal(of(9).texts.length, 80);
});

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((each) => `0x${each.toHex()}`);

test('the steps have the values that were encoded, and random bytes never throw', () => {
  const number = fc.bigInt(3n, 2n ** 200n);
  fc.assert(
    fc.property(address, address, address, number, number, (to, token, last, amount, minimum) => {
      const input = encodeAbiParameters(v3, [
        to as Address,
        amount,
        minimum,
        path(token as Address, last as Address),
        true,
      ]);
      const steps = readRouter({ to: bytes(router), data: bytes(plan([0x80, input])) }) ?? [];
      const [pay, receive] = steps;
      assert(pay?.kind === 'pay' && receive?.kind === 'receive' && steps.length === 2);
      const recipient = typeof receive.to === 'string' ? receive.to : `0x${receive.to.toHex()}`;
      assert.deepEqual(
        [pay.amount, `0x${pay.token.toHex()}`, receive.amount, `0x${receive.token.toHex()}`],
        [amount, token, minimum, last],
      );
      assert.equal(recipient, to);
    }),
  );
  const start = bytes(plan(swapIn(other, 1n), [0x10, listOf([0x0c, '0x'])], [0x03, '0x']));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(start.length), (random, at) => {
      const data = new Uint8Array([...start.subarray(0, at), ...random, ...start.subarray(at)]);
      readRouter({ to: bytes(router), data });
      explain(`0x${data.toHex()}`);
      for (let code = 0; code < 0x40; code += 1) {
        readRouter({ to: bytes(router), data: bytes(plan([code, `0x${random.toHex()}`])) });
      }
    }),
    { numRuns: 50 },
  );
});

test('plans whose inputs share their bytes are unknown, which bounds the time of reading', () => {
  // Each plan within names its whole data as each of its inputs.
  const count = 60;
  const size = 8_000;
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  const offsets = Array.from({ length: count }, () => word(BigInt(32 * count)));
  const inner: Hex = `0x${word(64n)}${word(160n)}${word(BigInt(count))}${'00'.repeat(count).padEnd(128, '0')}${word(BigInt(count))}${offsets.join('')}${word(BigInt(size))}${'00'.repeat(size)}`;
  for (const [code, command] of [
    [0x21, 'list of commands'],
    [0x10, 'command 0x10'],
  ] as const) {
    const data = bytes(plan(...Array<Command>(count).fill([code, inner])));
    const steps = readRouter({ to: bytes(router), data });
    assert.deepEqual(steps, Array(count).fill({ kind: 'unknown', command }));
  }
});
