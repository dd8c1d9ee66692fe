// Short forms of store calls for tests.

import assert from 'node:assert/strict';
import type {
  OrganizationRequest,
  PageRequest,
  StoreChange,
  StorePort,
} from '../../src/store/port.ts';
import { changeOf, home, idAt, lookupOf, pageOf } from './samples.ts';

/** Declares a test that runs on a new, empty store. */
export type OnStore = (title: string, run: (port: StorePort) => Promise<void>) => void;

export function commit(port: StorePort, parts: Partial<StoreChange>) {
  return port.commit(changeOf(parts));
}

export async function committed(port: StorePort, parts: Partial<StoreChange>): Promise<void> {
  assert.equal(await commit(port, parts), 'committed');
}

export async function conflict(port: StorePort, parts: Partial<StoreChange>): Promise<void> {
  assert.equal(await commit(port, parts), 'conflict');
}

export function requestOf(parts: Partial<OrganizationRequest> = {}): OrganizationRequest {
  return { organizationId: home, kinds: [], knownVersion: 0, fingerprint: undefined, ...parts };
}

/** Returns all records of the kind `user` in the home organization. */
export function allRecords(port: StorePort) {
  return port.recordPage({
    organizationId: home,
    kind: 'user',
    groupId: undefined,
    page: pageOf({ limit: 10_000 }),
  });
}

export function allActivities(port: StorePort) {
  return port.activityPage({
    organizationId: home,
    statuses: [],
    types: [],
    page: pageOf({ limit: 10_000 }),
  });
}

export async function everything(port: StorePort) {
  const { index, blind } = lookupOf(0);
  return {
    home: await port.organization(requestOf({ kinds: ['user'] })),
    other: await port.organization(requestOf({ organizationId: idAt(30), kinds: ['user'] })),
    lookups: await port.lookup({ index, blind, limit: 100 }),
    activities: await allActivities(port),
    deployment: await port.deployment(),
  };
}

export function byId<Value extends { readonly id: string }>(values: readonly Value[]): Value[] {
  return values.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Reads every page of a list with known ids, in both directions, with several sizes and each bound, and
 * compares it with the same slice of the known ids.
 */
export async function pagesOf(
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
