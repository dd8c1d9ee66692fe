import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailEventLimits } from '../../../src/core/external/email_events.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { assertViolation, checkQuery } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import { alice, startedOtp } from './otp_requests.ts';

const operation = 'list_email_events';
const messageId = '0198a000-0000-7000-8000-000000000001';
const dayMs = 24 * 60 * 60 * 1000;

type Seen = Parameters<TestService['enclave']['emailSeen']>[0];

/** Reports to the enclave the delivery state of a mail, by default to alice. */
const tell = async (service: TestService, changes: Partial<Seen> = {}) => {
  await service.enclave.emailSeen({
    organizationId: service.root.organizationId,
    messageId,
    eventType: 'Send',
    from: 'keys@example.net',
    to: alice,
    reason: undefined,
    isPermanent: undefined,
    ...changes,
  });
};

const delayed = { eventType: 'DeliveryDelay', reason: 'EENVELOPE 450', isPermanent: false };
const bounced = { eventType: 'Bounce', reason: 'EENVELOPE 550', isPermanent: true };

async function eventsOf(service: TestService, changes: object = {}) {
  const { status, body } = await service.query(operation, { email: alice, ...changes });
  assert.equal(status, 200, JSON.stringify(body));
  return body.emailEvents;
}

const rowsOf = async ({ store, root }: TestService, groupId?: string) =>
  store.port.recordPage({
    organizationId: root.organizationId,
    kind: 'email_event',
    groupId,
    page: { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 1_000 },
  });

/** Returns the stored version and guard of the first organization. */
async function versionsOf({ store, root }: TestService) {
  const { version, guard } = await store.port.organization({
    organizationId: root.organizationId,
    kinds: [],
    knownVersion: 0,
    fingerprint: undefined,
  });
  return { version: version ?? 0, guard };
}

const noDetails = {
  bounceType: '',
  bounceSubType: '',
  diagnosticCode: '',
  deliverySmtpResponse: '',
  deliveryDelayType: '',
  complaintFeedbackType: '',
};

test('list_email_events: lists the delivery states of mails to an address, newest first', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await startedOtp(service);
  const [mail] = service.outside.messages;
  assert(mail?.channel === 'email' && mail.reference !== undefined);
  const { reference } = mail;
  assert.equal(reference.organizationId, service.root.organizationId);
  await tell(service, { ...reference, ...delayed });
  service.advance(10);
  await tell(service, { ...reference, to: 'Alice@Example.com' });
  await tell(service, { to: 'bob@example.com' });
  const { emailEvents } = await checkQuery(service, {
    operation,
    body: { email: 'ALICE@example.com', paginationOptions: { limit: '10' }, eventType: 'Send' },
    optional: ['paginationOptions', 'eventType'],
    malformed: [
      { field: 'email', parameters: { email: 'alice' } },
      { field: 'eventType', parameters: { email: alice, eventType: 'Open' } },
      {
        field: 'paginationOptions.limit',
        parameters: { email: alice, paginationOptions: { limit: '101' } },
      },
    ],
  });
  const common = {
    organizationId: service.root.organizationId,
    messageId: reference.messageId,
    fromAddress: 'keys@example.net',
  };
  const [sent, ...none] = emailEvents;
  assert.deepEqual(none, []);
  const { id, ...rest } = sent;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    ...common,
    eventType: 'Send',
    toAddress: 'Alice@Example.com',
    senderTenant: '',
    timestamp: rest.createdAt,
    createdAt: rest.createdAt,
    details: noDetails,
  });
  assert.match(rest.createdAt, /^[0-9]{13}$/);
  const all = await eventsOf(service);
  assert.deepEqual(
    all.map(({ eventType, details }: { eventType: string; details: object }) => [
      eventType,
      details,
    ]),
    [
      ['Send', noDetails],
      [
        'DeliveryDelay',
        { ...noDetails, deliveryDelayType: 'General', diagnosticCode: 'EENVELOPE 450' },
      ],
    ],
  );
  assert.ok(Number(all[0].timestamp) >= Number(all[1].timestamp) + 10);
  // Events that no relay reports are absent.
  for (const eventType of ['Delivery', 'Complaint', 'Bounce']) {
    assert.deepEqual(await eventsOf(service, { eventType }), []);
  }
});

