// Contract: events for webhook endpoints.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { StorePort } from '../../src/store/port.ts';
import { auditEventsOf } from '../../src/store/reads/audit_stream.ts';
import type { DeliveryOutcome, Stream } from '../../src/store/reads/outbox.ts';
import type { Store } from '../../src/store/store.ts';
import { commit, committed } from './asking.ts';
import {
  activityOf,
  countTo,
  endpoint,
  eventOf,
  home,
  idAt,
  organizationOf,
  start,
} from './samples.ts';

type WholeStore = Pick<Store, 'port' | 'outbox' | 'audit' | 'vitals'>;
type OnWholeStore = (title: string, run: (store: WholeStore) => Promise<void>) => void;

const other = idAt(0xe1);

async function deliveriesOf(port: StorePort, endpointId = endpoint, after = 0) {
  return port.deliveryPage({ endpointId, after, limit: 1_000, eventIds: [] });
}

async function sequencesOf(port: StorePort, endpointId = endpoint): Promise<number[]> {
  return (await deliveriesOf(port, endpointId)).deliveries.map(({ sequence }) => sequence);
}

const leased = {
  owner: 'me',
  now: start + 1_000,
  leaseUntilMs: start + 60_000,
  limit: 10,
  failing: 10,
  busy: [],
};

/** Returns the outcome of an attempt at the first delivery of an endpoint. */
function outcomeOf(parts: Partial<DeliveryOutcome> = {}): DeliveryOutcome {
  return {
    endpointId: endpoint,
    owner: 'me',
    delivery: { sequence: 1, sinceMs: start, attempts: 0 },
    attempt: { atMs: start + 1_000, durationMs: 5, outcome: 'delivered', status: 200 },
    state: 'delivered',
    dueAtMs: undefined,
    failures: 0,
    stream: { failures: 0, failingSinceMs: undefined, pausedUntilMs: 0 },
    leaseUntilMs: start + 90_000,
    bringForwardToMs: undefined,
    ...parts,
  };
}

const forgetAfterMs = 30 * 24 * 60 * 60 * 1_000;
const releasedBy = (owner: string, now = leased.now) => {
  return { endpointIds: [endpoint], owner, now, forgetAfterMs };
};

const names = (streams: readonly Stream[]) => streams.map(({ endpointId }) => endpointId).sort();

