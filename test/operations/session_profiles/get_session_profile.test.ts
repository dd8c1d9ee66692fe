import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { makeProfile } from '../sessions/session_requests.ts';
import { timestampOf } from '../users/user_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';

test('get_session_profile: shows a profile, also to children', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const life = { expirationSeconds: '60', notes: 'Short' };
  const sessionProfileId = await makeProfile(service, 'Signer', 'true', life);
  const madeAt = timestampOf(service.now());
  const body = { sessionProfileId };
  const malformed = [{ field: 'sessionProfileId', parameters: { sessionProfileId: 'x' } }];
  const answer = await checkQuery(service, { operation: 'get_session_profile', body, malformed });
  assert.deepEqual(answer, {
    sessionProfile: {
      sessionProfileId,
      sessionProfileName: 'Signer',
      scope: 'true',
      expirationSeconds: '60',
      notes: 'Short',
      createdAt: madeAt,
      updatedAt: madeAt,
    },
  });
  const child = await addChild(service);
  const inChild = await service.query('get_session_profile', body, child);
  assert.deepEqual(inChild.body, answer);
  for (const as of [{}, child]) {
    const missing = { sessionProfileId: unknownId };
    assertRefused(await service.query('get_session_profile', missing, as), 404, 5);
  }
});
