import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { testVault } from '../../support/outside.ts';
import { assertRefused, checkActivity } from '../checks.ts';
import { makeSender } from '../sending/send_requests.ts';
import { describedWrapper, vaultAnswers, wrapperType } from './earn_requests.ts';

const operation = 'earn_deploy_wrapper';

test('earn_deploy_wrapper: opens a vault without a fee, and deploys nothing', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = describedWrapper(await makeSender(service));
  const malformed = (field: string, value: string) => ({
    field: `parameters.${field}`,
    parameters: { ...parameters, [field]: value },
  });
  const result = await checkActivity(service, {
    operation,
    type: wrapperType,
    intent: 'earnDeployWrapperIntent',
    result: 'earnDeployWrapperResult',
    parameters,
    optional: [],
    malformed: [
      malformed('clientFeeBps', '2000'),
      malformed('chainCaip2', 'eip155:5'),
      { field: 'parameters.chainCaip2', parameters: { ...parameters, caip2: 'eip155:2' } },
    ],
  });
  const { deployRequestId, ...rest } = result;
  assert.deepEqual(rest, { wrapperAddress: testVault.address, splitterAddress: '' });
  assert.match(deployRequestId, /^[0-9a-f-]{36}$/);
  const fee = await service.submit(operation, wrapperType, { ...parameters, clientFeeBps: '1' });
  assert.match(fee.body.message, /deploys no contract that takes a fee; a wrapper .* is named/);
});

test('earn_deploy_wrapper: requires an account as fee wallet, and a contract that answers as a vault', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const foreign = describedWrapper(`0x${'01'.repeat(20)}`);
  assertRefused(await service.submit(operation, wrapperType, foreign), 404, 5);
  const parameters = describedWrapper(await makeSender(service));
  vaultAnswers(service, 'asset()', [], 5n);
  const refused = await service.submit(operation, wrapperType, parameters);
  assertRefused(refused, 400, 9);
  assert.match(refused.body.message, /does not respond like a vault/);
});
