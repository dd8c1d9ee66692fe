// Limits over time on the screen "Policies": a bar for each group, with its text.

import assert from 'node:assert/strict';
import { apiKey, connect } from '../../src/client/index.ts';
import { before, dashboardOfThisFile, goTo, test } from './dashboard.ts';
import { lookAtEach } from './sights.ts';

const dashboard = await dashboardOfThisFile();

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  const root = connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  const limit = (name: string, identifier: string, threshold: string) => ({
    name,
    identifier,
    dataSource: {
      activityExecution: {
        filter: { activity: [{ activityType: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' }] },
      },
    },
    aggregation: {
      method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT' as const,
      operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN_OR_EQUAL' as const,
      threshold,
      window: { rolling: { duration: '86400' } },
      groupBy: { wallet: {} },
    },
  });
  await root.submit('create_velocity_control', limit('Signatures in a day', 'daily', '4'));
  const { accounts } = await root.query('list_wallet_accounts', {});
  const { wallets } = await root.query('list_wallets');
  const treasury = wallets.find(({ walletName }) => walletName === 'treasury');
  const account = accounts.find(
    ({ walletId, curve }) => walletId === treasury?.walletId && curve === 'CURVE_SECP256K1',
  );
  await root.submit('sign_raw_payload', {
    signWith: account?.address ?? '',
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  });
  await root.submit('create_velocity_control', limit('Further signatures', 'further', '2'));
});

test('a limit shows its used share for each group, and an unused limit shows none', async () => {
  const page = await dashboard.openAs('Root user', { path: 'policies' });
  await goTo(page, 'Policies');
  const limits = page.getByRole('region', { name: 'Limits over time' });
  await limits.getByText('treasury').waitFor();
  const texts = (await limits.getByRole('listitem').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  );
  assert.match(texts[0] ?? '', /^Signatures in a day treasury 1 of 4 within 1 day$/);
  assert.match(texts[1] ?? '', /^Further signatures 0 of 2 within 1 day$/);
  const used = limits.getByRole('listitem').first().locator('rect.used');
  assert.equal(await used.getAttribute('width'), '25');
  await lookAtEach(page, [{ what: 'limits over time', reach: async () => {} }]);
});
