import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeLabel, shownLabels } from './address_label_requests.ts';

const wire = {
  operation: 'delete_address_label',
  type: 'ACTIVITY_TYPE_DELETE_ADDRESS_LABEL',
  intent: 'deleteAddressLabelIntent',
  result: 'deleteAddressLabelResult',
};

test('delete_address_label: deletes the label and frees its name', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const addressLabelId = await makeLabel(service);
  await checkActivity(service, {
    ...wire,
    parameters: { addressLabelId },
    malformed: [{ field: 'parameters.addressLabelId', parameters: { addressLabelId: 'x' } }],
  });
  assert.deepEqual(await shownLabels(service), []);
  await makeLabel(service);
  await checkRefused(
    service,
    { ...wire, parameters: { addressLabelId: unknownId } },
    { status: 404, code: 5, text: /^unable to find address label / },
  );
});

test('delete_address_label: refuses a label that a policy reads', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const addressLabelId = await makeLabel(service);
  const condition = '[address_book].any(book, eth.tx.to in book.treasury)';
  const policyId = await makePolicy(service, 'Reads it', { condition });
  await checkRefused(
    service,
    { ...wire, parameters: { addressLabelId } },
    {
      status: 400,
      code: 9,
      text: new RegExp(`the address label \`treasury\` is read by the policy ${policyId}`),
    },
  );
  await service.submit('delete_policy', 'ACTIVITY_TYPE_DELETE_POLICY', { policyId });
  const { status } = await service.submit(wire.operation, wire.type, { addressLabelId });
  assert.equal(status, 200);
});
