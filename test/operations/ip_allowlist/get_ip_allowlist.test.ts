import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';

test('get_ip_allowlist: a list that was never set is empty and enforces nothing', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, key } = service.root;
  const malformed = [{ field: 'publicKey', parameters: { publicKey: 7 } }];
  const empty = { organizationId, rules: [], onEvaluationError: 'DENY' };
  const answer = await checkQuery(service, { operation: 'get_ip_allowlist', body: {}, malformed });
  assert.deepEqual(answer.allowlist, { ...empty, enabled: false });
  const publicKey = key.publicKey.toUpperCase();
  const { body } = await service.query('get_ip_allowlist', { publicKey });
  assert.deepEqual(body.allowlist, { ...empty, publicKey: key.publicKey });
});
