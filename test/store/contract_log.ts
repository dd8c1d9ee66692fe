// Contract: the log, which appends committed records.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { noChange, type StorePort } from '../../src/store/port.ts';
import type { LogQueue } from '../../src/store/reads/waiting_for_log.ts';
import { committed } from './asking.ts';
import { activityOf, home, idAt, organizationOf } from './samples.ts';

type OnWholeStore = (
  title: string,
  run: (store: { readonly port: StorePort; readonly log: LogQueue }) => Promise<void>,
) => void;

const waitingOf = (n: number, version = 1) => ({
  organizationId: home,
  activityId: idAt(n),
  version,
});

export function logContract(name: string, on: OnWholeStore): void {
  describe(`${name}: log`, () => {
    on('lets each activity of a change wait, in each of its versions', async ({ port, log }) => {
      await committed(port, { activities: [activityOf(2), activityOf(1)] });
      await committed(port, { activities: [{ ...activityOf(1), version: 2 }] });
      const all = [waitingOf(1), waitingOf(1, 2), waitingOf(2)];
      assert.deepEqual(await log.next({ limit: 10 }), all);
      assert.deepEqual(await log.next({ limit: 2 }), all.slice(0, 2));
    });

    on('lets an addition wait, with and without an event', async ({ port, log }) => {
      await committed(port, { organizations: [organizationOf()] });
      const conditions = [{ organizationId: home, version: 1, orLater: false }];
      await committed(port, { conditions, activities: [activityOf(1)] });
      const event = {
        endpointId: idAt(9),
        organizationId: home,
        eventId: 'event',
        createdAtMs: 1,
        body: Uint8Array.of(1),
      };
      await committed(port, { conditions, activities: [activityOf(2)], events: [event] });
      assert.deepEqual(await log.next({ limit: 10 }), [waitingOf(1), waitingOf(2)]);
    });

    on('lets nothing wait that was not committed', async ({ port, log }) => {
      await committed(port, { activities: [activityOf(1)] });
      await log.done([waitingOf(1)]);
      const outcome = await port.commit({ ...noChange, activities: [activityOf(1)] });
      assert.notEqual(outcome, 'committed');
      assert.deepEqual(await log.next({ limit: 10 }), []);
    });

    on('removes exactly the versions that are done', async ({ port, log }) => {
      await committed(port, { activities: [activityOf(1), activityOf(2)] });
      await committed(port, { activities: [{ ...activityOf(1), version: 2 }] });
      await log.done([waitingOf(1), waitingOf(2), waitingOf(3)]);
      assert.deepEqual(await log.next({ limit: 10 }), [waitingOf(1, 2)]);
      await log.done([]);
    });
  });
}
