import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, assertViolation, checkQuery } from '../checks.ts';

const operation = 'get_nonces';
const caip2 = 'eip155:1';
const address = `0x${'aB'.repeat(20)}`;

test('get_nonces: returns the nonce of an address only if requested', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  service.outside.amounts.set(`${caip2}/${address.toLowerCase()}`, new Map([['nonce', '7']]));
  service.outside.stationStates.set(address.toLowerCase(), { stationNonce: 3n });
  const body = { address, caip2, nonce: true, gasStationNonce: true };
  const answer = await checkQuery(service, {
    operation,
    body,
    optional: ['nonce', 'gasStationNonce'],
    malformed: [
      { field: 'address', parameters: { ...body, address: '0x1' } },
      { field: 'address', parameters: { ...body, address: `${address}0` } },
      { field: 'caip2', parameters: { ...body, caip2: 'solana:mainnet' } },
    ],
  });
  assert.deepEqual(answer, { nonce: '7', gasStationNonce: '3' });
  service.outside.chainsDown.add(caip2);
  for (const nothing of [{}, { nonce: false, gasStationNonce: false }]) {
    const unasked = await service.query(operation, { address, caip2, ...nothing });
    assert.deepEqual([unasked.status, unasked.body], [200, {}]);
  }
  assertRefused(await service.query(operation, body), 503, 14);
  const ofSolana = await service.query(operation, { ...body, caip2: 'solana:mainnet' });
  assertViolation(ofSolana, 'caip2');
  assert.match(ofSolana.body.message, /expected one of `eip155:1`, got/);
});
