import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import {
  makeInterface,
  programAddress,
  programIdl,
  solana,
  tokenAbi,
} from './smart_contract_interface_requests.ts';

const operation = 'list_smart_contract_interfaces';

test('list_smart_contract_interfaces: lists interfaces with their texts, oldest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  assert.deepEqual(await checkQuery(service, { operation, body: {} }), {
    smartContractInterfaces: [],
  });
  const first = await makeInterface(service, {
    type: solana,
    smartContractAddress: programAddress,
    smartContractInterface: programIdl,
  });
  const second = await makeInterface(service);
  await makeInterface(service, {}, await addChild(service));
  const { body } = await service.query(operation);
  const { smartContractInterfaces } = body;
  const shown = smartContractInterfaces.map(
    (found: { smartContractInterfaceId: string; smartContractInterface: string }) => [
      found.smartContractInterfaceId,
      found.smartContractInterface,
    ],
  );
  assert.deepEqual(shown, [
    [first, programIdl],
    [second, tokenAbi],
  ]);
  const { smartContractInterface } = (
    await service.query('get_smart_contract_interface', { smartContractInterfaceId: second })
  ).body;
  assert.deepEqual(smartContractInterfaces[1], smartContractInterface);
});
