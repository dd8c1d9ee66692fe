import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddress, Interface, Transaction } from 'ethers';
import { startTestService, type TestService } from '../../support/harness.ts';
import { testSwaps, testToken } from '../../support/outside.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeEthereumSponsor } from '../sending/gas_usage_requests.ts';
import { makeSender, unsettled } from '../sending/send_requests.ts';
import {
  coin,
  describedSwap,
  makeQuote,
  poolGives,
  swapConfigType,
  swapType,
  token,
  unquotedSwap,
} from './swap_requests.ts';

const operation = 'execute_swap';
const router = new Interface([
  'function multicall(uint256 deadline, bytes[] data)',
  'function exactInputSingle(tuple(address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient)',
  'function unwrapWETH9WithFee(uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient)',
  'function sweepTokenWithFee(address token, uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient)',
]);
const station = new Interface([
  'function executeBatch(address account, tuple(address to, uint256 value, bytes data)[] calls, bytes signed)',
]);
const erc20 = new Interface(['function approve(address spender, uint256 value)']);

async function started() {
  const service = await startTestService();
  poolGives(service, 500, 2_000n);
  poolGives(service, 3_000, 2_010n);
  return { service, from: await makeSender(service) };
}

const signedOf = async (service: TestService) =>
  (await unsettled(service))
    .map(({ signedTransaction }) => Transaction.from(signedTransaction))
    .sort((a, b) => a.nonce - b.nonce);

/** Returns the deadline, and the calls of the router to itself. */
function readSwap({ to, data }: Transaction) {
  assert.equal(to?.toLowerCase(), testSwaps.router);
  const outer = router.parseTransaction({ data });
  const calls = outer?.args[1].map((inner: string) => {
    const call = router.parseTransaction({ data: inner });
    return [call?.name, ...(call?.args.toArray(true).flat() ?? [])];
  });
  return { deadline: Number(outer?.args[0]), calls };
}

test('execute_swap: approves the input and swaps it within the bound of the quote', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const parameters = describedSwap(await makeQuote(service, from));
  const malformed = (field: string, value: unknown) => ({
    field: `parameters.${field}`,
    parameters: { ...parameters, [field]: value },
  });
  const result = await checkActivity(service, {
    operation,
    type: swapType,
    intent: 'executeSwapIntentV3',
    result: 'executeSwapResult',
    parameters,
    malformed: [
      malformed('minOutputAmount', '1'),
      malformed('quotedOutputAmount', '2011'),
      malformed('inputAmount', '1001'),
      malformed('recentBlockhash', '1'.repeat(32)),
      malformed('destinationAddress', `0x${'01'.repeat(20)}`),
    ],
  });
  assert.equal(result.quoteId, parameters.quoteId);
  const [approval, swap, ...more] = await signedOf(service);
  assert(approval !== undefined && swap !== undefined && more.length === 0);
  assert.equal(approval.to?.toLowerCase(), testToken);
  const approve = erc20.parseTransaction({ data: approval.data });
  assert.deepEqual([...(approve?.args ?? [])], [swap.to, 1_000n]);
  assert.deepEqual([swap.from, swap.value, swap.gasLimit], [from, 0n, 300_000n]);
  const { deadline, calls } = readSwap(swap);
  assert.equal(deadline, Math.floor(service.now() / 1_000) + 1_200);
  const [single, unwrap] = calls;
  assert.deepEqual(
    [single[0], single[3], BigInt(single[4]), ...single.slice(5)],
    ['exactInputSingle', 3_000n, 2n, 1_000n, 1_999n, 0n],
  );
  assert.deepEqual(unwrap, ['unwrapWETH9', 1_999n, from]);
});

test('execute_swap: executes a quote once, and only until it expires', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const swap = (parameters: object) => service.submit(operation, swapType, parameters);
  const parameters = describedSwap(await makeQuote(service, from));
  const late = describedSwap(await makeQuote(service, from));
  assert.equal((await swap(parameters)).status, 200);
  service.advance(1);
  const again = await swap({ ...parameters, evmNonce: '7' });
  assertRefused(again, 400, 9);
  assert.equal(again.body.turnkeyErrorCode, 'SWAP_QUOTE_ALREADY_USED');
  service.advance(600_000);
  const expired = await swap(late);
  assertRefused(expired, 400, 9);
  assert.match(expired.body.message, /has expired/);
  const unknown = { ...late, quoteId: '01900000-0000-7000-8000-000000000000' };
  assertRefused(await swap(unknown), 404, 5);
  assert.equal((await signedOf(service)).length, 2);
});

