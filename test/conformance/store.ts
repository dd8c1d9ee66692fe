// The contract of `src/store/port.ts`, one suite for every implementation.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { utf8 } from '../../src/core/bytes.ts';
import type {
  OrganizationRequest,
  PageRequest,
  StoreChange,
  StorePort,
} from '../../src/store/port.ts';
import {
  activityOf,
  changeOf,
  countTo,
  home,
  idAt,
  lookupOf,
  organizationOf,
  pageOf,
  recordOf,
} from '../store/samples.ts';

export type OpenStore = () => Promise<{ readonly port: StorePort; close(): Promise<void> }>;

/** Runs the contract against the stores that `open` gives: a new, empty one at each call. */
export function storeConformance(name: string, open: OpenStore): void {
  const on = (title: string, run: (port: StorePort) => Promise<void>) =>
    test(title, async () => {
      const store = await open();
      try {
        await run(store.port);
      } finally {
        await store.close();
      }
    });

  describe(`${name}: organizations`, () => {
    on('an absent one has no version, no records, no activity', async (port) => {
      const answer = await port.organization(requestOf({ kinds: ['user'] }));
      assert.deepEqual(answer, {
        version: undefined,
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
          conditions: [{ organizationId: home, version }],
          records: [recordOf(version)],
        });
      }
      await committed(port, {
        conditions: [{ organizationId: home, version: 2 }],
        records: [recordOf(9)],
      });
      assert.deepEqual(await allRecords(port), [recordOf(9)]);
    });

    on('on version 0 say that there is no such organization', async (port) => {
      const conditions = [{ organizationId: home, version: 0 }];
      await committed(port, { conditions, organizations: [organizationOf()] });
      await conflict(port, { conditions, records: [recordOf(1)] });
      await conflict(port, { conditions: [{ organizationId: idAt(5), version: 1 }] });
    });

    on('must all hold', async (port) => {
      await committed(port, {
        organizations: [organizationOf(), organizationOf({ organizationId: idAt(2) })],
      });
      const first = { organizationId: home, version: 1 };
      await conflict(port, { conditions: [first, { organizationId: idAt(2), version: 2 }] });
      await committed(port, { conditions: [first, { organizationId: idAt(2), version: 1 }] });
    });

    on('see the commits that came before at the same moment', async (port) => {
      await committed(port, { organizations: [organizationOf()] });
      const attempt = (n: number) =>
        commit(port, {
          conditions: [{ organizationId: home, version: 1 }],
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
            conditions: [{ organizationId: home, version: n }],
            organizations: [organizationOf({ version: n + 1 })],
          }),
        ),
      );
      assert.deepEqual(new Set(outcomes), new Set(['committed']));
    });
  });

  describe(`${name}: atomicity`, () => {
    const refusedParts: Readonly<Record<string, Partial<StoreChange>>> = {
      condition: { conditions: [{ organizationId: home, version: 9 }] },
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
      const conditions = [{ organizationId: home, version: 1 }];
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
      assert.deepEqual(await port.lookup({ index, blind: utf8('none'), limit: 3 }), []);
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
        conditions: [{ organizationId: home, version: 8 }],
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

function commit(port: StorePort, parts: Partial<StoreChange>) {
  return port.commit(changeOf(parts));
}

async function committed(port: StorePort, parts: Partial<StoreChange>): Promise<void> {
  assert.equal(await commit(port, parts), 'committed');
}

async function conflict(port: StorePort, parts: Partial<StoreChange>): Promise<void> {
  assert.equal(await commit(port, parts), 'conflict');
}

function requestOf(parts: Partial<OrganizationRequest> = {}): OrganizationRequest {
  return { organizationId: home, kinds: [], knownVersion: 0, fingerprint: undefined, ...parts };
}

/** All records of the kind `user` at home. */
function allRecords(port: StorePort) {
  return port.recordPage({
    organizationId: home,
    kind: 'user',
    groupId: undefined,
    page: pageOf({ limit: 10_000 }),
  });
}

function allActivities(port: StorePort) {
  return port.activityPage({
    organizationId: home,
    statuses: [],
    types: [],
    page: pageOf({ limit: 10_000 }),
  });
}

async function everything(port: StorePort) {
  const { index, blind } = lookupOf(0);
  return {
    home: await port.organization(requestOf({ kinds: ['user'] })),
    other: await port.organization(requestOf({ organizationId: idAt(30), kinds: ['user'] })),
    lookups: await port.lookup({ index, blind, limit: 100 }),
    activities: await allActivities(port),
    deployment: await port.deployment(),
  };
}

function byId<Value extends { readonly id: string }>(values: readonly Value[]): Value[] {
  return values.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Reads every page of a list whose ids are known, in both directions, in steps of several sizes and
 * with each bound, and compares with the same cut of the known ids.
 */
async function pagesOf(
  expected: readonly string[],
  read: (page: PageRequest) => Promise<readonly string[]>,
): Promise<void> {
  for (const ascending of [true, false]) {
    const ordered = ascending ? expected : expected.toReversed();
    for (const limit of [1, 2, expected.length + 1]) {
      const seen: string[] = [];
      for (let page = await read(pageOf({ ascending, limit })); page.length > 0; ) {
        assert.ok(page.length <= limit);
        seen.push(...page);
        const last = page.at(-1);
        const cursor = ascending ? { greaterThan: last } : { lessThan: last };
        page = await read(pageOf({ ascending, limit, ...cursor }));
      }
      assert.deepEqual(seen, ordered);
    }
    const [greaterThan, lessThan] = [expected[1], expected.at(-2)];
    const between = ordered.filter(
      (id) =>
        (greaterThan === undefined || id > greaterThan) &&
        (lessThan === undefined || id < lessThan),
    );
    const page = await read(pageOf({ ascending, limit: 100, greaterThan, lessThan }));
    assert.deepEqual(page, between);
  }
}
