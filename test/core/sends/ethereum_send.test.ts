import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Transaction } from 'ethers';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import {
  composeEthereum,
  type EthereumSendParameters,
  priceOf,
  requestedCall,
  requestedTerms,
} from '../../../src/core/sends/ethereum_send.ts';
import { leastGas } from '../../../src/core/sends/least_gas.ts';

const to = `0x${'12'.repeat(20)}`;
const gwei = 1_000_000_000n;
const filled = { baseFee: gwei, tip: gwei / 10n, gas: 50_000n };
const composed = (
  parameters: Partial<EthereumSendParameters>,
  answers: object = {},
  caip2 = 'eip155:8453',
) => {
  const all = { calls: [{ to }], ...parameters };
  const asked = { ...requestedTerms(all, caip2), ...requestedCall(all) };
  const price = priceOf(asked, { ...filled, ...answers }, { least: leastGas(asked) });
  const bytes = composeEthereum(asked, { nonce: 5n, ...price });
  return Transaction.from(`0x${Buffer.from(bytes).toString('hex')}`);
};
const refusedField = (field: string) => (error: unknown) =>
  error instanceof ServiceError && error.fieldViolations[0]?.field === field;

test('missing fields of a transaction are filled in, with a margin', () => {
  const transaction = composed({});
  assert.deepEqual(
    [transaction.chainId, transaction.nonce, transaction.to, transaction.gasLimit],
    [8453n, 5, to, 60_000n],
  );
  assert.equal(transaction.maxFeePerGas, 2n * gwei + gwei / 10n);
  assert.equal(composed({}, { gas: 21_000n }).gasLimit, 21_000n, 'a transfer takes just that');
});

test('a node cannot exceed the limits, unless the request names the value', () => {
  const greedy = [
    [{ baseFee: 600n * gwei }, 'parameters.maxFeePerGas', { maxFeePerGas: '2000000000000' }],
    [{ tip: 1_001n * gwei }, 'parameters.maxPriorityFeePerGas', { maxPriorityFeePerGas: '1' }],
    [{ gas: 26_000_000n }, 'parameters.gasLimit', { gasLimit: '26000000' }],
    [
      { baseFee: 100n * gwei, gas: 5_000_000n },
      'parameters.maxFeePerGas',
      { maxFeePerGas: '200000000000', gasLimit: '5000000' },
    ],
  ] as const;
  for (const [answers, field, named] of greedy) {
    assert.throws(() => composed({}, answers), refusedField(field));
    composed(named, answers);
  }
});

test('amounts are decimal or hex, and below 2^256', () => {
  const amountIn = (value: string) => composed({ calls: [{ to, value }] }).value;
  assert.equal(amountIn('0x10'), 16n);
  assert.equal(amountIn(String(2n ** 256n - 1n)), 2n ** 256n - 1n);
  for (const wrong of ['', '-1', '1e3', '0x', ' 1', '1n', String(2n ** 256n)]) {
    assert.throws(() => amountIn(wrong), refusedField('parameters.calls.0.value'), wrong);
  }
});

test('gas below the minimum of a block is refused, and a low estimate of a node is corrected', () => {
  const data = `0x${'ff'.repeat(1_000)}`;
  const calls = [{ to, data }];
  const least = 21_000n + 40_000n;
  assert.equal(composed({ calls, gasLimit: String(least) }).gasLimit, least);
  assert.throws(
    () => composed({ calls, gasLimit: String(least - 1n) }),
    refusedField('parameters.gasLimit'),
  );
  assert.throws(() => composed({ gasLimit: '20999' }), refusedField('parameters.gasLimit'));
  assert.equal(composed({ calls }, { gas: 22_000n }).gasLimit, least);
});

test('gas above the maximum of Ethereum is refused, and the margin stays within it', () => {
  const most = 16_777_216n;
  const ethereum = (parameters: object, answers: object = {}) =>
    composed(parameters, { baseFee: 1n, tip: 1n, ...answers }, 'eip155:1').gasLimit;
  assert.equal(ethereum({ gasLimit: String(most) }), most);
  assert.throws(
    () => ethereum({ gasLimit: String(most + 1n) }),
    refusedField('parameters.gasLimit'),
  );
  assert.equal(ethereum({}, { gas: 13_000_000n }), 15_600_000n);
  assert.equal(ethereum({}, { gas: 15_000_000n }), most, 'a fifth more would be too much');
  assert.equal(ethereum({}, { gas: most }), most);
  assert.throws(() => ethereum({}, { gas: most + 1n }), refusedField('parameters.gasLimit'));
});
