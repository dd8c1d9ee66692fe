import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { testDeployment, testVault } from '../../support/outside.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { vaultAnswers } from './earn_requests.ts';

const operation = 'list_earn_vaults';
const other = {
  ...testVault,
  address: `0x${'8b'.repeat(20)}`,
  name: 'Other',
  provider: 'EARN_PROVIDER_UNSPECIFIED',
};
const unknown = { apyPct: '', liquidity: '', forceDeallocatableLiquidity: '' };

async function started() {
  const [chain, ...more] = testDeployment.chains;
  assert(chain !== undefined);
  const chains = [{ ...chain, vaults: [testVault, other] }, ...more];
  const service = await startTestService({ deployment: { chains } });
  vaultAnswers(service, 'totalAssets()', [], 1_500_000n);
  vaultAnswers(service, 'totalAssets()', [], 2_000_000n, other.address);
  return service;
}

test('list_earn_vaults: lists the vaults of a token, those with the most tokens first', async (t) => {
  const service = await started();
  t.after(() => service.close());
  const { caip19 } = testVault;
  const body = { caip19 };
  const answer = await checkQuery(service, {
    operation,
    body,
    malformed: [
      { field: 'provider', parameters: { ...body, provider: 'EARN_PROVIDER_OTHER' } },
      {
        field: 'paginationOptions.limit',
        parameters: { ...body, paginationOptions: { limit: '0' } },
      },
    ],
  });
  assert.deepEqual(answer, {
    vaults: [
      {
        vaultAddress: other.address,
        provider: 'EARN_PROVIDER_UNSPECIFIED',
        caip19,
        tvl: '2000000',
        enabled: true,
        display: { usd: '', crypto: '2' },
        name: 'Other',
        curator: 'Example',
        ...unknown,
      },
      {
        vaultAddress: testVault.address,
        provider: 'EARN_PROVIDER_MORPHO',
        caip19,
        tvl: '1500000',
        enabled: true,
        display: { usd: '', crypto: '1.5' },
        name: 'Test vault',
        curator: 'Example',
        ...unknown,
      },
    ],
    pageInfo: {
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: other.address,
      endCursor: testVault.address,
    },
  });
});

test('list_earn_vaults: filters vaults, and pages in both directions', async (t) => {
  const service = await started();
  t.after(() => service.close());
  const list = async (changes: object) => {
    const body = { caip19: testVault.caip19, ...changes };
    const answer = await service.query(operation, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { vaults, pageInfo } = answer.body;
    const addresses = vaults.map((vault: { vaultAddress: string }) => vault.vaultAddress);
    return [addresses, pageInfo.hasPreviousPage, pageInfo.hasNextPage];
  };
  const page = (paginationOptions: object) => list({ paginationOptions });
  assert.deepEqual(await list({ provider: 'EARN_PROVIDER_MORPHO' }), [
    [testVault.address],
    false,
    false,
  ]);
  assert.deepEqual(await list({ provider: 'EARN_PROVIDER_AAVE' }), [[], false, false]);
  assert.deepEqual(await list({ caip19: 'eip155:1/slip44:60' }), [[], false, false]);
  assert.deepEqual(await page({ limit: '1' }), [[other.address], false, true]);
  assert.deepEqual(await page({ limit: '1', after: other.address }), [
    [testVault.address],
    true,
    false,
  ]);
  assert.deepEqual(await page({ limit: '1', before: testVault.address }), [
    [other.address],
    false,
    true,
  ]);
});

test('list_earn_vaults: a deployment without vaults or with a node that is down', async (t) => {
  const none = await startTestService({ deployment: { chains: [] } });
  const service = await started();
  t.after(() => Promise.all([none.close(), service.close()]));
  const body = { caip19: testVault.caip19 };
  const refused = await none.query(operation, body);
  assertRefused(refused, 400, 9);
  assert.match(refused.body.message, /`vaults` in `KEYWRIGHT_CHAINS`/);
  service.outside.chainsDown.add('eip155:1');
  assertRefused(await service.query(operation, body), 503, 14);
});
