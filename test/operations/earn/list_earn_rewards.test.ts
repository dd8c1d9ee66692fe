import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { publishedRewards, testRewards, testVault } from '../../support/outside.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { vaultAnswers } from './earn_requests.ts';

const operation = 'list_earn_rewards';
const walletAddress = `0x${'aB'.repeat(20)}`;
const other = `0x${'0a'.repeat(20)}`;

test('list_earn_rewards: subtracts paid rewards from published rewards', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const token = { address: other, symbol: 'ot\u0007her', decimals: 2 };
  const rewards = [{}, { token, amount: '700', pending: '0' }];
  service.outside.rewards.set(walletAddress.toLowerCase(), publishedRewards(rewards));
  const words = [BigInt(walletAddress), BigInt(other)];
  vaultAnswers(service, 'claimed(address,address)', words, 650n, testRewards.distributor);
  const answer = await checkQuery(service, {
    operation,
    body: { walletAddress, caip2: 'eip155:1' },
    optional: ['caip2'],
    malformed: [{ field: 'walletAddress', parameters: { walletAddress: '0x12' } }],
  });
  const none = { claimableUsd: '', claimedUsd: '', pendingUsd: '' };
  assert.deepEqual(answer.rewards, [
    {
      caip2: 'eip155:1',
      caip19: testVault.caip19,
      symbol: 'TST',
      decimals: 6,
      claimable: '4',
      claimed: '1',
      pending: '2',
      display: {
        ...none,
        claimableCrypto: '0.000004',
        claimedCrypto: '0.000001',
        pendingCrypto: '0.000002',
      },
    },
    {
      caip2: 'eip155:1',
      caip19: `eip155:1/erc20:${other}`,
      symbol: 'ot?her',
      decimals: 2,
      claimable: '50',
      claimed: '650',
      pending: '0',
      display: { ...none, claimableCrypto: '0.5', claimedCrypto: '6.5', pendingCrypto: '0' },
    },
  ]);
  assertRefused(await service.query(operation, { walletAddress, caip2: 'eip155:5' }), 400, 9);
  service.outside.chainsDown.add('eip155:1');
  assertRefused(await service.query(operation, { walletAddress }), 503, 14);
});