test('list_email_events: shows the reason of a delayed or failed mail', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const cases = [
    [bounced, { bounceType: 'Permanent', bounceSubType: 'General' }],
    [
      { eventType: 'Bounce', reason: 'timeout', isPermanent: false },
      { bounceType: 'Transient', bounceSubType: 'General' },
    ],
    [
      { eventType: 'Bounce', reason: 'stopping' },
      { bounceType: 'Undetermined', bounceSubType: 'Undetermined' },
    ],
    [delayed, { deliveryDelayType: 'General' }],
    [{ ...delayed, reason: 'ECONNECTION' }, { deliveryDelayType: 'TransientCommunicationFailure' }],
  ] as const;
  for (const [told, details] of cases) {
    await tell(service, told);
    const [newest] = await eventsOf(service);
    assert.deepEqual(newest.details, { ...noDetails, ...details, diagnosticCode: told.reason });
  }
});

test('list_email_events: pages continue from their cursors in both directions', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  for (let i = 0; i < 5; i += 1) {
    await tell(service, i % 2 === 0 ? {} : bounced);
    service.advance(1);
  }
  const idsOf = async (changes: object) =>
    (await eventsOf(service, changes)).map(({ id }: { id: string }) => id);
  const all: string[] = await idsOf({});
  assert.deepEqual(all, all.toSorted().toReversed());
  const page = (paginationOptions: object, more: object = {}) =>
    idsOf({ paginationOptions, ...more });
  assert.deepEqual(await page({ limit: '2' }), all.slice(0, 2));
  assert.deepEqual(await page({ limit: '2', after: all[1] }), all.slice(2, 4));
  assert.deepEqual(await page({ limit: '2', before: all[4] }), all.slice(2, 4));
  assert.deepEqual(await page({ after: all[0], before: all[3] }), all.slice(1, 3));
  const sends = [all[0], all[2], all[4]];
  assert.deepEqual(
    await page({ limit: '2', after: all[0] }, { eventType: 'Send' }),
    sends.slice(1),
  );
});

test('list_email_events: events stay in their organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  await tell(service, { organizationId: child.organizationId });
  assert.deepEqual(await eventsOf(service), []);
  const ofChild = await service.query(operation, { email: alice }, child);
  assert.equal(ofChild.body.emailEvents.length, 1);
});

test('list_email_events: the database stores no address, and lists skip a moved row', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await tell(service);
  await tell(service, { to: 'bob@example.com' });
  const [own, other, ...none] = await rowsOf(service);
  assert.deepEqual(none, []);
  assert(own !== undefined && other !== undefined);
  assert.match(own.groupId ?? '', /^[0-9a-f]{64}$/);
  assert.notEqual(own.groupId, other.groupId);
  const child = await addChild(service);
  await tell(service, { organizationId: child.organizationId });
  assert.deepEqual(await rowsOf(service, own.groupId), [own]);
  for (const { body } of [own, other]) {
    assert.ok(!Buffer.from(body).includes('alice'));
  }
  // The owner of the database moves bob's event to the events of alice.
  const changed = { ...other, groupId: own.groupId };
  await commitRows(service, [changed]);
  assert.equal((await rowsOf(service, own.groupId)).length, 2);
  assert.deepEqual(
    (await eventsOf(service)).map(({ toAddress }: { toAddress: string }) => toAddress),
    [alice],
  );
  const { status } = await service.query(operation, { email: 'bob@example.com' });
  assert.equal(status, 200);
});

