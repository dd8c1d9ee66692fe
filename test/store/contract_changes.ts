// Contract: atomic changes, values and bounds.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import type { StoreChange } from '../../src/store/port.ts';
import type { OnStore } from './asking.ts';
import { allActivities, allRecords, commit, committed, everything, requestOf } from './asking.ts';
import {
  activityOf,
  countTo,
  home,
  idAt,
  lookupOf,
  organizationOf,
  pageOf,
  recordOf,
} from './samples.ts';

export function changeContract(name: string, on: OnStore): void {
  describe(`${name}: signatures of one moment`, () => {
    const condition = { organizationId: home, version: 1, orLater: false };
    const signature = (n: number, parts: Parameters<typeof activityOf>[1] = {}) => ({
      conditions: [condition],
      activities: [activityOf(n, parts)],
    });

    on('have their own outcome each', async (port) => {
      await committed(port, { organizations: [organizationOf()], activities: [activityOf(1)] });
      const old = { organizationId: home, version: 2, orLater: false };
      const absent = { organizationId: idAt(99), version: 1, orLater: false };
      const outcomes = await Promise.all([
        commit(port, signature(10)),
        commit(port, signature(11, { fingerprint: utf8('fingerprint 1') })),
        commit(port, { ...signature(12), conditions: [old] }),
        commit(port, { ...signature(13), conditions: [absent] }),
        commit(port, signature(1, { fingerprint: utf8('another') })),
        commit(port, signature(14)),
      ]);
      const expected = ['committed', 'duplicate', 'conflict', 'conflict', 'conflict', 'committed'];
      assert.deepEqual(outcomes, expected);
      const ids = (await allActivities(port)).map(({ id }) => id);
      assert.deepEqual(ids, [idAt(1), idAt(10), idAt(14)]);
    });

    on('are one activity where the body is one', async (port) => {
      await committed(port, { organizations: [organizationOf()] });
      const one = { fingerprint: utf8('the same') };
      const outcomes = await Promise.all(
        countTo(8).map((n) => commit(port, n < 4 ? signature(n, one) : signature(n))),
      );
      const expected = countTo(8).map((n) => (n > 0 && n < 4 ? 'duplicate' : 'committed'));
      assert.deepEqual(outcomes, expected);
    });
  });

  describe(`${name}: atomicity`, () => {
    const refusedParts: Readonly<Record<string, Partial<StoreChange>>> = {
      condition: { conditions: [{ organizationId: home, version: 9, orLater: false }] },
      organization: { organizations: [organizationOf({ version: 5 })] },
      'existing organization': { organizations: [organizationOf()] },
      activity: { activities: [activityOf(1, { version: 4, fingerprint: utf8('y') })] },
      'absent activity': { activities: [activityOf(77, { version: 2 })] },
      'existing activity': { activities: [activityOf(1, { fingerprint: utf8('z') })] },
      fingerprint: { activities: [activityOf(2, { fingerprint: utf8('fingerprint 1') })] },
      deployment: { deployment: utf8('second') },
    };
    for (const [what, refused] of Object.entries(refusedParts)) {
      on(`nothing is written with a refused ${what}`, async (port) => {
        await committed(port, {
          organizations: [organizationOf()],
          records: [recordOf(1)],
          lookups: [lookupOf(1)],
          activities: [activityOf(1)],
          deployment: utf8('first'),
        });
        const before = await everything(port);
        const outcome = await commit(port, {
          ...refused,
          organizations: [
            organizationOf({ organizationId: idAt(30) }),
            ...(refused.organizations ?? []),
          ],
          records: [recordOf(1, { body: utf8('changed') }), recordOf(2)],
          deletedRecords: [{ organizationId: home, kind: 'user', id: idAt(1) }],
          lookups: [lookupOf(2)],
          deletedLookups: [lookupOf(1)],
          activities: [activityOf(40), ...(refused.activities ?? [])],
        });
        assert.equal(outcome, what === 'fingerprint' ? 'duplicate' : 'conflict');
        assert.deepEqual(await everything(port), before);
      });
    }

    on('a change that names a row twice is refused alone, and whole', async (port) => {
      const twice = activityOf(2);
      const [before, faulty, after] = await Promise.allSettled([
        commit(port, { activities: [activityOf(1)], records: [recordOf(1)] }),
        commit(port, { activities: [twice, twice], records: [recordOf(2)] }),
        commit(port, { activities: [activityOf(3)], records: [recordOf(3)] }),
      ]);
      assert.deepEqual(before, { status: 'fulfilled', value: 'committed' });
      assert.equal(faulty?.status, 'rejected');
      assert.deepEqual(after, { status: 'fulfilled', value: 'committed' });
      assert.deepEqual(await allRecords(port), [recordOf(1), recordOf(3)]);
      assert.deepEqual(await allActivities(port), [activityOf(1), activityOf(3)]);
    });

    on('a thousand commits at once are all there', async (port) => {
      await committed(port, { organizations: [organizationOf()] });
      const conditions = [{ organizationId: home, version: 1, orLater: false }];
      const outcomes = await Promise.all(
        countTo(1_000).map((n) =>
          commit(port, { conditions, activities: [activityOf(n)], records: [recordOf(n)] }),
        ),
      );
      assert.deepEqual(new Set(outcomes), new Set(['committed']));
      assert.deepEqual(
        await allActivities(port),
        countTo(1_000).map((n) => activityOf(n)),
      );
      assert.deepEqual(
        await allRecords(port),
        countTo(1_000).map((n) => recordOf(n)),
      );
    });

    on('the deployment is inserted once', async (port) => {
      assert.equal(await port.deployment(), undefined);
      const outcomes = await Promise.all(
        ['a', 'b', 'c'].map((text) => commit(port, { deployment: utf8(text) })),
      );
      assert.deepEqual(outcomes.toSorted(), ['committed', 'conflict', 'conflict']);
      const winner = ['a', 'b', 'c'][outcomes.indexOf('committed')] ?? '';
      assert.deepEqual(await port.deployment(), utf8(winner));
    });

    on('an empty change is committed', async (port) => {
      await committed(port, {});
    });
  });

  describe(`${name}: values and limits`, () => {
    const bodies: Readonly<Record<string, Uint8Array>> = {
      empty: new Uint8Array(0),
      'every byte': Uint8Array.from(countTo(256)),
      zeros: new Uint8Array(33),
      'a part of a larger buffer': Uint8Array.from(countTo(64)).subarray(10, 20),
      'a megabyte': new Uint8Array(1_048_576).fill(0xa5),
    };
    for (const [what, body] of Object.entries(bodies)) {
      on(`bytes come back as they went in: ${what}`, async (port) => {
        await committed(port, {
          organizations: [organizationOf({ head: body })],
          records: [recordOf(1, { body })],
          activities: [activityOf(1, { body, fingerprint: body.slice(0, 32) })],
          lookups: [lookupOf(1, { blind: body.slice(0, 32) })],
          deployment: body,
        });
        const { organization, records } = await port.organization(requestOf({ kinds: ['user'] }));
        const activity = await port.activity({ organizationId: home, id: idAt(1) });
        const [lookup] = await port.lookup({
          index: 'public_key',
          blind: body.slice(0, 32),
          limit: 1,
        });
        const deployment = await port.deployment();
        for (const found of [organization?.head, records[0]?.body, activity?.body, deployment]) {
          assert.ok(found instanceof Uint8Array);
          assert.ok(Buffer.from(found).equals(body));
        }
        assert.deepEqual(new Uint8Array(lookup?.blind ?? []), body.slice(0, 32));
      });
    }

    on('texts come back as they went in', async (port) => {
      const texts = [
        '',
        'Ω≈ç√',
        '日本語',
        '🔑👩‍👩‍👧',
        'e\u0301',
        "'; DROP TABLE records; --",
        'a%_\\"',
      ];
      const records = texts.map((kind, n) => recordOf(n, { kind, groupId: kind }));
      const activities = texts.map((text, n) =>
        activityOf(n, { type: `type ${text}`, status: `status ${text}` }),
      );
      await committed(port, { records, activities });
      for (const [n, text] of texts.entries()) {
        const ids = [idAt(n)];
        assert.deepEqual(await port.records({ organizationId: home, kind: text, ids }), [
          records[n],
        ]);
      }
      assert.deepEqual(await allActivities(port), activities);
    });

    on('numbers come back up to the largest safe integer', async (port) => {
      const activity = activityOf(1, {
        bucket: Number.MAX_SAFE_INTEGER,
        createdAtMs: Number.MAX_SAFE_INTEGER,
        updatedAtMs: 0,
      });
      await committed(port, { activities: [activity] });
      assert.deepEqual(await allActivities(port), [activity]);
    });

    on('limits are 1 to 10,000', async (port) => {
      const { index, blind } = lookupOf(0);
      const calls: ((limit: number) => Promise<readonly unknown[]>)[] = [
        (limit) => port.children({ parentId: home, page: pageOf({ limit }) }),
        (limit) =>
          port.recordPage({
            organizationId: home,
            kind: 'user',
            groupId: undefined,
            page: pageOf({ limit }),
          }),
        (limit) => port.lookup({ index, blind, limit }),
        (limit) =>
          port.activityPage({
            organizationId: home,
            statuses: [],
            types: [],
            page: pageOf({ limit }),
          }),
        (limit) =>
          port.activityPage({
            organizationId: home,
            statuses: ['FAILED'],
            types: ['SIGN'],
            page: pageOf({ limit }),
          }),
      ];
      for (const call of calls) {
        for (const limit of [0, -1, 10_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
          await assert.rejects(call(limit), `limit ${limit}`);
        }
        for (const limit of [1, 10_000]) assert.deepEqual(await call(limit), []);
      }
    });

    on('names of a request are counted', async (port) => {
      const names = (count: number) => countTo(count).map((n) => `name ${n}`);
      const page = pageOf();
      const organizationId = home;
      await assert.rejects(port.organization(requestOf({ kinds: names(257) })));
      await assert.rejects(
        port.activityPage({ organizationId, statuses: names(17), types: [], page }),
      );
      await assert.rejects(
        port.activityPage({ organizationId, statuses: [], types: names(257), page }),
      );
    });

    on('a change of too many rows is refused', async (port) => {
      const deletedLookups = new Array(100_001).fill(lookupOf(1));
      await assert.rejects(commit(port, { deletedLookups }));
    });
  });
}
