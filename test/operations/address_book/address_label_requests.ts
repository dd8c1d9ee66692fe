import assert from 'node:assert/strict';
import type { Sender, TestAnswer, TestService } from '../../support/harness.ts';

/** An Ethereum address with its EIP-55 checksum, and a Solana address. */
export const ethereum = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const solana = 'So11111111111111111111111111111111111111112';

export const describedLabel = (changes: object = {}) => ({
  label: 'treasury',
  addresses: [{ address: ethereum, name: 'Cold storage' }],
  ...changes,
});

/** Creates a label as the root user; returns its ID. */
export async function makeLabel(
  service: TestService,
  changes: object = {},
  as: Sender = {},
): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_ADDRESS_LABEL';
  const parameters = describedLabel(changes);
  const { status, body } = await service.submit('create_address_label', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createAddressLabelResult.addressLabelId;
}

export function updateLabel(
  service: TestService,
  parameters: object,
  as: Sender = {},
): Promise<TestAnswer> {
  const type = 'ACTIVITY_TYPE_UPDATE_ADDRESS_LABEL';
  return service.submit('update_address_label', type, parameters, as);
}

/** Returns the labels of the organization with their addresses, without times. */
export async function shownLabels(service: TestService, as: Sender = {}) {
  const { status, body } = await service.query('list_address_labels', {}, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.addressLabels.map(({ createdAt, updatedAt, ...shown }: Record<string, unknown>) => {
    assert.ok(createdAt && updatedAt);
    return shown;
  });
}