async function commitRows(
  { store }: TestService,
  records: Awaited<ReturnType<typeof rowsOf>>,
): Promise<void> {
  const outcome = await store.port.commit({
    conditions: [],
    organizations: [],
    deletedRecords: [],
    lookups: [],
    deletedLookups: [],
    activities: [],
    events: [],
    redeliveries: [],
    deployment: undefined,
    records,
  });
  assert.equal(outcome, 'committed');
}

test('list_email_events: an event leaves the guard of the organization unchanged', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const before = await versionsOf(service);
  await tell(service);
  const after = await versionsOf(service);
  assert.deepEqual(after, { version: before.version + 1, guard: before.guard });
});

test('list_email_events: hides events after 90 days, and new events replace them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  for (let i = 0; i < 12; i += 1) await tell(service, { to: `u${i}@example.com` });
  await tell(service);
  service.advance(90 * dayMs);
  assert.equal((await eventsOf(service)).length, 1);
  service.advance(1);
  assert.deepEqual(await eventsOf(service), []);
  assert.equal((await rowsOf(service)).length, 13);
  await tell(service);
  // Each new event deletes the ten oldest expired events of the organization, for any address.
  assert.equal((await rowsOf(service)).length, 4);
  await tell(service);
  assert.equal((await rowsOf(service)).length, 2);
  assert.equal((await eventsOf(service)).length, 2);
});

test('list_email_events: an address at its limit loses its oldest event, and others lose none', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await tell(service, { to: 'bob@example.com' });
  for (let i = 0; i < emailEventLimits.ofAddress; i += 1) await tell(service);
  const [, first] = await rowsOf(service);
  await tell(service);
  const rows = await rowsOf(service);
  assert.equal(rows.length, emailEventLimits.ofAddress + 1);
  assert.ok(!rows.some(({ id }) => id === first?.id));
  const { body } = await service.query(operation, { email: 'bob@example.com' });
  assert.equal(body.emailEvents.length, 1);
});

test('list_email_events: an invalid report is not stored', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const before = await versionsOf(service);
  const wrong: readonly Partial<Seen>[] = [
    { eventType: 'Delivery' },
    { eventType: '__proto__' },
    { messageId: 'first' },
    { from: '' },
    { from: 'a'.repeat(321) },
    { to: 'alice' },
    { to: `${'a'.repeat(300)}@example.com` },
    { reason: '' },
    { reason: 'x'.repeat(emailEventLimits.reasonCharacters + 1) },
    { reason: 'two\nlines' },
  ];
  for (const changes of wrong) {
    await assert.rejects(tell(service, { ...bounced, ...changes }), JSON.stringify(changes));
  }
  await tell(service, { organizationId: messageId });
  assert.deepEqual(await versionsOf(service), before);
  assert.deepEqual(await eventsOf(service), []);
});

test('list_email_events: a flood of reports is refused beyond a few at a time', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const told = await Promise.allSettled(Array.from({ length: 40 }, () => tell(service)));
  const kept = told.filter(({ status }) => status === 'fulfilled').length;
  assert.ok(kept >= 1 && kept <= 8, String(kept));
  assert.equal((await rowsOf(service)).length, kept);
  await tell(service);
  assert.equal((await rowsOf(service)).length, kept + 1);
});

test('list_email_events: an altered row does not prevent new events', async (t) => {
  const log: string[] = [];
  const service = await startTestService({ log });
  t.after(() => service.close());
  await tell(service);
  const [row] = await rowsOf(service);
  assert(row !== undefined);
  await commitRows(service, [{ ...row, body: row.body.map((byte) => byte ^ 1) }]);
  assert.equal((await service.query(operation, { email: alice })).status, 500);
  service.advance(91 * dayMs);
  await tell(service);
  assert.ok(log.some((line) => line.includes(row.id)));
  assert.equal((await rowsOf(service)).length, 2);
  assertViolation(await service.query(operation, { email: 'no address' }), 'email');
});