test('execute_swap: signs nothing if the pools give less than the bound', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const parameters = describedSwap(await makeQuote(service, from));
  poolGives(service, 3_000, 1_998n);
  poolGives(service, 500, 1_997n);
  const refused = await service.submit(operation, swapType, parameters);
  assertViolation(refused, 'parameters.minOutputAmount');
  assert.deepEqual(await signedOf(service), []);
});

test('execute_swap: the older type pays coins without an approval', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const parameters = unquotedSwap(from, {
    inputToken: coin,
    outputToken: token,
    minOutputAmount: '2000',
  });
  const type = 'ACTIVITY_TYPE_EXECUTE_SWAP';
  const { status, body } = await service.submit(operation, type, parameters);
  assert.equal(status, 200, JSON.stringify(body));
  const [swap, ...more] = await signedOf(service);
  assert(swap !== undefined && more.length === 0);
  assert.equal(swap.value, 1_000n);
  const { calls } = readSwap(swap);
  assert.equal(calls.length, 1);
  assert.deepEqual([calls[0][4], calls[0][6]], [from, 2_000n]);
  const other = { ...parameters, provider: 'RELAY' };
  assertViolation(await service.submit(operation, type, other), 'parameters.provider');
});

test('execute_swap: policies decide on the approval and on the call of the router', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const parameters = describedSwap(await makeQuote(service, from));
  const swap = () => service.submit(operation, swapType, parameters, as);
  const policy = (name: string, condition: string) =>
    makePolicy(service, name, { condition, consensus: undefined });
  await policy('Router', `eth.tx.to == '${testSwaps.router}'`);
  assertRefused(await swap(), 403, 7);
  await policy('Both', `eth.tx.to in ['${testSwaps.router}', '${testToken}']`);
  service.advance(1);
  assert.equal((await swap()).status, 200);
});

test('execute_swap: the router keeps the bound of the signer and pays the fee from the rest', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  const receiver = await makeSender(service, {}, 'Fees');
  const config = { feeReceiverWalletAddress: receiver, feeBps: '100' };
  await service.submit('upsert_swap_config', swapConfigType, config);
  const coins = await makeQuote(service, from);
  // 2010 less the fee of 20, and the slippage of 0.5 percent. 2000 of 2001 units would not suffice.
  assert.deepEqual([coins.outputAmount, coins.minOutputAmount], ['1990', '1980']);
  const pair = { inputToken: coin, outputToken: token };
  const tokens = await makeQuote(service, from, {}, pair);
  for (const parameters of [describedSwap(coins), describedSwap(tokens, pair)]) {
    service.advance(1);
    const { status, body } = await service.submit(operation, swapType, parameters);
    assert.equal(status, 200, JSON.stringify(body));
  }
  const [, toCoins, toTokens] = await signedOf(service);
  assert(toCoins !== undefined && toTokens !== undefined);
  const [bought, unwrapped] = readSwap(toCoins).calls;
  assert.deepEqual([bought[4], bought[6]], [`0x${'0'.repeat(39)}2`, 2_000n]);
  assert.deepEqual(unwrapped, ['unwrapWETH9WithFee', 2_000n, from, 100n, receiver]);
  const [sold, swept] = readSwap(toTokens).calls;
  assert.deepEqual([sold[4], sold[6]], [`0x${'0'.repeat(39)}2`, 2_000n]);
  const paid = getAddress(testToken);
  assert.deepEqual(swept, ['sweepTokenWithFee', paid, 2_000n, from, 100n, receiver]);
});

test('execute_swap: a sponsor delivers the approval and the swap in one transaction', async (t) => {
  const { service, from } = await started();
  t.after(() => service.close());
  await makeEthereumSponsor(service);
  const quote = await makeQuote(service, from);
  const parameters = describedSwap(quote, { sponsor: true, gasStationNonce: '0' });
  const { status, body } = await service.submit(operation, swapType, parameters);
  assert.equal(status, 200, JSON.stringify(body));
  const [sent, ...more] = await signedOf(service);
  assert(sent !== undefined && more.length === 0);
  const batch = station.parseTransaction({ data: sent.data });
  const calls = batch?.args[1].map(([to]: string[]) => to?.toLowerCase());
  assert.deepEqual([batch?.args[0], calls], [from, [testToken, testSwaps.router]]);
  service.advance(1);
  const again = await service.submit(operation, swapType, parameters);
  assert.equal(again.body.turnkeyErrorCode, 'SWAP_QUOTE_ALREADY_USED');
});
