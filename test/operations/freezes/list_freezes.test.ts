import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { makeFreeze, makeKeys } from './freeze_requests.ts';

test('list_freezes: lists freezes oldest first, in pages', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const keys = await makeKeys(service, 3);
  const ids: string[] = [];
  for (const key of keys) ids.push(await makeFreeze(service, 'PRIVATE_KEY', key));
  const idsIn = (freezes: readonly { readonly freezeId: string }[]) =>
    freezes.map(({ freezeId }) => freezeId);
  const answer = await checkQuery(service, {
    operation: 'list_freezes',
    body: { paginationOptions: { limit: '2' } },
    optional: ['paginationOptions'],
    malformed: [
      { field: 'paginationOptions.limit', parameters: { paginationOptions: { limit: '101' } } },
    ],
  });
  assert.deepEqual(idsIn(answer.freezes), ids.slice(0, 2));
  const next = await service.query('list_freezes', { paginationOptions: { after: ids[1] } });
  assert.deepEqual(idsIn(next.body.freezes), ids.slice(2));
});
