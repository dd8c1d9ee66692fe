// The verifier of receipts in a real browser, by the packages alone and with WebCrypto.

import assert from 'node:assert/strict';
import { startTestService } from '../../support/harness.ts';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { browserOfThisFile, missingBrowser } from './browser.ts';

const { openPage, servePage } = await browserOfThisFile();
const { test } = testsThatNeed(missingBrowser);
const rounds = Number(process.env['RECEIPT_ROUNDS'] ?? 20);

test('the browser confirms all signatures of a receipt, and accepts no altered receipt', async (context) => {
  const service = await startTestService();
  const { body } = await service.submit(
    'update_organization_name',
    'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
    { organizationName: 'Browsed' },
  );
  await service.enclave.appendLog({ waiting: [...(await service.store.log.next({ limit: 10 }))] });
  const found = await service.query('get_receipt', { activityId: body.activity.id });
  const receipt = JSON.stringify(found.body);
  const policy = `log ${(await service.enclave.logCheckpoint(undefined)).key}\nquorum none\n`;
  await service.close();

  const page = await openPage<typeof import('./pages/receipts.ts')>(await servePage('receipts.ts'));
  const { packagesMs, nativeMs, answers } = await page.call('measure', receipt, policy, rounds);
  context.diagnostic(
    `a receipt takes ${packagesMs.toFixed(1)} ms by the packages, ${nativeMs.toFixed(1)} ms with WebCrypto`,
  );
  assert.ok(answers.length >= 4);
  assert.ok(answers.every(Boolean), String(answers));
  assert.equal(await page.call('refusal', receipt, policy), undefined);
  const altered = receipt.replace('Browsed', 'Browzed');
  assert.match((await page.call('refusal', altered, policy)) ?? '', /commits to/);
});
