import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { testDeployment, testVault } from '../../support/outside.ts';
import { assertViolation, checkQuery } from '../checks.ts';

const operation = 'list_supported_assets';

test('list_supported_assets: lists the coin and the tokens of a chain without a request to its node', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [ethereum, solana] = testDeployment.chains;
  service.outside.chainsDown.add('eip155:1');
  const body = { caip2: 'eip155:1' };
  const answer = await checkQuery(service, {
    operation,
    body,
    malformed: [{ field: 'caip2', parameters: { caip2: '' } }],
  });
  const withoutLogos = (chain: typeof ethereum) => ({
    assets: chain?.assets.map((asset) => ({
      ...asset,
      logoUrl: '',
      earnProviders: asset.caip19 === testVault.caip19 ? ['EARN_PROVIDER_MORPHO'] : [],
    })),
  });
  assert.deepEqual(answer, withoutLogos(ethereum));
  const other = await service.query(operation, { caip2: 'solana:mainnet' });
  assert.deepEqual(other.body, withoutLogos(solana));
});

test('list_supported_assets: an unknown chain is refused with the list of the known ones', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const answer = await service.query(operation, { caip2: 'eip155:5' });
  assertViolation(answer, 'caip2');
  assert.match(
    answer.body.message,
    /expected one of `eip155:1`, `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`, got `eip155:5`$/,
  );
  const without = await startTestService({ deployment: { chains: [] } });
  t.after(() => without.close());
  const none = await without.query(operation, { caip2: 'eip155:1' });
  assertViolation(none, 'caip2');
  assert.match(none.body.message, /expected nothing, since the service has no such chain/);
});
