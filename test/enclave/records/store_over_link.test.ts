import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeOverLink } from '../../../src/enclave/records/store_over_link.ts';
import { externalHandlers } from '../../../src/gateway/enclave/external_handlers.ts';
import { gatewayMessages } from '../../../src/ipc/messages.ts';
import { createLink } from '../../../src/ipc/rpc.ts';
import type {
  DeliveryPage,
  OrganizationAnswer,
  StoreChange,
  StoredActivity,
  StoredLookup,
  StoredRecord,
  StorePort,
} from '../../../src/store/port.ts';
import { memoryChannels } from '../../ipc/memory_channel.ts';
import { testAnchor } from '../../support/anchor.ts';
import { createTestOutside } from '../../support/outside.ts';

const bytes = Uint8Array.of(0, 1, 255);
const page = { greaterThan: 'a', lessThan: undefined, ascending: false, limit: 10 };
const record: StoredRecord = {
  organizationId: 'o',
  kind: 'wallet_account',
  id: 'r',
  groupId: undefined,
  version: 2,
  body: bytes,
};
const activity: StoredActivity = {
  organizationId: 'o',
  id: 'a',
  type: 't',
  status: 's',
  bucket: 3,
  fingerprint: bytes,
  createdAtMs: 1_700_000_000_000,
  updatedAtMs: 1_700_000_000_001,
  version: 1,
  body: bytes,
};
const lookup: StoredLookup = { index: 'i', blind: bytes, organizationId: 'o', recordId: 'r' };
const stored = { organizationId: 'o', parentId: 'p', version: 5, guard: 4, head: bytes };
const known: OrganizationAnswer = {
  version: 5,
  guard: 4,
  organization: stored,
  records: [record, { ...record, groupId: 'g' }],
  activity,
};
const event = {
  endpointId: 'e',
  organizationId: 'o',
  eventId: 'v',
  createdAtMs: 1_700_000_000_000,
  body: bytes,
};
const change: StoreChange = {
  conditions: [{ organizationId: 'o', version: 5, orLater: true }],
  organizations: [stored, { ...stored, parentId: undefined }],
  records: [record],
  deletedRecords: [{ organizationId: 'o', kind: 'user', id: 'u' }],
  lookups: [lookup],
  deletedLookups: [lookup, lookup],
  activities: [activity],
  events: [event],
  redeliveries: [{ endpointId: 'e', first: 1, last: 9, atMs: 7 }],
  deployment: bytes,
};
const deliveries: DeliveryPage = {
  lastSequence: 9,
  deliveries: [
    {
      ...event,
      sequence: 9,
      state: 'waiting',
      sinceMs: 2,
      dueAtMs: 3,
      attempts: 4,
      failures: 1,
    },
  ],
  attempts: [{ sequence: 9, attempt: 1, atMs: 2, durationMs: 5, outcome: 'o', status: undefined }],
};

type Call = keyof StorePort;
const requests = {
  deployment: undefined,
  organization: {
    organizationId: 'o',
    kinds: ['user', 'tag'],
    knownVersion: 4,
    fingerprint: { bucket: 9, fingerprint: bytes },
  },
  children: { parentId: 'p', page },
  records: { organizationId: 'o', kind: 'k', ids: ['1', '2'], maximumBytes: 7 },
  recordPage: { organizationId: 'o', kind: 'k', groupId: undefined, page },
  lookup: { index: 'i', blind: bytes, limit: 7, after: 'o' },
  lookups: { index: 'i', blinds: [bytes, bytes] },
  activity: { organizationId: 'o', id: 'a', maximumBytes: 7 },
  activityPage: { organizationId: 'o', statuses: ['s'], types: [], page },
  deliveryPage: { endpointId: 'e', after: 3, limit: 5, eventIds: ['1'] },
  commit: change,
} as const satisfies Record<Call, unknown>;

