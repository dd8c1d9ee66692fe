// Explanations and limits read the same calls within calls: what one of them finds, the other finds too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { eip55 } from '../../../src/core/address/ethereum.ts';
import { hex } from '../../../src/core/base/bytes.ts';
import { transfersOfCalls } from '../../../src/core/transactions/calls/call_transfers.ts';
import { effectsOfCalls } from '../../../src/core/transactions/ethereum/inner_effects.ts';

const safe = '0x3fbd991fBcee758776FF50Db984d7C124b62A94E';
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const other = '0xDD92686B88FAF78c826eC71d23D63d3Db11777bA';
const account = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';
const multiSend = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2';
const zero = '0x0000000000000000000000000000000000000000';
const word: Hex = `0x${'00'.repeat(32)}`;

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool isAllowed)',
  'function transferOwnership(address owner)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function multiSend(bytes transactions)',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
  'function multicall(bytes[] data)',
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch(address[] targets, uint256[] values, bytes[] datas)',
  'function execute(bytes32 mode, bytes data)',
  'function execute(address target, bytes data)',
  'function schedule(address target, uint256 value, bytes data, bytes32 before, bytes32 salt, uint256 delay)',
  'function execute(bytes commands, bytes[] inputs)',
  'function unknown(uint256 number)',
]);

type Made = { readonly to: Address; readonly value: bigint; readonly data: Hex };

const bytes = (text: string) => Uint8Array.fromHex(text.slice(2));
const addressOf = (given: Uint8Array) => eip55(hex(given));
const encode = (functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args } as never);
const packed = (calls: readonly (Made & { readonly operation?: number })[]): Hex =>
  `0x${calls
    .map(({ operation = 0, to, value, data }) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [operation, to, value, BigInt(data.length / 2 - 1), data],
      ).slice(2),
    )
    .join('')}`;
const exec = ({ to, value, data }: Made, operation = 0, gasPrice = 0n): Hex =>
  encode('execTransaction', to, value, data, operation, 0n, 1n, gasPrice, usdc, zero, '0x');

/** Returns both readings of a call that a Safe makes. */
function readings({ to, value, data }: Made, isDelegate = false) {
  const call = { to: bytes(to), value, data: bytes(data), isDelegate };
  return {
    counted: transfersOfCalls([call], safe, { addressOf }),
    shown: effectsOfCalls([call], { chainId: 1n, sender: safe }, 'The Safe'),
  };
}

/** Warnings about a right, or about calls that are not explained. */
const ofEverything: ReadonlySet<string> = new Set(['CODE_DELEGATION', 'NEW_AUTHORITY']);
const ofUnknown: ReadonlySet<string> = new Set([...ofEverything, 'UNREADABLE_CALL_DATA']);

/** Requires that explanation and limits agree about every amount and every right. */
function assertAlike(made: Made, isDelegate = false): void {
  const { counted, shown } = readings(made, isDelegate);
  const codes = shown.warnings.map(({ code }) => code);
  const isPart = shown.warnings.some(({ text }) => / further calls? /.test(text));
  const isEverything = counted.some(({ to, token, isAtLeast }) => to === '' && !token && isAtLeast);
  // The limits see what the explanation sees.
  if (codes.some((code) => ofEverything.has(code))) assert(isEverything, 'a right is not counted');
  for (const { kind, from, to, amount } of shown.effects) {
    if (kind !== 'TOKEN_TRANSFER' || from === undefined || amount === undefined) continue;
    const isCounted = counted.some((each) => each.from === from && each.to === to);
    assert(isCounted || isEverything, `${amount} of ${from} for ${to} are not counted`);
  }
  // The explanation sees what the limits see.
  if (isPart) return;
  if (isEverything)
    assert(
      codes.some((code) => ofUnknown.has(code)),
      'no warning',
    );
  for (const { token, from, to, amount, isAtLeast } of counted) {
    if (isAtLeast === true) continue;
    const isShown = shown.effects.some(
      (each) =>
        each.to === to &&
        each.amount === String(amount) &&
        (each.from === from || each.kind === 'APPROVAL' || each.kind === 'TRANSFER'),
    );
    // The limits subtract what a contract passes on, and read arguments that compilers treat differently.
    const isRest = shown.effects.some((each) => each.kind === 'TRANSFER' && each.to === to);
    const isWarned = shown.warnings.some(
      ({ code, text }) => code === 'UNREADABLE_CALL_DATA' && text.includes(token || 'no token'),
    );
    assert(isShown || isRest || isWarned, `${amount} of ${from} for ${to} are not shown`);
  }
}

