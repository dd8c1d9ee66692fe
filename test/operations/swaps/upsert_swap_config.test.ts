import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeSender } from '../sending/send_requests.ts';
import { makeQuote, poolGives, swapConfigType } from './swap_requests.ts';

const operation = 'upsert_swap_config';

test('upsert_swap_config: quotes subtract the fee, and omitted members stay', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const feeReceiverWalletAddress = await makeSender(service);
  const parameters = { feeReceiverWalletAddress, feeBps: '100' };
  const malformed = (field: string, value: string) => ({
    field: `parameters.${field}`,
    parameters: { ...parameters, [field]: value },
  });
  const before = await service.submit(operation, swapConfigType, { feeBps: '1' });
  assertViolation(before, 'parameters.feeReceiverWalletAddress');
  const result = await checkActivity(service, {
    operation,
    type: swapConfigType,
    intent: 'upsertSwapConfigIntent',
    result: 'upsertSwapConfigResult',
    parameters,
    optional: ['feeReceiverWalletAddress', 'feeBps'],
    malformed: [malformed('feeBps', '101'), malformed('stableFeeBps', '10')],
  });
  const receiver = feeReceiverWalletAddress.toLowerCase();
  assert.deepEqual(result, { feeReceiverWalletAddress: receiver, feeBps: '100' });
  poolGives(service, 500, 2_000n);
  poolGives(service, 3_000, 1_000n);
  const quote = await makeQuote(service, feeReceiverWalletAddress, {}, { slippageBps: '0' });
  assert.deepEqual(
    [quote.outputAmount, quote.minOutputAmount, quote.clientFeeBps],
    ['1980', '1980', '100'],
  );
  const { body } = await service.submit(operation, swapConfigType, { feeBps: '0' });
  assert.deepEqual(body.activity.result.upsertSwapConfigResult, {
    feeReceiverWalletAddress: receiver,
    feeBps: '0',
  });
  service.advance(1);
  assert.equal((await makeQuote(service, feeReceiverWalletAddress)).clientFeeBps, '0');
});

test('upsert_swap_config: the parent sets the fee of its children, for its own account', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeSender(service, child);
  const own = await makeSender(service);
  const set = (feeReceiverWalletAddress: string, as = {}) =>
    service.submit(operation, swapConfigType, { feeReceiverWalletAddress, feeBps: '50' }, as);
  const atChild = await set(ofChild, child);
  assertRefused(atChild, 400, 9);
  assert.match(atChild.body.message, /its parent .* sets it/);
  for (const foreign of [ofChild, `0x${'01'.repeat(20)}`]) {
    assertRefused(await set(foreign), 404, 5);
  }
  assert.equal((await set(own)).status, 200);
  for (const fee of [500, 3_000]) poolGives(service, fee, 10_000n);
  const quote = await makeQuote(service, ofChild, child);
  assert.deepEqual([quote.outputAmount, quote.clientFeeBps], ['9950', '50']);
});
