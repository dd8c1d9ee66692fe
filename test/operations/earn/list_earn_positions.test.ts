import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { testVault } from '../../support/outside.ts';
import { checkQuery } from '../checks.ts';
import { vaultAnswers } from './earn_requests.ts';

const operation = 'list_earn_positions';
const walletAddress = `0x${'aB'.repeat(20)}`;

test('list_earn_positions: shows the value of the shares of an address', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  vaultAnswers(service, 'balanceOf(address)', [BigInt(walletAddress)], 77n);
  vaultAnswers(service, 'convertToAssets(uint256)', [77n], 81n);
  const answer = await checkQuery(service, {
    operation,
    body: { walletAddress },
    malformed: [{ field: 'walletAddress', parameters: { walletAddress: '0x12' } }],
  });
  assert.deepEqual(answer, {
    positions: [
      {
        vaultAddress: testVault.address,
        wrapperAddress: testVault.address,
        provider: 'EARN_PROVIDER_MORPHO',
        caip19: testVault.caip19,
        currentValue: '81',
        totalDeposited: '',
        totalWithdrawn: '',
        display: {
          currentValueUsd: '',
          currentValueCrypto: '0.000081',
          totalDepositedUsd: '',
          totalDepositedCrypto: '',
          totalWithdrawnUsd: '',
          totalWithdrawnCrypto: '',
        },
        depositsDisabled: false,
      },
    ],
  });
  vaultAnswers(service, 'balanceOf(address)', [BigInt(walletAddress)], 0n);
  const none = await service.query(operation, { walletAddress });
  assert.deepEqual([none.status, none.body], [200, { positions: [] }]);
});
