import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { testVault } from '../../support/outside.ts';
import { checkQuery } from '../checks.ts';
import { vaultAnswers } from './earn_requests.ts';

test('list_earn_enabled_vaults: lists every configured vault as its own target', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  vaultAnswers(service, 'totalAssets()', [], 1_500_000n);
  const answer = await checkQuery(service, {
    operation: 'list_earn_enabled_vaults',
    body: { caip19: testVault.caip19.toUpperCase(), provider: testVault.provider },
    optional: ['caip19', 'provider'],
    malformed: [{ field: 'provider', parameters: { provider: 'EARN_PROVIDER_OTHER' } }],
  });
  assert.deepEqual(answer, {
    enabledVaults: [
      {
        vaultAddress: testVault.address,
        wrapperAddress: testVault.address,
        provider: 'EARN_PROVIDER_MORPHO',
        caip19: testVault.caip19,
        totalDeposited: '1500000',
        display: { usd: '', crypto: '1.5' },
        clientFeeBps: '0',
        depositsDisabled: false,
        name: 'Test vault',
        curator: 'Example',
        deployStatus: 'COMPLETED',
        deployRequestId: '',
        deployError: '',
        netApyPct: '',
        apyPct: '',
        liquidity: '',
        forceDeallocatableLiquidity: '',
      },
    ],
  });
});
