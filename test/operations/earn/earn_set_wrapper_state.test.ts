import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { testVault } from '../../support/outside.ts';
import { assertRefused, checkActivity } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeSender } from '../sending/send_requests.ts';
import {
  depositType,
  describedDeposit,
  startDeposit,
  startWithdrawal,
  startWrapper,
  stateType,
} from './earn_requests.ts';

const operation = 'earn_set_wrapper_state';
const parameters = { wrapperAddress: testVault.address, depositsDisabled: true };

test('earn_set_wrapper_state: a closed vault takes no deposits, also of children, and pays out', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const own = await makeSender(service);
  const child = await addChild(service);
  const ofChild = await makeSender(service, child);
  await startDeposit(service, own);
  const result = await checkActivity(service, {
    operation,
    type: stateType,
    intent: 'earnSetWrapperStateIntent',
    result: 'earnSetWrapperStateResult',
    parameters,
    malformed: [
      {
        field: 'parameters.wrapperAddress',
        parameters: { ...parameters, wrapperAddress: `0x${'01'.repeat(20)}` },
      },
    ],
  });
  assert.deepEqual(result, parameters);
  for (const [address, as] of [
    [own, {}],
    [ofChild, child],
  ] as const) {
    service.advance(1);
    const deposit = describedDeposit(address);
    const refused = await service.submit('earn_deposit', depositType, deposit, as);
    assertRefused(refused, 400, 9);
    assert.match(refused.body.message, /closed vault .* to deposits/);
    const { organizationId } = { ...service.root, ...as };
    const { body } = await service.query('list_earn_enabled_vaults', {}, { organizationId });
    assert.equal(body.enabledVaults[0].depositsDisabled, true);
  }
  await startWithdrawal(service, own);
  service.advance(1);
  await startWrapper(service, own);
  await startDeposit(service, ofChild, child);
});

test('earn_set_wrapper_state: a child closes a vault only for itself', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const own = await makeSender(service);
  const child = await addChild(service);
  const ofChild = await makeSender(service, child);
  assert.equal((await service.submit(operation, stateType, parameters, child)).status, 200);
  await startDeposit(service, own);
  const deposit = describedDeposit(ofChild);
  assertRefused(await service.submit('earn_deposit', depositType, deposit, child), 400, 9);
});
