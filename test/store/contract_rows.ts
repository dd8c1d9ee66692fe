// Contract: records, lookups and activities.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { hex, utf8 } from '../../src/core/base/bytes.ts';
import { maximumInlineBytes } from '../../src/store/port.ts';
import type { OnStore } from './asking.ts';
import { allActivities, allRecords, commit, committed, conflict, pagesOf } from './asking.ts';
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

export function rowContract(name: string, on: OnStore): void {
  describe(`${name}: records`, () => {
    on('are inserted, replaced and deleted', async (port) => {
      await committed(port, { records: [recordOf(1), recordOf(2)] });
      const replaced = recordOf(1, { version: 5, body: utf8('new'), groupId: idAt(9) });
      await committed(port, {
        records: [replaced],
        deletedRecords: [
          { organizationId: home, kind: 'user', id: idAt(2) },
          { organizationId: home, kind: 'user', id: idAt(3) },
        ],
      });
      assert.deepEqual(await allRecords(port), [replaced]);
      assert.deepEqual(
        await port.recordPage({
          organizationId: home,
          kind: 'user',
          groupId: idAt(9),
          page: pageOf(),
        }),
        [replaced],
      );
    });

    on('leave out the bodies that are too large together', async (port) => {
      const records = countTo(4).map((n) => recordOf(n, { body: new Uint8Array(n * 10).fill(n) }));
      await committed(port, { records });
      const ids = records.map(({ id }) => id);
      const lengthsWithin = async (maximumBytes?: number) =>
        (await port.records({ organizationId: home, kind: 'user', ids, maximumBytes })).map(
          ({ body }) => body.length,
        );
      const all = records.map(({ body }) => body.length);
      const [first = 0, second = 0] = all;
      assert.deepEqual(await lengthsWithin(), all);
      assert.deepEqual(await lengthsWithin(1_000), all);
      assert.deepEqual(await lengthsWithin(first + second), [
        ...all.slice(0, 2),
        ...all.slice(2).map(() => 0),
      ]);
    });

    on('that are deleted and put in one change are there', async (port) => {
      await committed(port, { records: [recordOf(1)] });
      const again = recordOf(1, { body: utf8('again') });
      await committed(port, {
        records: [again],
        deletedRecords: [{ organizationId: home, kind: 'user', id: idAt(1) }],
      });
      assert.deepEqual(await allRecords(port), [again]);
    });

    on('are told apart by organization, kind and id', async (port) => {
      const records = [
        recordOf(1),
        recordOf(1, { kind: 'wallet' }),
        recordOf(1, { organizationId: idAt(5) }),
      ];
      await committed(port, { records });
      await committed(port, {
        deletedRecords: [{ organizationId: home, kind: 'user', id: idAt(1) }],
      });
      const find = (organizationId: string, kind: string) =>
        port.records({ organizationId, kind, ids: [idAt(1)] });
      assert.deepEqual(await find(home, 'user'), []);
      assert.deepEqual(await find(home, 'wallet'), [records[1]]);
      assert.deepEqual(await find(idAt(5), 'user'), [records[2]]);
    });

    on('of given ids are those that exist, in id order, each once', async (port) => {
      await committed(port, { records: [recordOf(1), recordOf(2), recordOf(3)] });
      const find = (ids: string[]) => port.records({ organizationId: home, kind: 'user', ids });
      assert.deepEqual(await find([3, 1, 8, 3].map(idAt)), [recordOf(1), recordOf(3)]);
      assert.deepEqual(await find([]), []);
      assert.equal((await find(countTo(1_000).map(idAt))).length, 3);
      await assert.rejects(find(countTo(1_001).map(idAt)));
    });

    on('come in pages, of one group or of all', async (port) => {
      const groups = [undefined, idAt(100), idAt(200)];
      const records = countTo(12).map((n) => recordOf(n, { groupId: groups[n % 3] }));
      await committed(port, {
        records: [...records, recordOf(90, { kind: 'wallet', groupId: idAt(100) })],
      });
      for (const groupId of groups) {
        const expected = records.filter(
          (record) => groupId === undefined || record.groupId === groupId,
        );
        await pagesOf(
          expected.map(({ id }) => id),
          async (page) => {
            const found = await port.recordPage({
              organizationId: home,
              kind: 'user',
              groupId,
              page,
            });
            for (const record of found) {
              assert.deepEqual(
                record,
                records.find(({ id }) => id === record.id),
              );
            }
            return found.map(({ id }) => id);
          },
        );
      }
    });
  });

  describe(`${name}: lookups`, () => {
    on('lead from a blind value to its records, in order', async (port) => {
      const entries = [
        lookupOf(1),
        lookupOf(2),
        lookupOf(1, { organizationId: idAt(0xabd) }),
        lookupOf(1, { organizationId: idAt(0xabe) }),
      ];
      const others = [
        lookupOf(1, { index: 'email' }),
        lookupOf(1, { blind: utf8('another') }),
        lookupOf(1, { blind: utf8('a blind value ') }),
      ];
      await committed(port, { lookups: [...others, ...entries.toReversed()] });
      const { index, blind } = lookupOf(0);
      assert.deepEqual(await port.lookup({ index, blind, limit: 10 }), entries);
      assert.deepEqual(await port.lookup({ index, blind, limit: 3 }), entries.slice(0, 3));
      for (const { organizationId: after } of entries) {
        const later = entries.filter(({ organizationId }) => organizationId > after);
        assert.deepEqual(await port.lookup({ index, blind, limit: 10, after }), later);
      }
      assert.deepEqual(await port.lookup({ index, blind: utf8('none'), limit: 3 }), []);
    });

    on('of several values at once are the first hundred of each', async (port) => {
      const many = Array.from({ length: 120 }, (_, i) => lookupOf(i));
      const other = { blind: utf8('another value, of 32 bytes length') };
      const few = [lookupOf(1, other), lookupOf(2, other)];
      const elsewhere = lookupOf(3, { ...other, index: 'email' });
      await committed(port, { lookups: [...many, ...few, elsewhere].toReversed() });
      const { index, blind } = lookupOf(0);
      const blinds = [utf8('none'), other.blind, blind];
      const found = await port.lookups({ index, blinds });
      const of = (wanted: Uint8Array) =>
        found.filter((entry) => hex(new Uint8Array(entry.blind)) === hex(wanted));
      assert.deepEqual(of(other.blind), few);
      assert.deepEqual(of(blind), many.slice(0, 100));
      assert.equal(found.length, 102);
      assert.deepEqual(await port.lookups({ index, blinds: [] }), []);
      const distinct = (count: number) => Array.from({ length: count }, (_, i) => utf8(`${i}`));
      assert.deepEqual(await port.lookups({ index, blinds: distinct(1_000) }), []);
      await assert.rejects(port.lookups({ index, blinds: distinct(1_001) }), /at most 1000/);
    });

    on('are put and deleted one by one; putting again changes nothing', async (port) => {
      const find = () => {
        const { index, blind } = lookupOf(0);
        return port.lookup({ index, blind, limit: 10 });
      };
      await committed(port, { lookups: [lookupOf(1), lookupOf(2), lookupOf(1)] });
      await committed(port, { lookups: [lookupOf(1)], deletedLookups: [lookupOf(3)] });
      assert.deepEqual(await find(), [lookupOf(1), lookupOf(2)]);
      await committed(port, { deletedLookups: [lookupOf(1)] });
      assert.deepEqual(await find(), [lookupOf(2)]);
      await committed(port, { lookups: [lookupOf(2)], deletedLookups: [lookupOf(2)] });
      assert.deepEqual(await find(), [lookupOf(2)]);
    });
  });

  describe(`${name}: activities`, () => {
    on('are inserted and replaced version by version', async (port) => {
      const first = activityOf(1, { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED' });
      const second = activityOf(1, { version: 2, updatedAtMs: 1_760_000_009_999, body: utf8('2') });
      const find = () => port.activity({ organizationId: home, id: first.id });
      assert.equal(await find(), undefined);
      await conflict(port, { activities: [second] });
      await committed(port, { activities: [first] });
      assert.deepEqual(await find(), first);
      await conflict(port, { activities: [{ ...second, version: 3 }] });
      await committed(port, { activities: [second] });
      await conflict(port, { activities: [second] });
      assert.deepEqual(await find(), second);
      assert.equal(await port.activity({ organizationId: idAt(5), id: first.id }), undefined);
    });

    on('updated twice at once: one wins', async (port) => {
      await committed(port, { activities: [activityOf(1)] });
      const update = (text: string) =>
        commit(port, { activities: [activityOf(1, { version: 2, body: utf8(text) })] });
      const outcomes = await Promise.all([update('a'), update('b')]);
      assert.deepEqual(outcomes.toSorted(), ['committed', 'conflict']);
      const found = await port.activity({ organizationId: home, id: idAt(1) });
      assert.deepEqual(found?.body, utf8(outcomes[0] === 'committed' ? 'a' : 'b'));
    });

    on('keep what identifies their request', async (port) => {
      await committed(port, { activities: [activityOf(1)] });
      const next = activityOf(1, { version: 2 });
      for (const moved of [
        { ...next, type: 'ACTIVITY_TYPE_CREATE_USERS_V3' },
        { ...next, bucket: 1 },
        { ...next, fingerprint: utf8('another') },
        { ...next, createdAtMs: 1 },
      ]) {
        await assert.rejects(commit(port, { activities: [moved] }));
      }
      assert.deepEqual(await allActivities(port), [activityOf(1)]);
    });

    on(
      'with an existing fingerprint are duplicates, in one bucket and organization',
      async (port) => {
        const first = activityOf(1);
        const { fingerprint, bucket } = first;
        await committed(port, { activities: [first] });
        for (const activity of [first, activityOf(2, { fingerprint })]) {
          assert.equal(await commit(port, { activities: [activity] }), 'duplicate');
        }
        await committed(port, {
          activities: [
            activityOf(3, { fingerprint, bucket: bucket + 1 }),
            activityOf(4, { fingerprint, organizationId: idAt(5) }),
          ],
        });
        assert.equal((await allActivities(port)).length, 2);
      },
    );

    on(
      'with one fingerprint sent at once: the first is there, the rest duplicates',
      async (port) => {
        const { fingerprint } = activityOf(1);
        const outcomes = await Promise.all(
          countTo(30).map((n) =>
            commit(port, { activities: [activityOf(n, { fingerprint })], records: [recordOf(n)] }),
          ),
        );
        assert.equal(outcomes.filter((outcome) => outcome === 'committed').length, 1);
        assert.equal(outcomes.filter((outcome) => outcome === 'duplicate').length, 29);
        const winner = outcomes.indexOf('committed');
        assert.deepEqual(await allActivities(port), [activityOf(winner, { fingerprint })]);
        assert.deepEqual(await allRecords(port), [recordOf(winner)]);
      },
    );

    on('that are duplicates say so even where a condition fails', async (port) => {
      await committed(port, { organizations: [organizationOf()], activities: [activityOf(1)] });
      const outcome = await commit(port, {
        conditions: [{ organizationId: home, version: 8, orLater: false }],
        activities: [activityOf(2, { fingerprint: activityOf(1).fingerprint })],
      });
      assert.equal(outcome, 'duplicate');
    });

    on('come in pages in both directions, by status and type', async (port) => {
      const statuses = ['COMPLETED', 'FAILED', 'CONSENSUS_NEEDED'];
      const types = ['SIGN', 'CREATE_USERS', 'UPDATE_POLICY', 'DELETE_WALLETS'];
      const activities = countTo(60).map((n) =>
        activityOf(n, { status: statuses[(n * n) % 3] ?? '', type: types[(n * 7) % 4] ?? '' }),
      );
      const elsewhere = activityOf(99, { organizationId: idAt(5), status: 'FAILED' });
      await committed(port, { activities: [elsewhere, ...activities.toReversed()] });
      const filters: { statuses: string[]; types: string[] }[] = [
        { statuses: [], types: [] },
        { statuses: ['FAILED'], types: [] },
        { statuses: ['FAILED', 'COMPLETED', 'FAILED'], types: [] },
        { statuses: [], types: ['SIGN'] },
        { statuses: [], types: ['UPDATE_POLICY', 'SIGN', 'unknown'] },
        { statuses: ['COMPLETED', 'CONSENSUS_NEEDED'], types: ['CREATE_USERS', 'SIGN'] },
        { statuses: ['unknown'], types: [] },
        { statuses: [], types: ['unknown'] },
      ];
      for (const filter of filters) {
        const expected = activities.filter(
          ({ status, type }) =>
            (filter.statuses.length === 0 || filter.statuses.includes(status)) &&
            (filter.types.length === 0 || filter.types.includes(type)),
        );
        await pagesOf(
          expected.map(({ id }) => id),
          async (page) => {
            const found = await port.activityPage({ organizationId: home, ...filter, page });
            for (const activity of found) {
              assert.deepEqual(
                activity,
                activities.find(({ id }) => id === activity.id),
              );
            }
            return found.map(({ id }) => id);
          },
        );
      }
    });

    on('leave out of pages the bodies that are too large', async (port) => {
      const lengths = [100, maximumInlineBytes + 1, ...countTo(20).map(() => maximumInlineBytes)];
      const activities = lengths.map((length, i) =>
        activityOf(i, { body: new Uint8Array(length).fill(i + 1) }),
      );
      await committed(port, { activities });
      for (const types of [[], [activityOf(1).type]]) {
        const listed = { organizationId: home, statuses: [], types, page: pageOf() };
        const found = await port.activityPage(listed);
        // The second body is too large alone, and fifteen of the others fill a page.
        assert.deepEqual(
          found.map(({ body }) => body.length),
          lengths.map((length, i) => (i === 1 || i > 16 ? 0 : length)),
        );
        assert.deepEqual(
          found.map(({ body: _, ...rest }) => rest),
          activities.map(({ body: _, ...rest }) => rest),
        );
      }
      for (const activity of activities) {
        const { organizationId, id, body } = activity;
        assert.deepEqual(await port.activity({ organizationId, id }), activity);
        const fitting = { organizationId, id, maximumBytes: body.length };
        assert.deepEqual(await port.activity(fitting), activity);
        const left = await port.activity({ ...fitting, maximumBytes: body.length - 1 });
        assert.deepEqual(left, { ...activity, body: new Uint8Array(0) });
      }
    });

    on('move between the pages of statuses', async (port) => {
      const find = async (status: string) =>
        (
          await port.activityPage({
            organizationId: home,
            statuses: [status],
            types: [],
            page: pageOf(),
          })
        ).map(({ id }) => id);
      await committed(port, { activities: [activityOf(1, { status: 'PENDING' })] });
      await committed(port, { activities: [activityOf(1, { status: 'FAILED', version: 2 })] });
      assert.deepEqual(await find('PENDING'), []);
      assert.deepEqual(await find('FAILED'), [idAt(1)]);
    });
  });
}
