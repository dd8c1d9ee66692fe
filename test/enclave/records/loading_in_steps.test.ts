import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { createEnclave } from '../../../src/enclave/enclave.ts';
import { noTurns } from '../../../src/enclave/turns/fair_turns.ts';
import { addPlainUser } from '../../operations/other_callers.ts';
import {
  askOver,
  seededRandom,
  stampOf,
  startTestService,
  testKey,
  testRootKey,
} from '../../support/harness.ts';

test('the rows of an organization are opened with pauses, in a lane of the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const users = 98;
  for (let i = 0; i < users; i += 1) {
    await addPlainUser(service, testKey(`user ${i}`), `User ${i}`);
  }
  const { organizationId, key } = service.root;
  let pauses = 0;
  const lanes: string[] = [];
  const enclave = createEnclave({
    store: service.store.port,
    external: service.outside,
    clock: service.now,
    random: seededRandom('another node'),
    log: () => undefined,
    turns: {
      ...noTurns,
      pause: async () => {
        pauses += 1;
      },
      workFor: (id) => {
        const before = pauses;
        return () => lanes.push(`${id}: ${pauses - before} pauses`);
      },
    },
  });
  const liveness = { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 };
  await enclave.start({ rootKey: testRootKey(), liveness, deployment: service.deployment });
  lanes.length = 0;
  const body = utf8(JSON.stringify({ organizationId }));
  const { status } = await askOver(
    enclave,
    service.store.port,
  )({
    requestId: 'whoami',
    kind: 'query',
    operation: 'whoami',
    headers: [stampOf(body, key)],
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
    body,
  });
  assert.equal(status, 200);
  // Two rows for each user, and at most 32 rows without a pause.
  const [lane = '', ...others] = lanes;
  assert.deepEqual(others, []);
  const [, count] = /: (\d+) pauses$/.exec(lane) ?? [];
  assert(Number(count) >= Math.floor((2 * users) / 32), lane);
});
