// A store that lies about the texts of contract interfaces can do nothing but withhold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredRecord } from '../../../src/store/port.ts';
import { changeOrganization } from '../../operations/other_callers.ts';
import {
  makeInterface,
  programAddress,
  programIdl,
  shownInterfaceIds,
  solana,
} from '../../operations/smart_contract_interfaces/smart_contract_interface_requests.ts';
import { startTestService } from '../../support/harness.ts';

const operation = 'get_smart_contract_interface';

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

test('a text that is withheld, altered or put in the place of another is refused', async (t) => {
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

test('an interface that is deleted while it is read is not found, and no illness', async (t) => {
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
