// Contract: organizations, and the versions that decisions depend on.

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import type { OrganizationRequest } from '../../src/store/port.ts';
import type { OnStore } from './asking.ts';
import { allRecords, byId, commit, committed, conflict, pagesOf, requestOf } from './asking.ts';
import { activityOf, countTo, home, idAt, organizationOf, pageOf, recordOf } from './samples.ts';

export function organizationContract(name: string, on: OnStore): void {
  describe(`${name}: organizations`, () => {
    on('an absent one has no version, no records, no activity', async (port) => {
      const answer = await port.organization(requestOf({ kinds: ['user'] }));
      assert.deepEqual(answer, {
        version: undefined,
        guard: undefined,
        organization: undefined,
        records: [],
        activity: undefined,
      });
    });

    on('version 1 inserts, each next version replaces', async (port) => {
      for (const version of [1, 2, 3]) {
        const organization = organizationOf({ version });
        await committed(port, { organizations: [organization] });
        const answer = await port.organization(requestOf());
        assert.equal(answer.version, version);
        assert.deepEqual(answer.organization, organization);
      }
    });

    on('any other version is a conflict and changes nothing', async (port) => {
      await conflict(port, { organizations: [organizationOf({ version: 2 })] });
      await committed(port, { organizations: [organizationOf()] });
      for (const version of [1, 3, 7]) {
        await conflict(port, {
          organizations: [organizationOf({ version, head: utf8('another') })],
        });
      }
      const answer = await port.organization(requestOf());
      assert.deepEqual(answer.organization, organizationOf());
    });

    on('versions that are no positive integers are refused', async (port) => {
      for (const version of [0, -1, 1.5, Number.NaN]) {
        await assert.rejects(commit(port, { organizations: [organizationOf({ version })] }));
        await assert.rejects(commit(port, { activities: [activityOf(1, { version })] }));
      }
    });

    on('keep their parent', async (port) => {
      await committed(port, { organizations: [organizationOf({ parentId: idAt(1) })] });
      const moved = organizationOf({ version: 2, parentId: idAt(2) });
      await assert.rejects(commit(port, { organizations: [moved] }));
      assert.equal((await port.organization(requestOf())).version, 1);
    });

    on('come with the records of the kinds that were asked for', async (port) => {
      const users = [recordOf(2), recordOf(1)];
      const wallet = recordOf(3, { kind: 'wallet' });
      const elsewhere = recordOf(1, { organizationId: idAt(99) });
      await committed(port, {
        organizations: [organizationOf()],
        records: [...users, wallet, recordOf(4, { kind: 'policy' }), elsewhere],
      });
      const answer = await port.organization(requestOf({ kinds: ['wallet', 'user', 'wallet'] }));
      assert.deepEqual(byId(answer.records), [recordOf(1), recordOf(2), wallet]);
      assert.deepEqual((await port.organization(requestOf())).records, []);
    });

    on('come without state for who knows their version', async (port) => {
      await committed(port, { organizations: [organizationOf()], records: [recordOf(1)] });
      const known = await port.organization(requestOf({ kinds: ['user'], knownVersion: 1 }));
      assert.deepEqual([known.version, known.organization, known.records], [1, undefined, []]);
      // A caller ahead of the store, for example after a restored backup, gets the whole state.
      const ahead = await port.organization(requestOf({ kinds: ['user'], knownVersion: 7 }));
      assert.deepEqual([ahead.organization, ahead.records], [organizationOf(), [recordOf(1)]]);
      await committed(port, { organizations: [organizationOf({ version: 2 })] });
      const changed = await port.organization(requestOf({ kinds: ['user'], knownVersion: 1 }));
      assert.deepEqual(changed.organization, organizationOf({ version: 2 }));
      assert.deepEqual(changed.records, [recordOf(1)]);
    });

    on('come with the activity of a fingerprint', async (port) => {
      const activity = activityOf(1);
      const { bucket, fingerprint } = activity;
      await committed(port, { organizations: [organizationOf()], activities: [activity] });
      const find = async (parts: Partial<OrganizationRequest>) =>
        (await port.organization(requestOf({ fingerprint: { bucket, fingerprint }, ...parts })))
          .activity;
      assert.deepEqual(await find({}), activity);
      assert.deepEqual(await find({ knownVersion: 1 }), activity);
      assert.equal(await find({ organizationId: idAt(7) }), undefined);
      assert.equal(await find({ fingerprint: { bucket: bucket + 1, fingerprint } }), undefined);
      assert.equal(await find({ fingerprint: { bucket, fingerprint: utf8('x') } }), undefined);
      assert.equal(await find({ fingerprint: undefined }), undefined);
    });

    on('are one snapshot: head, records and activity of the same commit', async (port) => {
      const round = (version: number) => ({
        organizations: [organizationOf({ version, head: utf8(`${version}`) })],
        records: countTo(5).map((n) => recordOf(n, { version, body: utf8(`${version}`) })),
      });
      await committed(port, round(1));
      let isWriting = true;
      const write = async () => {
        for (const n of countTo(40)) await committed(port, round(n + 2));
      };
      const written = write().finally(() => {
        isWriting = false;
      });
      let reads = 0;
      while (isWriting) {
        const { version, organization, records } = await port.organization(
          requestOf({ kinds: ['user'] }),
        );
        assert.deepEqual(organization?.head, utf8(`${version}`));
        assert.deepEqual(
          records.map((record) => record.version),
          countTo(5).map(() => version),
        );
        reads += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.ok(reads > 0);
      await written;
      assert.equal((await port.organization(requestOf())).version, 41);
    });

    on('list their children in pages', async (port) => {
      const childrenIds = countTo(9).map((n) => idAt(n + 1));
      await committed(port, {
        organizations: [
          organizationOf(),
          ...childrenIds.map((id) => organizationOf({ organizationId: id, parentId: home })),
          organizationOf({ organizationId: idAt(50), parentId: idAt(1) }),
        ],
      });
      await pagesOf(childrenIds, (page) => port.children({ parentId: home, page }));
      assert.deepEqual(await port.children({ parentId: idAt(1), page: pageOf() }), [idAt(50)]);
      assert.deepEqual(await port.children({ parentId: idAt(2), page: pageOf() }), []);
    });
  });

  describe(`${name}: conditions`, () => {
    on('hold on the version they name, and on no other', async (port) => {
      await committed(port, { organizations: [organizationOf()] });
      await committed(port, { organizations: [organizationOf({ version: 2 })] });
      for (const version of [0, 1, 3]) {
        await conflict(port, {
          conditions: [{ organizationId: home, version, orLater: false }],
          records: [recordOf(version)],
        });
      }
      await committed(port, {
        conditions: [{ organizationId: home, version: 2, orLater: false }],
        records: [recordOf(9)],
      });
      assert.deepEqual(await allRecords(port), [recordOf(9)]);
    });

    on('on version 0 say that there is no such organization', async (port) => {
      const conditions = [{ organizationId: home, version: 0, orLater: false }];
      await committed(port, { conditions, organizations: [organizationOf()] });
      await conflict(port, { conditions, records: [recordOf(1)] });
      await conflict(port, {
        conditions: [{ organizationId: idAt(5), version: 1, orLater: false }],
      });
    });

    on('that take later versions hold as long as the guard is not later', async (port) => {
      await committed(port, { organizations: [organizationOf()] });
      await committed(port, { organizations: [organizationOf({ version: 2 })] });
      await committed(port, { organizations: [organizationOf({ version: 3, guard: 2 })] });
      const { version, guard } = await port.organization(requestOf());
      assert.deepEqual([version, guard], [3, 2]);
      const onVersion = (version: number) => ({
        conditions: [{ organizationId: home, version, orLater: true }],
        activities: [activityOf(version)],
      });
      // Before the guard, and ahead of the store, for example after a restored backup.
      for (const version of [0, 1, 4]) await conflict(port, onVersion(version));
      await committed(port, onVersion(2));
      await committed(port, onVersion(3));
      const nowhere = { organizationId: idAt(5), version: 0, orLater: true };
      await conflict(port, { conditions: [nowhere], activities: [activityOf(9)] });

      await committed(port, { organizations: [organizationOf({ version: 4 })] });
      for (const version of [2, 3]) {
        await conflict(port, { ...onVersion(version), activities: [activityOf(20 + version)] });
      }
      await committed(port, onVersion(4));
    });

    on(
      'that take later versions have their outcome each, whatever comes with them',
      async (port) => {
        await committed(port, { organizations: [organizationOf()] });
        const signature = (n: number) => ({
          conditions: [{ organizationId: home, version: 1, orLater: true }],
          activities: [activityOf(n)],
        });
        const change = (version: number, guard: number) => ({
          conditions: [{ organizationId: home, version: version - 1, orLater: false }],
          organizations: [organizationOf({ version, guard })],
        });
        const outcomes = await Promise.all(
          [
            signature(1),
            change(2, 1),
            signature(2),
            change(3, 1),
            signature(3),
            change(4, 4),
            signature(4),
            change(5, 4),
            signature(5),
          ].map((each) => commit(port, each)),
        );
        const before = countTo(6).map(() => 'committed');
        assert.deepEqual(outcomes, [...before, 'conflict', 'committed', 'conflict']);
      },
    );

    on('that take later versions bind others than their own organization', async (port) => {
      const child = idAt(2);
      await committed(port, {
        organizations: [organizationOf(), organizationOf({ organizationId: child })],
      });
      await committed(port, { organizations: [organizationOf({ version: 2, guard: 1 })] });
      const signature = (n: number) => ({
        conditions: [
          { organizationId: child, version: 1, orLater: true },
          { organizationId: home, version: 1, orLater: true },
        ],
        activities: [activityOf(n, { organizationId: child })],
      });
      await committed(port, signature(1));
      await committed(port, { organizations: [organizationOf({ version: 3 })] });
      await conflict(port, signature(2));
    });

    on('rest on guards that nobody but a change that guards can raise', async (port) => {
      await committed(port, { organizations: [organizationOf()] });
      await committed(port, { organizations: [organizationOf({ version: 2 })] });
      for (const guard of [0, 1, 4]) {
        await assert.rejects(
          commit(port, { organizations: [organizationOf({ version: 3, guard })] }),
        );
      }
      await assert.rejects(
        commit(port, { organizations: [organizationOf({ organizationId: idAt(7), guard: 0 })] }),
      );
      await committed(port, { organizations: [organizationOf({ version: 3, guard: 2 })] });
    });

    on('must all hold', async (port) => {
      await committed(port, {
        organizations: [organizationOf(), organizationOf({ organizationId: idAt(2) })],
      });
      const first = { organizationId: home, version: 1, orLater: false };
      await conflict(port, {
        conditions: [first, { organizationId: idAt(2), version: 2, orLater: false }],
      });
      await committed(port, {
        conditions: [first, { organizationId: idAt(2), version: 1, orLater: false }],
      });
    });

    on('see the commits that came before at the same moment', async (port) => {
      await committed(port, { organizations: [organizationOf()] });
      const attempt = (n: number) =>
        commit(port, {
          conditions: [{ organizationId: home, version: 1, orLater: false }],
          organizations: [organizationOf({ version: 2, head: utf8(`${n}`) })],
          records: [recordOf(n)],
        });
      const outcomes = await Promise.all(countTo(20).map(attempt));
      assert.equal(outcomes.filter((outcome) => outcome === 'committed').length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === 'conflict').length, 19);
      const winner = outcomes.indexOf('committed');
      assert.deepEqual(await allRecords(port), [recordOf(winner)]);
      const { organization } = await port.organization(requestOf());
      assert.deepEqual(organization?.head, utf8(`${winner}`));
    });

    on('of a chain sent at once are met in order of arrival', async (port) => {
      const outcomes = await Promise.all(
        countTo(50).map((n) =>
          commit(port, {
            conditions: [{ organizationId: home, version: n, orLater: false }],
            organizations: [organizationOf({ version: n + 1 })],
          }),
        ),
      );
      assert.deepEqual(new Set(outcomes), new Set(['committed']));
    });
  });
}
