import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { makeLabel } from './address_label_requests.ts';

test('list_address_labels: lists labels in the order of their creation', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ids = [await makeLabel(service), await makeLabel(service, { label: 'b', addresses: [] })];
  const { addressLabels } = await checkQuery(service, {
    operation: 'list_address_labels',
    body: {},
  });
  assert.deepEqual(
    addressLabels.map(({ addressLabelId }: { addressLabelId: string }) => addressLabelId),
    ids,
  );
});
