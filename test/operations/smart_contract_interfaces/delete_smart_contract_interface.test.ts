import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { makeInterface, shownInterfaceIds } from './smart_contract_interface_requests.ts';

const wire = {
  operation: 'delete_smart_contract_interface',
  type: 'ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE',
  intent: 'deleteSmartContractInterfaceIntent',
  result: 'deleteSmartContractInterfaceResult',
};

test('delete_smart_contract_interface: deletes the interface with its text', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const id = await makeInterface(service);
  const other = await makeInterface(service, { smartContractAddress: `0x${'1'.repeat(40)}` });
  assert.equal(await textCount(service, [id, other]), 2);
  const result = await checkActivity(service, {
    ...wire,
    parameters: { smartContractInterfaceId: id.toUpperCase() },
    malformed: [
      {
        field: 'parameters.smartContractInterfaceId',
        parameters: { smartContractInterfaceId: 'x' },
      },
    ],
  });
  assert.deepEqual(result, { smartContractInterfaceId: id });
  assert.deepEqual(await shownInterfaceIds(service), [other]);
  assert.equal(await textCount(service, [id]), 0);
  assert.equal(await textCount(service, [other]), 1);
});

test('delete_smart_contract_interface: takes only interfaces of this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ofChild = await makeInterface(service, {}, await addChild(service));
  for (const smartContractInterfaceId of [unknownId, ofChild]) {
    await checkRefused(
      service,
      { ...wire, parameters: { smartContractInterfaceId } },
      { status: 404, code: 5, text: /^unable to find smart contract interface / },
    );
  }
});

test('delete_sub_organization: leaves no interface behind', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const id = await makeInterface(service, {}, child);
  const { status } = await service.submit(
    'delete_sub_organization',
    'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION',
    { deleteWithoutExport: true },
    child,
  );
  assert.equal(status, 200);
  assert.equal(await textCount(service, [id], child.organizationId), 0);
});

async function textCount(
  service: TestService,
  ids: readonly string[],
  organizationId = service.root.organizationId,
): Promise<number> {
  const kind = 'contract_interface_text';
  return (await service.store.port.records({ organizationId, kind, ids })).length;
}
