import assert from 'node:assert/strict';
import { test } from 'node:test';
import { by, hour, sign, startLimited } from '../../limits/limited.ts';
import { checkQuery } from '../checks.ts';
import { aggregationOf, makeControl } from './velocity_control_requests.ts';

const operation = 'list_velocity_usage';

test('list_velocity_usage shows the counted amount of each group until it leaves the window', async (t) => {
  const { service, walletId, address } = await startLimited(['alice']);
  t.after(() => service.close());
  assert.deepEqual(await checkQuery(service, { operation, body: {} }), { usages: [] });
  const byUser = await makeControl(service, { aggregation: aggregationOf('3') });
  const byWallet = await makeControl(service, {
    identifier: 'ever',
    aggregation: aggregationOf('0.5', { window: { infinite: {} }, groupBy: { wallet: {} } }),
  });
  // No policy allows it, and a refusal does not count.
  assert.equal(await sign(service, address, by('alice')), false);
  for (const payload of ['one', 'two']) {
    assert.equal(await sign(service, address, {}, payload), true);
  }
  const { body } = await service.query(operation);
  assert.deepEqual(body.usages, [
    { velocityControlId: byUser, groupId: service.root.userId, used: '2', threshold: '3' },
    { velocityControlId: byWallet, groupId: walletId, used: '2', threshold: '0.5' },
  ]);
  service.advance(2 * hour);
  const later = await service.query(operation);
  assert.deepEqual(
    later.body.usages.map(
      ({ velocityControlId }: { velocityControlId: string }) => velocityControlId,
    ),
    [byWallet],
  );
});
