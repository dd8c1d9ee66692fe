import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { ethereum, makeLabel, shownLabels, solana, updateLabel } from './address_label_requests.ts';

const wire = {
  operation: 'update_address_label',
  type: 'ACTIVITY_TYPE_UPDATE_ADDRESS_LABEL',
  intent: 'updateAddressLabelIntent',
  result: 'updateAddressLabelResult',
};

test('update_address_label: adds and removes addresses in one change', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const addressLabelId = await makeLabel(service);
  const result = await checkActivity(service, {
    ...wire,
    parameters: {
      addressLabelId: addressLabelId.toUpperCase(),
      addAddresses: [{ address: solana, name: 'Wrapped' }],
      removeAddresses: [ethereum.toLowerCase()],
    },
    optional: ['addAddresses', 'removeAddresses'],
    malformed: [{ field: 'parameters.addressLabelId', parameters: { addressLabelId: 'x' } }],
  });
  assert.deepEqual(result, { addressLabelId });
  const [{ addresses }] = await shownLabels(service);
  assert.deepEqual(addresses, [{ address: solana, name: 'Wrapped' }]);
});

test('update_address_label: refuses to add known addresses and to remove unknown ones', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const addressLabelId = await makeLabel(service);
  const refuse = (parameters: object, status: number, code: number, text: RegExp) =>
    checkRefused(service, { ...wire, parameters: { ...parameters } }, { status, code, text });
  const again = [{ address: ethereum }];
  await refuse({ addressLabelId, addAddresses: again }, 400, 3, /already an address/);
  await refuse(
    { addressLabelId, removeAddresses: [solana] },
    400,
    3,
    /not an address of the label/,
  );
  await refuse({ addressLabelId: unknownId }, 404, 5, /^unable to find address label /);
});

test('update_address_label: an organization has at most 1,000 labelled addresses', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
  const hundred = (start: number) =>
    Array.from({ length: 100 }, (_, i) => ({ address: addressOf(start + i) }));
  const ids: string[] = [];
  for (let i = 0; i < 10; i += 1) {
    ids.push(await makeLabel(service, { label: `label_${i}`, addresses: hundred(i * 100) }));
  }
  const [addressLabelId] = ids;
  const more = { addressLabelId, addAddresses: [{ address: addressOf(5000) }] };
  const { status, body } = await updateLabel(service, more);
  assert.equal(status, 429, JSON.stringify(body));
  assert.match(body.message, /maximum labelled addresses/);
  const swap = { ...more, removeAddresses: [addressOf(7)] };
  assert.equal((await updateLabel(service, swap)).status, 200);
});
