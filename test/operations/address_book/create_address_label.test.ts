import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import {
  describedLabel,
  ethereum,
  makeLabel,
  shownLabels,
  solana,
} from './address_label_requests.ts';

const wire = {
  operation: 'create_address_label',
  type: 'ACTIVITY_TYPE_CREATE_ADDRESS_LABEL',
  intent: 'createAddressLabelIntent',
  result: 'createAddressLabelResult',
};

test('create_address_label: the label is listed with its addresses as transactions show them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const addresses = [
    { address: ethereum.toLowerCase(), name: 'Cold storage' },
    { address: solana },
    { address: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4' },
  ];
  const { addressLabelId } = await checkActivity(service, {
    ...wire,
    parameters: { label: 'treasury', addresses },
    malformed: [
      { field: 'parameters.label', parameters: describedLabel({ label: 'x'.repeat(65) }) },
      {
        field: 'parameters.addresses.0.address',
        parameters: describedLabel({ addresses: [{ address: 'x'.repeat(101) }] }),
      },
    ],
  });
  assert.deepEqual(await shownLabels(service), [
    {
      addressLabelId,
      label: 'treasury',
      addresses: [
        { address: ethereum, name: 'Cold storage' },
        { address: solana },
        { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
      ],
    },
  ]);
  // Another organization has a label of the same name.
  const child = await addChild(service);
  await makeLabel(service, {}, child);
  assert.equal((await shownLabels(service, child)).length, 1);
});

test('create_address_label: refuses names that policies cannot read, and invalid addresses', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const refuse = (changes: object, text: RegExp) =>
    checkRefused(
      service,
      { ...wire, parameters: describedLabel(changes) },
      { status: 400, code: 3, text },
    );
  for (const label of ['in', '1st', 'two words', 'a.b'])
    await refuse({ label }, /parameters.label/);
  const oneDigitWrong = ethereum.replace('5aA', '5bA');
  for (const address of [oneDigitWrong, `${ethereum}0`, 'T'.repeat(34), 'kraken', 'bc1qqqqqq']) {
    await refuse({ addresses: [{ address }] }, /addresses.0.address.*correct checksum/);
  }
  const twice = [{ address: ethereum }, { address: ethereum.toLowerCase() }];
  await refuse({ addresses: twice }, /addresses.1.address.*already an address/);
  await makeLabel(service);
  await refuse({}, /treasury/);
});
