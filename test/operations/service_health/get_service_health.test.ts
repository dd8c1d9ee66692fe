import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMs, startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild, addPlainUser } from '../other_callers.ts';

const operation = 'get_service_health';
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

test('get_service_health names each chain and whether its node answers', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  service.outside.chainsDown.add('eip155:1');
  const answer = await checkQuery(service, { operation, body: {} });
  assert.deepEqual(answer, {
    chains: [
      { caip2: 'eip155:1', nodeState: 'SILENT' },
      { caip2: solana, nodeState: 'ANSWERS' },
    ],
  });
});

test('get_service_health shows the last backup to the root quorum of the first organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  service.outside.lastBackupAtMs = startMs;
  const { body } = await service.query(operation);
  assert.deepEqual(body.lastBackupAt, { seconds: String(startMs / 1000), nanos: '0' });
  for (const caller of [await addPlainUser(service), await addChild(service)]) {
    const answer = await service.query(operation, {}, caller);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.lastBackupAt, undefined);
  }
});
