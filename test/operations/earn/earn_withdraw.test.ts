import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Interface, Transaction } from 'ethers';
import { startTestService } from '../../support/harness.ts';
import { testVault } from '../../support/outside.ts';
import { assertViolation, checkActivity } from '../checks.ts';
import { makeSender, unsettled } from '../sending/send_requests.ts';
import { describedWithdrawal, vaultAnswers, withdrawType } from './earn_requests.ts';

const operation = 'earn_withdraw';
const contracts = new Interface([
  'function withdraw(uint256 assets, address receiver, address owner)',
  'function redeem(uint256 shares, address receiver, address owner)',
]);

test('earn_withdraw: pays an amount or all shares to the address that holds them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const signWith = await makeSender(service);
  const parameters = describedWithdrawal(signWith);
  await checkActivity(service, {
    operation,
    type: withdrawType,
    intent: 'earnWithdrawIntent',
    result: 'earnWithdrawResult',
    parameters,
    malformed: [
      { field: 'parameters.chainCaip2', parameters: { ...parameters, caip2: 'eip155:2' } },
      { field: 'parameters.amountValue', parameters: { ...parameters, amountValue: 'max' } },
      { field: 'parameters.chainCaip2', parameters: { ...parameters, chainCaip2: 'eip155:5' } },
    ],
  });
  const all = describedWithdrawal(signWith, { amountValue: 'MAX' });
  vaultAnswers(service, 'balanceOf(address)', [BigInt(signWith)], 77n);
  assert.equal((await service.submit(operation, withdrawType, all)).status, 200);
  const calls = (await unsettled(service)).map(({ signedTransaction }) => {
    const { to, data } = Transaction.from(signedTransaction);
    assert.equal(to?.toLowerCase(), testVault.address);
    const call = contracts.parseTransaction({ data });
    return [call?.name, ...(call?.args ?? [])];
  });
  assert.deepEqual(calls.toSorted(), [
    ['redeem', 77n, signWith, signWith],
    ['withdraw', 100n, signWith, signWith],
  ]);
  vaultAnswers(service, 'balanceOf(address)', [BigInt(signWith)], 0n);
  assertViolation(await service.submit(operation, withdrawType, all), 'parameters.amountValue');
});
