import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditChain } from '../../../src/receipts/audit.ts';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';

test('list_log_entries: returns pages of entries that end with a proof', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const none = await checkQuery(service, { operation: 'list_log_entries', body: {} });
  assert.deepEqual(none, { entries: [] });
  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  for (const organizationName of ['One', 'Two']) {
    await service.submit('update_organization_name', type, { organizationName });
    const waiting = await service.store.log.next({ limit: 512 });
    await service.enclave.appendLog({ waiting: [...waiting] });
    await service.store.log.done(waiting);
  }
  const { entries, end } = await checkQuery(service, { operation: 'list_log_entries', body: {} });
  const policy = `log ${(await service.enclave.logCheckpoint(undefined)).key}\nquorum none\n`;
  const { organizationId } = service.root;
  const { state } = auditChain(organizationId, entries, end, policy);
  // `checkQuery` adds activities of its own.
  assert.ok(state.entries >= 2 && state.entries === entries.length);
  const body = { cursor: '9'.repeat(15) };
  const after = await checkQuery(service, {
    operation: 'list_log_entries',
    body,
    optional: ['cursor'],
  });
  assert.deepEqual(after.entries, []);
  assert.deepEqual(after.end, end);
});