export function outboxContract(name: string, on: OnWholeStore): void {
  describe(`${name}: events`, () => {
    on('are numbered in the order of the changes, each endpoint by itself', async ({ port }) => {
      await committed(port, { organizations: [organizationOf()] });
      const conditions = [{ organizationId: home, version: 1, orLater: false }];
      for (const n of countTo(3)) {
        const events = [eventOf(n), eventOf(n, { endpointId: other })];
        await committed(port, { conditions, activities: [activityOf(n)], events });
      }
      await committed(port, { events: [eventOf(3), eventOf(4)] });
      const { lastSequence, deliveries, attempts } = await deliveriesOf(port);
      assert.equal(lastSequence, 5);
      assert.deepEqual(attempts, []);
      assert.deepEqual(
        deliveries,
        countTo(5).map((n) => ({
          ...eventOf(n),
          sequence: n + 1,
          state: 'waiting',
          sinceMs: start + n,
          dueAtMs: start + n,
          attempts: 0,
          failures: 0,
        })),
      );
      assert.deepEqual(await sequencesOf(port, other), [1, 2, 3]);
      assert.deepEqual(await sequencesOf(port, idAt(0xff)), []);
    });

    on(
      'have no gap and no double under concurrent commits, some of which fail',
      async ({ port }) => {
        await committed(port, { organizations: [organizationOf()], activities: [activityOf(500)] });
        const good = [{ organizationId: home, version: 1, orLater: false }];
        const bad = [{ organizationId: home, version: 2, orLater: false }];
        const outcomes = await Promise.all(
          countTo(400).map((n) =>
            commit(port, {
              conditions: n % 5 === 4 ? bad : good,
              activities: [activityOf(n % 7 === 6 ? 500 : n)],
              events: [eventOf(n), ...(n % 2 === 0 ? [eventOf(n, { endpointId: other })] : [])],
            }),
          ),
        );
        const written = countTo(400).filter((n) => outcomes[n] === 'committed');
        assert.ok(written.length > 250 && written.length < 400);
        const { lastSequence, deliveries } = await deliveriesOf(port);
        assert.equal(lastSequence, written.length);
        assert.deepEqual(
          deliveries.map(({ sequence }) => sequence),
          countTo(written.length).map((n) => n + 1),
        );
        assert.deepEqual(
          new Set(deliveries.map(({ eventId }) => eventId)),
          new Set(written.map((n) => eventOf(n).eventId)),
        );
        const evens = written.filter((n) => n % 2 === 0);
        assert.deepEqual(
          await sequencesOf(port, other),
          countTo(evens.length).map((n) => n + 1),
        );
      },
    );

    on('of an activity under two conditions come where both hold', async ({ port }) => {
      const child = idAt(0xc0);
      await committed(port, {
        organizations: [
          organizationOf(),
          organizationOf({ organizationId: child, parentId: home }),
        ],
      });
      const under = (version: number) => [
        { organizationId: child, version: 1, orLater: false },
        { organizationId: home, version, orLater: false },
      ];
      const outcomes = await Promise.all(
        [1, 2, 1].map((version, n) =>
          commit(port, {
            conditions: under(version),
            activities: [activityOf(n, { organizationId: child })],
            events: [eventOf(n)],
          }),
        ),
      );
      assert.deepEqual(outcomes, ['committed', 'conflict', 'committed']);
      assert.deepEqual(await sequencesOf(port), [1, 2]);
    });

    on(
      'that wait are counted from the first of each endpoint',
      async ({ port, outbox, vitals }) => {
        const { databaseMs, ...none } = await vitals();
        assert.deepEqual(none, {
          waitingEvents: 0,
          oldestWaitingMs: undefined,
          waitingAuditLines: 0,
          oldestAuditLineMs: undefined,
        });
        assert.ok(databaseMs === undefined || Math.abs(databaseMs - Date.now()) < 60_000);
        await committed(port, { events: countTo(3).map((n) => eventOf(n)) });
        await committed(port, { events: [eventOf(1, { endpointId: other })] });
        const all = await vitals();
        assert.deepEqual([all.waitingEvents, all.oldestWaitingMs], [4, start]);
        await outbox.claim(leased);
        await outbox.record([outcomeOf()]);
        const fewer = await vitals();
        assert.deepEqual([fewer.waitingEvents, fewer.oldestWaitingMs], [3, start + 1]);
      },
    );

    on('are found by their ids', async ({ port }) => {
      await committed(port, { events: countTo(5).map((n) => eventOf(n)) });
      const eventIds = [3, 1, 9].map((n) => eventOf(n).eventId);
      const request = { endpointId: endpoint, after: 0, limit: 1, eventIds };
      const { deliveries } = await port.deliveryPage(request);
      assert.deepEqual(
        deliveries.map(({ sequence }) => sequence),
        [2, 4],
      );
    });

    on('come in pages', async ({ port }) => {
      await committed(port, { events: countTo(5).map((n) => eventOf(n)) });
      const request = { endpointId: endpoint, after: 2, limit: 2, eventIds: [] };
      const { lastSequence, deliveries } = await port.deliveryPage(request);
      assert.equal(lastSequence, 5);
      assert.deepEqual(
        deliveries.map(({ sequence }) => sequence),
        [3, 4],
      );
      for (const limit of [0, 1_001]) {
        await assert.rejects(port.deliveryPage({ ...request, limit }));
      }
    });
  });

  describe(`${name}: leases`, () => {
    on('are for what is due, and for one owner', async ({ port, outbox }) => {
      await committed(port, { events: [eventOf(0), eventOf(1, { endpointId: other })] });
      assert.deepEqual(await outbox.claim({ ...leased, now: start - 1 }), []);
      assert.deepEqual(names(await outbox.claim({ ...leased, limit: 1 })), [endpoint]);
      assert.deepEqual(names(await outbox.claim({ ...leased, owner: 'you' })), [other]);
      assert.deepEqual(await outbox.claim({ ...leased, owner: 'third' }), []);
      // A worker gets its own lease again, unless it is busy.
      assert.deepEqual(names(await outbox.claim(leased)), [endpoint]);
      assert.deepEqual(await outbox.claim({ ...leased, busy: [endpoint] }), []);
      const late = { ...leased, owner: 'third', now: leased.leaseUntilMs };
      assert.deepEqual(names(await outbox.claim(late)), [endpoint, other]);
    });

    on('of many claimants at once go to one each', async ({ port, outbox }) => {
      const ids = countTo(20).map((n) => idAt(0xe00 + n));
      await committed(port, { events: ids.map((endpointId, n) => eventOf(n, { endpointId })) });
      const claims = await Promise.all(
        countTo(5).map((n) => outbox.claim({ ...leased, owner: `owner ${n}`, limit: 20 })),
      );
      assert.deepEqual(names(claims.flat()), ids.toSorted());
    });

    on('end, and the stream is due again with its first delivery', async ({ port, outbox }) => {
      await committed(port, { events: [eventOf(0), eventOf(1)] });
      await outbox.claim(leased);
      await outbox.record([outcomeOf()]);
      await outbox.release(releasedBy('me'));
      const claim = { ...leased, owner: 'you' };
      assert.deepEqual(await outbox.claim({ ...claim, now: leased.now - 1 }), []);
      assert.deepEqual(names(await outbox.claim(claim)), [endpoint]);
      await outbox.record([
        {
          ...outcomeOf({ owner: 'you' }),
          delivery: { sequence: 2, sinceMs: start + 1, attempts: 0 },
        },
      ]);
      await outbox.release(releasedBy('you'));
      assert.deepEqual(await outbox.claim({ ...claim, now: start + 1e9 }), []);
      await committed(port, { events: [eventOf(2)] });
      assert.deepEqual(names(await outbox.claim(claim)), [endpoint]);
    });
  });

  describe(`${name}: attempts`, () => {
    on('change the delivery and are kept', async ({ port, outbox }) => {
      await committed(port, { events: [eventOf(0), eventOf(1)] });
      await outbox.claim(leased);
      const [first] = await outbox.next({ endpointId: endpoint, now: leased.now, limit: 1 });
      assert.equal(first?.sequence, 1);
      const failed = outcomeOf({
        attempt: { atMs: leased.now, durationMs: 9, outcome: 'timeout', status: undefined },
        state: 'waiting',
        dueAtMs: start + 50_000,
        failures: 1,
        stream: { failures: 1, failingSinceMs: leased.now, pausedUntilMs: start + 10_000 },
      });
      assert.deepEqual(await outbox.record([failed]), [true]);
      const [second] = await outbox.next({ endpointId: endpoint, now: leased.now, limit: 1 });
      assert.equal(second?.sequence, 2);
      const [late] = await outbox.next({ endpointId: endpoint, now: start + 50_000, limit: 1 });
      assert.deepEqual([late?.sequence, late?.attempts, late?.failures], [1, 1, 1]);
      await outbox.release(releasedBy('me'));
      // The stream pauses, and then resumes at its position.
      assert.deepEqual(await outbox.claim({ ...leased, now: start + 9_999 }), []);
      assert.deepEqual(await outbox.claim({ ...leased, now: start + 10_000 }), [
        { endpointId: endpoint, failures: 1, failingSinceMs: leased.now },
      ]);
      const again = { sequence: 1, sinceMs: start, attempts: 1 };
      assert.deepEqual(await outbox.record([outcomeOf({ delivery: again })]), [true]);
      const { deliveries, attempts } = await deliveriesOf(port);
      assert.deepEqual(
        deliveries.map(({ state, dueAtMs, attempts: count }) => [state, dueAtMs, count]),
        [
          ['delivered', undefined, 2],
          ['waiting', start + 1, 0],
        ],
      );
      assert.deepEqual(attempts, [
        {
          sequence: 1,
          attempt: 1,
          atMs: leased.now,
          durationMs: 9,
          outcome: 'timeout',
          status: undefined,
        },
        {
          sequence: 1,
          attempt: 2,
          atMs: start + 1_000,
          durationMs: 5,
          outcome: 'delivered',
          status: 200,
        },
      ]);
    });

    // Nodes with other clocks write to the same endpoint, and read.
    on('of what was never tried are in the order of the numbers', async ({ port, outbox }) => {
      const ahead = eventOf(0, { createdAtMs: leased.now + 500 });
      await committed(port, { events: [eventOf(1), ahead, eventOf(2)] });
      await outbox.claim(leased);
      const next = { endpointId: endpoint, now: leased.now };
      const due = await outbox.next({ ...next, limit: 10 });
      assert.deepEqual(
        due.map(({ sequence }) => sequence),
        [1, 2, 3],
      );
      const failed = outcomeOf({
        delivery: { sequence: 1, sinceMs: start + 1, attempts: 0 },
        attempt: { atMs: leased.now, durationMs: 9, outcome: 'timeout', status: undefined },
        state: 'waiting',
        dueAtMs: leased.now + 1,
        failures: 1,
      });
      assert.deepEqual(await outbox.record([failed]), [true]);
      const [second] = await outbox.next({ ...next, limit: 1 });
      assert.equal(second?.sequence, 2, 'what fails is overtaken');
    });

    on('of one who lost the lease change nothing', async ({ port, outbox }) => {
      await committed(port, { events: [eventOf(0)] });
      await outbox.claim(leased);
      await outbox.claim({ ...leased, owner: 'you', now: leased.leaseUntilMs });
      assert.deepEqual(await outbox.record([outcomeOf()]), [false]);
      await outbox.release(releasedBy('me'));
      const { deliveries, attempts } = await deliveriesOf(port);
      assert.deepEqual([deliveries[0]?.state, attempts], ['waiting', []]);
      assert.deepEqual(await outbox.claim({ ...leased, owner: 'third' }), []);
    });

    on('let all that waits be due where the endpoint is back', async ({ port, outbox }) => {
      await committed(port, { events: countTo(3).map((n) => eventOf(n)) });
      await outbox.claim(leased);
      const later = { state: 'waiting', dueAtMs: start + 1e8, failures: 1 } as const;
      await outbox.record([outcomeOf(later)]);
      const second = { sequence: 2, sinceMs: start + 1, attempts: 0 };
      await outbox.record([outcomeOf({ delivery: second, bringForwardToMs: leased.now })]);
      const [next] = await outbox.next({ endpointId: endpoint, now: leased.now, limit: 1 });
      assert.equal(next?.sequence, 1);
    });

    on('wait with the whole stream', async ({ port, outbox }) => {
      await committed(port, { events: [eventOf(0)] });
      await outbox.claim(leased);
      const stream = { failures: 0, failingSinceMs: undefined };
      await outbox.pause({ endpointId: endpoint, owner: 'me', until: start + 30_000, stream });
      await outbox.release(releasedBy('me'));
      assert.deepEqual(await outbox.claim({ ...leased, now: start + 29_999 }), []);
      assert.deepEqual(names(await outbox.claim({ ...leased, now: start + 30_000 })), [endpoint]);
    });
  });

  describe(`${name}: redeliveries`, () => {
    on('start over, though an attempt was under way', async ({ port, outbox }) => {
      await committed(port, { events: countTo(4).map((n) => eventOf(n)) });
      await outbox.drop({ endpointId: endpoint, state: 'dropped' });
      await outbox.claim(leased);
      await outbox.release(releasedBy('me'));
      assert.deepEqual(await outbox.claim(leased), []);
      const redelivery = { endpointId: endpoint, first: 2, last: 3, atMs: start + 2_000 };
      await committed(port, { redeliveries: [redelivery] });
      const claim = { ...leased, now: start + 2_000 };
      assert.deepEqual(names(await outbox.claim(claim)), [endpoint]);
      const { deliveries } = await deliveriesOf(port);
      assert.deepEqual(
        deliveries.map(({ state, sinceMs }) => [state, sinceMs]),
        [
          ['dropped', start],
          ['waiting', start + 2_000],
          ['waiting', start + 2_000],
          ['dropped', start + 3],
        ],
      );
      // The outcome of an earlier attempt is stored, and the delivery is still sent again.
      const before = { sequence: 2, sinceMs: start + 1, attempts: 0 };
      assert.deepEqual(await outbox.record([outcomeOf({ delivery: before })]), [true]);
      const [next] = await outbox.next({ endpointId: endpoint, now: start + 2_000, limit: 1 });
      assert.deepEqual([next?.sequence, next?.attempts], [2, 1]);
      const again = { sequence: 2, sinceMs: start + 2_000, attempts: 1 };
      assert.deepEqual(await outbox.record([outcomeOf({ delivery: again })]), [true]);
      const { deliveries: ended, attempts } = await deliveriesOf(port);
      const numbers = attempts.map(({ attempt }) => attempt);
      assert.deepEqual([ended[1]?.state, ...numbers], ['delivered', 1, 2]);
    });

    on('are part of their change', async ({ port, outbox }) => {
      await committed(port, { events: [eventOf(0)] });
      await outbox.drop({ endpointId: endpoint, state: 'dropped' });
      const refused = await commit(port, {
        conditions: [{ organizationId: home, version: 9, orLater: false }],
        events: [eventOf(1)],
        redeliveries: [{ endpointId: endpoint, first: 1, last: 1, atMs: start }],
      });
      assert.equal(refused, 'conflict');
      const { lastSequence, deliveries } = await deliveriesOf(port);
      assert.deepEqual([lastSequence, deliveries[0]?.state], [1, 'dropped']);
    });
  });

  describe(`${name}: old deliveries`, () => {
    on('are forgotten with their attempts, those that wait are not', async ({ port, outbox }) => {
      await committed(port, { events: countTo(5).map((n) => eventOf(n)) });
      await outbox.claim(leased);
      for (const n of [0, 1, 3]) {
        const delivery = { sequence: n + 1, sinceMs: start + n, attempts: 0 };
        const attempt = { atMs: start + n, durationMs: 1, outcome: 'delivered', status: 200 };
        await outbox.record([outcomeOf({ delivery, attempt })]);
      }
      const request = { endpointId: endpoint, beforeMs: start + 4, limit: 100 };
      assert.equal(await outbox.forget(request), 3);
      const { lastSequence, deliveries, attempts } = await deliveriesOf(port);
      assert.equal(lastSequence, 5);
      assert.deepEqual(
        deliveries.map(({ sequence }) => sequence),
        [3, 5],
      );
      assert.deepEqual(attempts, []);
      assert.equal(await outbox.forget(request), 0);
      await committed(port, { events: [eventOf(7)] });
      assert.deepEqual(await sequencesOf(port), [3, 5, 6]);
    });

    on(
      'of an endpoint to which nothing goes any more have their time',
      async ({ port, outbox }) => {
        await committed(port, { events: [eventOf(0), eventOf(1)] });
        await outbox.claim(leased);
        await outbox.drop({ endpointId: endpoint, state: 'dropped' });
        await outbox.release(releasedBy('me'));
        assert.deepEqual(await outbox.claim({ ...leased, now: start + forgetAfterMs - 1 }), []);
        const late = start + forgetAfterMs;
        assert.deepEqual(names(await outbox.claim({ ...leased, now: late })), [endpoint]);
        assert.deepEqual(await outbox.next({ endpointId: endpoint, now: late, limit: 1 }), []);
        await outbox.forget({ endpointId: endpoint, beforeMs: start + 1, limit: 100 });
        await outbox.release(releasedBy('me', late));
        assert.deepEqual(await outbox.claim({ ...leased, now: late }), []);
        // The next event of the stream.
        assert.deepEqual(names(await outbox.claim({ ...leased, now: late + 1 })), [endpoint]);
        await outbox.forget({ endpointId: endpoint, beforeMs: start + 2, limit: 100 });
        await outbox.release(releasedBy('me', late + 1));
        assert.deepEqual(await outbox.claim({ ...leased, now: late * 2 }), []);
      },
    );
  });

  describe(`${name}: decided activities`, () => {
    const completed = (n: number) => activityOf(n, { status: 'ACTIVITY_STATUS_COMPLETED' });
    const decide = async (port: StorePort, ...numbers: readonly number[]) => {
      for (const n of numbers) {
        const activities = [completed(n)];
        await committed(port, { activities, events: auditEventsOf(activities) });
      }
    };
    const lease = (owner: string, now: number) => ({ owner, now, leaseUntilMs: now + 1_000 });

    on('of what still waits there is none', async () => {
      const waiting = activityOf(1, { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED' });
      assert.deepEqual(auditEventsOf([waiting]), []);
    });

    on('are numbered without a gap, whatever was delivered', async ({ port, audit, vitals }) => {
      await committed(port, { organizations: [organizationOf()] });
      assert.deepEqual(await audit.next({ limit: 10 }), []);
      await decide(port, 1, 2, 3);
      const entries = await audit.next({ limit: 2 });
      assert.deepEqual(entries, [
        { number: 1, organizationId: home, activityId: completed(1).id, version: 1 },
        { number: 2, organizationId: home, activityId: completed(2).id, version: 1 },
      ]);
      assert.equal((await vitals()).waitingAuditLines, 3);
      assert.equal((await vitals()).oldestAuditLineMs, completed(1).updatedAtMs);
      await audit.delivered({ upTo: 2 });
      const numbers = async () => (await audit.next({ limit: 10 })).map(({ number }) => number);
      assert.deepEqual(await numbers(), [3]);
      await audit.delivered({ upTo: 3 });
      assert.equal((await vitals()).waitingAuditLines, 0);
      await decide(port, 4);
      assert.deepEqual(await numbers(), [4]);
    });

    on('wait for each of several destinations', async ({ port, outbox, audit, vitals }) => {
      await decide(port, 1, 2, 3);
      const file = { shared: { kind: 'file', others: ['url'] } } as const;
      const url = { shared: { kind: 'url', others: ['file'] } } as const;
      const numbers = async (of: typeof file | typeof url) =>
        (await audit.next({ limit: 10, ...of })).map(({ number }) => number);
      const deliver = async (of: typeof file | typeof url, upTo: number) => {
        await audit.reached({ upTo, ...of });
        await audit.delivered({ upTo, ...of });
      };
      assert.equal(await audit.lease({ ...lease('me', start), ...file }), true);
      assert.equal(await audit.lease({ ...lease('you', start), ...url }), true);
      assert.equal(await audit.lease({ ...lease('you', start), ...file }), false);
      assert.deepEqual(
        [await numbers(file), await numbers(url)],
        [
          [1, 2, 3],
          [1, 2, 3],
        ],
      );
      await deliver(file, 3);
      assert.deepEqual([await numbers(file), await numbers(url)], [[], [1, 2, 3]]);
      assert.equal((await vitals()).waitingAuditLines, 3);
      await deliver(url, 2);
      assert.deepEqual([await numbers(file), await numbers(url)], [[], [3]]);
      assert.equal((await vitals()).waitingAuditLines, 1);
      // A late report of an earlier number does not move a position back.
      await deliver(url, 1);
      assert.deepEqual(await numbers(url), [3]);
      await deliver(url, 3);
      assert.equal((await vitals()).waitingAuditLines, 0);
      await decide(port, 4);
      assert.deepEqual([await numbers(file), await numbers(url)], [[4], [4]]);
      assert.deepEqual(await outbox.claim(leased), []);
      assert.equal((await vitals()).waitingEvents, 0);
    });

    on('are no events of an endpoint', async ({ port, outbox, audit, vitals }) => {
      await decide(port, 1);
      await committed(port, { events: [eventOf(9)] });
      assert.deepEqual(names(await outbox.claim(leased)), [endpoint]);
      assert.equal((await vitals()).waitingEvents, 1);
      assert.equal((await audit.next({ limit: 10 })).length, 1);
    });

    on('are for one owner at a time', async ({ port, audit }) => {
      assert.equal(await audit.lease(lease('me', start)), false, 'there is nothing yet');
      await decide(port, 1);
      assert.equal(await audit.lease(lease('me', start)), true);
      assert.equal(await audit.lease(lease('you', start + 999)), false);
      assert.equal(await audit.lease(lease('me', start + 999)), true);
      assert.equal(await audit.lease(lease('you', start + 1_998)), false);
      assert.equal(await audit.lease(lease('you', start + 1_999)), true);
      await audit.release({ owner: 'me' });
      assert.equal(await audit.lease(lease('me', start + 2_000)), false, 'it was not its own');
      await audit.release({ owner: 'you' });
      assert.equal(await audit.lease(lease('me', start + 2_000)), true);
    });
  });
}
