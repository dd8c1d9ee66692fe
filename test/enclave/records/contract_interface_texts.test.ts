// A store that lies about the texts of contract interfaces can only withhold them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { boundedStore } from '../../../src/enclave/records/bounded_store.ts';
import { createLargeReads } from '../../../src/enclave/records/large_reads.ts';
import { createRepository } from '../../../src/enclave/records/repository.ts';
import { createTextReaders } from '../../../src/enclave/records/text_reader.ts';
import type { StoredRecord } from '../../../src/store/port.ts';
import { changeOrganization } from '../../operations/other_callers.ts';
import {
  makeInterface,
  programAddress,
  programIdl,
  shownInterfaceIds,
  solana,
} from '../../operations/smart_contract_interfaces/smart_contract_interface_requests.ts';
import { startTestService, testRootKey } from '../../support/harness.ts';
import { codecOf } from '../hostile_world.ts';

const operation = 'get_smart_contract_interface';

/** An interface of more than 150,000 characters. */
const longAbi = JSON.stringify(
  Array.from({ length: 1_500 }, (_, i) => ({
    type: 'function',
    name: `transfer${i}`,
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
  })),
);

async function startWithTwo(log: string[] = []) {
  const service = await startTestService({ log });
  const first = await makeInterface(service);
  const second = await makeInterface(service, {
    type: solana,
    smartContractAddress: programAddress,
    smartContractInterface: programIdl,
  });
  const { port } = service.store;
  const truth = port.records.bind(port);
  const lie = (alter: (rows: readonly StoredRecord[]) => readonly StoredRecord[]): void => {
    Object.assign(port, {
      records: async (...asked: Parameters<typeof truth>) => alter(await truth(...asked)),
    });
  };
  return { service, first, second, lie, truth };
}

test('a withheld, altered or exchanged text is refused', async (t) => {
  const log: string[] = [];
  const { service, first, second, lie, truth } = await startWithTwo(log);
  t.after(() => service.close());
  const { organizationId } = service.root;
  const kind = 'contract_interface_text';
  const [other] = await truth({ organizationId, kind, ids: [second] });
  assert(other !== undefined);
  const lies: Readonly<Record<string, (row: StoredRecord) => StoredRecord | undefined>> = {
    withheld: () => undefined,
    altered: (row) => ({ ...row, body: row.body.map((byte, i) => (i === 40 ? byte ^ 1 : byte)) }),
    'of another interface': () => other,
    'of another interface, under this id': (row) => ({ ...other, id: row.id }),
    'of another kind': (row) => ({ ...row, kind: 'wallet_account' }),
    'of another version': (row) => ({ ...row, version: row.version + 1 }),
    'of another organization': (row) => ({ ...row, organizationId: second }),
  };
  for (const [what, alter] of Object.entries(lies)) {
    log.length = 0;
    lie((rows) => rows.flatMap((row) => alter(row) ?? []));
    const answer = await service.query(operation, { smartContractInterfaceId: first });
    assert.equal(answer.status, 500, what);
    assert.match(answer.body.message, /^internal server error/, what);
    assert.equal(log.length, 1, what);
    assert.ok(log[0]?.includes(first) || log[0]?.includes(other.id), what);
  }
  lie((rows) => rows);
  assert.deepEqual(await shownInterfaceIds(service), [first, second]);
});

test('an interface that is deleted while it is read is not found, without an alarm', async (t) => {
  const log: string[] = [];
  const { service, first, second, truth } = await startWithTwo(log);
  t.after(() => service.close());
  let isDeleted = false;
  Object.assign(service.store.port, {
    records: async (...asked: Parameters<typeof truth>) => {
      if (!isDeleted) {
        isDeleted = true;
        await changeOrganization(service, (draft) => {
          draft.remove('contract_interface', first);
          const times = { createdAtMs: 0, updatedAtMs: 0 };
          draft.drop('contract_interface_text', { id: first, text: '', ...times });
          return undefined;
        });
      }
      return truth(...asked);
    },
  });
  assert.deepEqual(await shownInterfaceIds(service), [second]);
  const answer = await service.query(operation, { smartContractInterfaceId: first });
  assert.equal(answer.status, 404);
  assert.deepEqual(log, []);
});

test('texts of megabytes are read by one request of the organization at a time, with pauses', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = service.root;
  for (let i = 0; i < 5; i += 1) {
    const smartContractAddress = `0x${i.toString(16).padStart(40, '0')}`;
    await makeInterface(service, { smartContractAddress, smartContractInterface: longAbi });
  }
  const codec = codecOf('long texts');
  const keys = createRootKeys(testRootKey());
  const repository = createRepository({ store: service.store.port, codec, keys });
  const { state } = await repository.organization(organizationId);
  assert(state !== undefined);
  const large = createLargeReads();
  let pauses = 0;
  let reading = 0;
  let most = 0;
  const store = boundedStore(service.store.port, {
    ...large,
    enter: async (id) => {
      await large.enter(id);
      reading += 1;
      most = Math.max(most, reading);
    },
  });
  const pause = async () => {
    pauses += 1;
  };
  const ports = { store, codec, organization: repository.organization, reading: { pause } };
  const interfaces = [...state.records.contract_interface.values()];
  const requests = Array.from({ length: 4 }, () =>
    large.run(
      () => undefined,
      async () => {
        const texts =
          await createTextReaders(ports)(organizationId).contractInterfaceTexts(interfaces);
        reading -= 1;
        return texts.size;
      },
    ),
  );
  assert.deepEqual(await Promise.all(requests), [5, 5, 5, 5]);
  assert.deepEqual([most, reading, large.waiting()], [1, 0, 0]);
  assert.equal(pauses, requests.length * interfaces.length);
});
