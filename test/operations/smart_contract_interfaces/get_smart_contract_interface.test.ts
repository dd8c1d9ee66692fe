import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { assertRefused, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  ethereum,
  makeInterface,
  tokenAbi,
  tokenAddress,
} from './smart_contract_interface_requests.ts';

const operation = 'get_smart_contract_interface';

test('get_smart_contract_interface: shows the interface as it was sent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeInterface(service, { label: 'Token „x“', notes: undefined });
  const seconds = String(Math.floor(service.now() / 1000));
  const createdAt = { seconds, nanos: String((service.now() % 1000) * 1_000_000) };
  const { smartContractInterface } = await checkQuery(service, {
    operation,
    body: { smartContractInterfaceId: id.toUpperCase() },
    malformed: [
      { field: 'smartContractInterfaceId', parameters: { smartContractInterfaceId: 'x' } },
    ],
  });
  assert.deepEqual(smartContractInterface, {
    organizationId: service.root.organizationId,
    smartContractInterfaceId: id,
    smartContractAddress: tokenAddress,
    smartContractInterface: tokenAbi,
    type: ethereum,
    label: 'Token „x“',
    notes: '',
    createdAt,
    updatedAt: createdAt,
  });
});

test('get_smart_contract_interface: finds only interfaces of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const ofChild = await makeInterface(service, {}, child);
  for (const smartContractInterfaceId of [unknownId, ofChild]) {
    assertRefused(await service.query(operation, { smartContractInterfaceId }), 404, 5);
  }
  const { organizationId } = child;
  const read = { smartContractInterfaceId: ofChild };
  assert.equal((await service.query(operation, read, { organizationId })).status, 200);
});
