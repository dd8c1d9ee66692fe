// A database that withholds the row of an organization gets no answer for an organization without rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { emptySmallState, type OrganizationState } from '../../src/core/organization/state.ts';
import { RecordRefusedError } from '../../src/enclave/records/record_codec.ts';
import { createSendReaders } from '../../src/enclave/records/send_reader.ts';
import { startTestService, type TestService } from '../support/harness.ts';
import { type HostileStore, hostileStore } from './hostile_store.ts';
import { startServiceOver } from './service_over.ts';

/** Starts a second enclave, which has no organization in memory, on a store that can withhold rows. */
async function startAnother(service: TestService) {
  const store = hostileStore(service.store.port);
  const another = await startServiceOver({
    store: store.port,
    seed: 'withheld organizations',
    clock: service.now,
  });
  return { ...another, store };
}

/** Withholds the row of one organization from every read. */
function withholdOrganization(store: HostileStore, withheldId: string): void {
  store.alter({
    organization: (answer, { organizationId }) =>
      organizationId === withheldId
        ? { ...answer, version: undefined, organization: undefined, records: [] }
        : answer,
  });
}

const ways: Readonly<Record<string, (store: HostileStore, founderId: string) => void>> = {
  'row of the first organization': withholdOrganization,
  'row of the deployment': (store) => store.alter({ deployment: () => undefined }),
};

for (const [which, withhold] of Object.entries(ways)) {
  test(`a database without the ${which} does not restore a compromised webhook key`, async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    const type = 'ACTIVITY_TYPE_ROTATE_WEBHOOK_KEY';
    const rotated = await service.submit('rotate_webhook_key', type, { immediately: true });
    assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
    const { enclave, store } = await startAnother(service);
    withhold(store, service.root.organizationId);
    const keySet = async () => textOfUtf8((await enclave.webhookKeySet(undefined)).body);
    await assert.rejects(keySet(), /refused|deployment|internal/);
    store.alter({});
    service.advance(2_000);
    const honest = textOfUtf8((await service.enclave.webhookKeySet(undefined)).body);
    assert.equal(await keySet(), honest);
  });
}

const owner: OrganizationState = {
  id: 'owner',
  parentId: undefined,
  version: 1,
  guard: 1,
  records: {
    ...emptySmallState(),
    sender: new Map([
      [
        'sender',
        {
          id: 'sender',
          caip2: 'eip155:1',
          address: '0x',
          taken: [{ sendId: 'send', step: 0, characters: 1 }],
          createdAtMs: 0,
          updatedAtMs: 0,
        },
      ],
    ]),
  } as OrganizationState['records'],
  head: {
    name: '',
    rootQuorum: { threshold: 1, userIds: [] },
    features: [],
    createdAtMs: 0,
    updatedAtMs: 0,
  },
};

test('a transaction under way is not missing because its row and its organization were withheld', async () => {
  const readerOf = createSendReaders({
    store: { records: async () => [] },
    codec: {} as Parameters<typeof createSendReaders>[0]['codec'],
    organization: async () => ({ state: undefined }),
  });
  await assert.rejects(readerOf(owner).sends(['send']), RecordRefusedError);
});