/** Creates a store on one side of a link that records its requests, and the port on the other side. */
function overLink({ isEmpty = false, outcome = 'committed' } = {}) {
  const asked: (readonly [string, unknown])[] = [];
  const note =
    <Answer>(call: Call, answer: Answer) =>
    (request: unknown): Answer => {
      asked.push([call, request]);
      return answer;
    };
  const [near, far] = memoryChannels();
  const link = createLink({
    channel: near,
    calls: gatewayMessages,
    serves: {},
    handlers: {},
    closedCode: 'store_unavailable',
    log: () => {},
  });
  createLink({
    channel: far,
    calls: {},
    serves: gatewayMessages,
    handlers: {
      ...testAnchor(),
      deployment: note('deployment', { body: isEmpty ? undefined : bytes }),
      organization: note(
        'organization',
        isEmpty
          ? {
              version: undefined,
              guard: undefined,
              organization: undefined,
              records: [],
              activity: undefined,
            }
          : { ...known, records: [...known.records] },
      ),
      children: note('children', isEmpty ? [] : ['1', '2']),
      records: note('records', isEmpty ? [] : [record]),
      recordPage: note('recordPage', isEmpty ? [] : [record]),
      lookup: note('lookup', isEmpty ? [] : [lookup]),
      lookups: note('lookups', isEmpty ? [] : [lookup, lookup]),
      activity: note('activity', { activity: isEmpty ? undefined : activity }),
      activityPage: note('activityPage', isEmpty ? [] : [activity]),
      deliveryPage: note(
        'deliveryPage',
        isEmpty
          ? { lastSequence: 0, deliveries: [], attempts: [] }
          : { ...deliveries, deliveries: [...deliveries.deliveries] },
      ),
      commit: note('commit', outcome),
      ...externalHandlers(createTestOutside()),
      log: () => undefined,
    },
    closedCode: 'store_unavailable',
    log: () => {},
  });
  return { port: storeOverLink(link), asked, close: () => near.close() };
}

async function askAll(port: StorePort): Promise<unknown[]> {
  return [
    await port.deployment(),
    await port.organization(requests.organization),
    await port.children(requests.children),
    await port.records(requests.records),
    await port.recordPage(requests.recordPage),
    await port.lookup(requests.lookup),
    await port.lookups(requests.lookups),
    await port.activity(requests.activity),
    await port.activityPage(requests.activityPage),
    await port.deliveryPage(requests.deliveryPage),
    await port.commit(requests.commit),
  ];
}

test('requests and answers cross the link unchanged', async () => {
  const { port, asked } = overLink();
  assert.deepEqual(await askAll(port), [
    bytes,
    known,
    ['1', '2'],
    [record],
    [record],
    [lookup],
    [lookup, lookup],
    activity,
    [activity],
    deliveries,
    'committed',
  ]);
  assert.deepEqual(asked, Object.entries(requests));
});

test('absent rows stay absent across the link', async () => {
  const { port } = overLink({ isEmpty: true });
  assert.deepEqual(await askAll(port), [
    undefined,
    {
      version: undefined,
      guard: undefined,
      organization: undefined,
      records: [],
      activity: undefined,
    },
    [],
    [],
    [],
    [],
    [],
    undefined,
    [],
    { lastSequence: 0, deliveries: [], attempts: [] },
    'committed',
  ]);
});

for (const outcome of ['committed', 'conflict', 'duplicate']) {
  test(`the outcome ${outcome} crosses the link unchanged`, async () => {
    assert.equal(await overLink({ outcome }).port.commit(change), outcome);
  });
}

test('an unknown outcome is refused', async () => {
  for (const outcome of ['', 'Committed', 'toString', 'constructor']) {
    await assert.rejects(overLink({ outcome }).port.commit(change), /a commit has an outcome/);
  }
});

test('without a gateway every call fails with its reason', async () => {
  const { port, close } = overLink();
  close();
  await assert.rejects(port.deployment(), { code: 'store_unavailable' });
  await assert.rejects(port.commit(change), { code: 'store_unavailable' });
});