const leaf = fc.oneof(
  fc.bigInt(1n, 99n).map((amount) => encode('transfer', other, amount)),
  fc.bigInt(1n, 99n).map((amount) => encode('approve', other, amount)),
  fc.constantFrom<Hex>(
    '0x',
    encode('unknown', 1n),
    encode('setApprovalForAll', other, true),
    encode('transferOwnership', other),
    // Dirty bytes before an address, and data that ends early.
    encode('transfer', other, 5n).replace('00', '01') as Hex,
    encode('transferOwnership', other).slice(0, 40) as Hex,
    encode('execute', '0x', []),
    encode('execute', '0x7f', ['0x']),
    encode('execute', word.replace('00', '02'), '0x'),
  ),
);
const places = fc.constantFrom<Address>(safe, other, usdc, account, multiSend, zero);

const { made } = fc.letrec<{ made: Made }>((tie) => {
  const several = fc.array(tie('made'), { maxLength: 3 });
  const one = tie('made');
  const data = fc.oneof(
    one.map(({ to, value, data: given }) => encode('execute', to, value, given)),
    one.map(({ to, data: given }) => encode('execute', to, given)),
    one.map(({ to, value, data: given }) => encode('schedule', to, value, given, word, word, 0n)),
    one.map(({ to, value, data: given }) =>
      encode('execTransactionFromModule', to, value, given, 0),
    ),
    fc
      .tuple(one, fc.constantFrom(0, 1), fc.constantFrom(0n, 3n))
      .map(([call, operation, price]) => exec(call, operation, price)),
    several.map((calls) =>
      encode(
        'multicall',
        calls.map((call) => call.data),
      ),
    ),
    several.map((calls) =>
      encode(
        'executeBatch',
        calls.map(({ to }) => to),
        calls.map(({ value }) => value),
        calls.map((call) => call.data),
      ),
    ),
    several.map((calls) =>
      encode(
        'aggregate3Value',
        calls.map(({ to: target, value, data: callData }) => {
          return { target, allowFailure: false, value, callData };
        }),
      ),
    ),
    several.map((calls) =>
      encode(
        'execute',
        `0x01${'00'.repeat(31)}`,
        encodeAbiParameters(parseAbiParameters('(address, uint256, bytes)[]'), [
          calls.map(({ to, value, data: given }) => [to, value, given] as const),
        ]),
      ),
    ),
    several.map((calls) => encode('multiSend', packed(calls))),
    several.map((calls) =>
      exec({ to: multiSend, value: 0n, data: encode('multiSend', packed(calls)) }, 1),
    ),
  );
  return {
    made: fc.record({
      to: places,
      value: fc.bigInt(0n, 9n),
      data: fc.oneof({ maxDepth: 4, depthSize: 'large' }, leaf, data),
    }),
  };
});

test('explanations and limits agree about generated calls within calls', () => {
  fc.assert(
    fc.property(made, fc.boolean(), (call, isDelegate) => assertAlike(call, isDelegate)),
    { numRuns: 2_000 },
  );
});

test('explanations and limits end at the same number of calls, bytes and levels', () => {
  const batch = (count: number, call: Made): Made => ({
    to: account,
    value: 0n,
    data: encode(
      'executeBatch',
      Array(count).fill(call.to),
      Array(count).fill(call.value),
      Array(count).fill(call.data),
    ),
  });
  const payment: Made = { to: usdc, value: 0n, data: encode('transfer', other, 5n) };
  for (const count of [1, 31, 32, 33, 127, 128, 200]) assertAlike(batch(count, payment));
  let nested = payment;
  for (let depth = 0; depth < 6; depth += 1) {
    const { to, value, data } = nested;
    nested = { to: account, value: 0n, data: encode('execute', to, value, data) };
    assertAlike(nested);
  }
  const wide = encode('execute', usdc, 0n, `${payment.data}${'00'.repeat(200_000)}`);
  for (const count of [1, 3, 6]) {
    const several = batch(count, { to: account, value: 0n, data: wide });
    assertAlike(several);
    // A transfer is read in each of the calls or in none of them, by both.
    const { counted, shown } = readings(several);
    const read = counted.filter(({ token }) => token === usdc).length;
    const explained = shown.effects.filter(({ asset }) => asset === usdc).length;
    assert.equal(explained, read, `of ${count} calls`);
  }
});
