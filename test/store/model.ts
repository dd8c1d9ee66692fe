// A model of a store with maps, and a property test that compares a real store with it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hex } from '../../src/core/base/bytes.ts';
import type {
  CommitOutcome,
  Condition,
  PageRequest,
  StoreChange,
  StoredActivity,
  StoredEvent,
  StoredLookup,
  StoredOrganization,
  StoredRecord,
  StorePort,
} from '../../src/store/port.ts';
import type { OpenStore } from '../store/contract.ts';
import { activityOf, changeOf, idAt, lookupOf, organizationOf, recordOf } from './samples.ts';

type Model = {
  organizations: Map<string, StoredOrganization>;
  records: Map<string, StoredRecord>;
  lookups: Map<string, StoredLookup>;
  activities: Map<string, StoredActivity>;
  events: StoredEvent[];
  deployment: Uint8Array | undefined;
};

/** Compares the stores that `open` returns, each new and empty, with the model. */
export function storeMatchesModel(name: string, open: OpenStore): void {
  test(`${name}: answers every sequence like the model`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(commands, { maxCommands: 60, size: 'max' }),
        async (sequence) => {
          const store = await open();
          try {
            await fc.asyncModelRun(() => ({ model: emptyModel(), real: store.port }), sequence);
          } finally {
            await store.close();
          }
        },
      ),
      { numRuns: 60 },
    );
  });
}

// Few ids, names and versions, so that changes interact.
const ids = fc.integer({ min: 0, max: 4 }).map(idAt);
const version = fc.oneof(
  { weight: 2, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 4 }) },
);
const kind: fc.Arbitrary<string> = fc.constantFrom('user', 'wallet');
const group = fc.constantFrom(undefined, idAt(0), idAt(1));
const status: fc.Arbitrary<string> = fc.constantFrom('COMPLETED', 'FAILED', 'PENDING');
const type: fc.Arbitrary<string> = fc.constantFrom('SIGN', 'CREATE', 'DELETE');
const bytes = fc.uint8Array({ maxLength: 3 });
const blind = fc.constantFrom(Uint8Array.of(1), Uint8Array.of(1, 0), Uint8Array.of(2));

/** The guard is the version, or 0 for an unchanged guard. */
const organization = fc
  .record({ organizationId: ids, version, raises: fc.boolean(), head: bytes })
  .map(({ raises, ...parts }) => {
    const guard = raises || parts.version === 1 ? parts.version : 0;
    return organizationOf({ ...parts, guard, parentId: parentOf(parts.organizationId) });
  });
const record = fc
  .record({ organizationId: ids, kind, id: ids, groupId: group, version, body: bytes })
  .map((parts) => recordOf(0, parts));
const lookup = fc
  .record({ blind, organizationId: ids, recordId: ids })
  .map((parts) => lookupOf(0, parts));
// The identity of a request follows from the number, since it belongs to the activity; two numbers share
// each fingerprint.
const activity = fc
  .record({
    number: fc.integer({ min: 0, max: 9 }),
    organizationId: ids,
    status,
    version,
    body: bytes,
  })
  .map(({ number, ...parts }) =>
    activityOf(number, {
      ...parts,
      type: ['SIGN', 'CREATE', 'DELETE'][number % 3] ?? '',
      fingerprint: Uint8Array.of(number >> 1),
    }),
  );

const event = fc
  .record({
    endpointId: fc.constantFrom(idAt(90), idAt(91)),
    // A range so large that no id repeats.
    eventId: fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
    createdAtMs: fc.integer({ min: 0, max: 1e9 }),
    body: bytes,
  })
  .map((parts): StoredEvent => ({ ...parts, organizationId: idAt(0) }));

const condition = fc.record({
  organizationId: ids,
  version: fc.integer({ min: 0, max: 3 }),
  orLater: fc.boolean(),
});

const change = fc
  .record({
    conditions: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.tuple(condition) },
    ),
    organizations: fc.uniqueArray(organization, { maxLength: 1 }),
    records: fc.uniqueArray(record, { maxLength: 3, selector: recordKey }),
    deletedRecords: fc.array(record, { maxLength: 2 }),
    lookups: fc.array(lookup, { maxLength: 2 }),
    deletedLookups: fc.array(lookup, { maxLength: 2 }),
    activities: fc.uniqueArray(activity, { maxLength: 1 }),
    events: fc.array(event, { maxLength: 3 }),
    deployment: fc.oneof(
      { weight: 30, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: bytes },
    ),
  })
  .map((parts) => changeOf(parts));

const page: fc.Arbitrary<PageRequest> = fc.record({
  greaterThan: fc.option(ids, { nil: undefined }),
  lessThan: fc.option(ids, { nil: undefined }),
  ascending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 6 }),
});

type Command = fc.AsyncCommand<Model, StorePort>;

const commands: fc.Arbitrary<Command>[] = [
  fc.array(change, { minLength: 1, maxLength: 5 }).map((changes) =>
    commandOf(`commit ${fc.stringify(changes)}`, async (model, port) => {
      const [guarded, expected] = withGuards(model, changes);
      const outcomes = await Promise.all(guarded.map((each) => port.commit(each)));
      assert.deepEqual(outcomes, expected);
    }),
  ),
  fc
    .record({
      organizationId: ids,
      kinds: fc.uniqueArray(kind),
      knownVersion: fc.integer({ min: 0, max: 4 }),
      fingerprint: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    })
    .map((request) =>
      commandOf(`organization ${fc.stringify(request)}`, async (model, port) => {
        const { organizationId, kinds, knownVersion } = request;
        const fingerprint =
          request.fingerprint === undefined ? undefined : Uint8Array.of(request.fingerprint);
        const { bucket } = activityOf(0);
        const answer = await port.organization({
          organizationId,
          kinds,
          knownVersion,
          fingerprint: fingerprint && { bucket, fingerprint },
        });
        const found = model.organizations.get(organizationId);
        const isKnown = found === undefined || found.version === knownVersion;
        assert.equal(answer.version, found?.version);
        assert.deepEqual(answer.organization, isKnown ? undefined : found);
        assert.deepEqual(
          new Set(answer.records),
          new Set(
            isKnown
              ? []
              : valuesOf(model.records).filter(
                  (each) => each.organizationId === organizationId && kinds.includes(each.kind),
                ),
          ),
        );
        assert.deepEqual(
          answer.activity,
          valuesOf(model.activities).find(
            (each) =>
              each.organizationId === organizationId &&
              fingerprint !== undefined &&
              hex(each.fingerprint) === hex(fingerprint),
          ),
        );
      }),
    ),
  fc.record({ organizationId: ids, kind, groupId: group, page }).map((request) =>
    commandOf(`recordPage ${fc.stringify(request)}`, async (model, port) => {
      const expected = valuesOf(model.records).filter(
        (each) =>
          each.organizationId === request.organizationId &&
          each.kind === request.kind &&
          (request.groupId === undefined || each.groupId === request.groupId),
      );
      assert.deepEqual(await port.recordPage(request), cut(expected, request.page));
    }),
  ),
  fc
    .record({
      organizationId: ids,
      statuses: fc.array(status, { maxLength: 2 }),
      types: fc.array(type, { maxLength: 2 }),
      page,
    })
    .map((request) =>
      commandOf(`activityPage ${fc.stringify(request)}`, async (model, port) => {
        const { organizationId, statuses, types } = request;
        const expected = valuesOf(model.activities).filter(
          (each) =>
            each.organizationId === organizationId &&
            (statuses.length === 0 || statuses.includes(each.status)) &&
            (types.length === 0 || types.includes(each.type)),
        );
        assert.deepEqual(await port.activityPage(request), cut(expected, request.page));
      }),
    ),
  fc
    .record({
      endpointId: fc.constantFrom(idAt(90), idAt(91)),
      after: fc.nat(8),
      limit: fc.integer({ min: 1, max: 6 }),
    })
    .map((request) =>
      commandOf(`deliveryPage ${fc.stringify(request)}`, async (model, port) => {
        const { endpointId, after, limit } = request;
        const own = model.events.filter((each) => each.endpointId === endpointId);
        const { lastSequence, deliveries } = await port.deliveryPage({ ...request, eventIds: [] });
        assert.equal(lastSequence, own.length);
        assert.deepEqual(
          deliveries.map(({ sequence, eventId, body }) => ({ sequence, eventId, body })),
          own
            .map(({ eventId, body }, i) => ({ sequence: i + 1, eventId, body }))
            .slice(after, after + limit),
        );
      }),
    ),
  fc.record({ parentId: ids, page }).map((request) =>
    commandOf(`children ${fc.stringify(request)}`, async (model, port) => {
      const expected = valuesOf(model.organizations)
        .filter(({ parentId }) => parentId === request.parentId)
        .map(({ organizationId }) => ({ id: organizationId }));
      assert.deepEqual(
        await port.children(request),
        cut(expected, request.page).map(({ id }) => id),
      );
    }),
  ),
  fc.record({ blind, limit: fc.integer({ min: 1, max: 6 }) }).map((request) =>
    commandOf(`lookup ${fc.stringify(request)}`, async (model, port) => {
      const { index } = lookupOf(0);
      const expected = [...model.lookups.keys()]
        .filter((key) => key.startsWith(`${hex(request.blind)}/`))
        .sort()
        .slice(0, request.limit)
        .map((key) => model.lookups.get(key));
      assert.deepEqual(await port.lookup({ index, ...request }), expected);
    }),
  ),
];

function commandOf(name: string, run: (model: Model, port: StorePort) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

function emptyModel(): Model {
  return {
    organizations: new Map(),
    records: new Map(),
    lookups: new Map(),
    activities: new Map(),
    events: [],
    deployment: undefined,
  };
}

/** Returns the changes with the guards of their organizations at that time, and their outcomes. */
function withGuards(
  model: Model,
  changes: readonly StoreChange[],
): readonly [readonly StoreChange[], readonly CommitOutcome[]] {
  const guardOf = (id: string) => model.organizations.get(id)?.guard;
  const done = changes.map((change) => {
    const organizations = change.organizations.map((each) => ({
      ...each,
      guard: each.guard === 0 ? (guardOf(each.organizationId) ?? each.version) : each.guard,
    }));
    const guarded = { ...change, organizations };
    return { guarded, outcome: commitTo(model, guarded) };
  });
  return [done.map(({ guarded }) => guarded), done.map(({ outcome }) => outcome)];
}

function holdsIn(model: Model, { organizationId, version, orLater }: Condition): boolean {
  const found = model.organizations.get(organizationId);
  if (!orLater) return (found?.version ?? 0) === version;
  return found !== undefined && found.guard <= version && found.version >= version;
}

function commitTo(model: Model, change: StoreChange): CommitOutcome {
  const isDuplicate = change.activities.some(
    (each) =>
      each.version === 1 &&
      valuesOf(model.activities).some((other) => fingerprintKey(other) === fingerprintKey(each)),
  );
  if (isDuplicate) return 'duplicate';
  const versionOf = (id: string) => model.organizations.get(id)?.version ?? 0;
  const holds =
    change.conditions.every((each) => holdsIn(model, each)) &&
    change.organizations.every((each) => versionOf(each.organizationId) === each.version - 1) &&
    change.activities.every(
      (each) => (model.activities.get(activityKey(each))?.version ?? 0) === each.version - 1,
    ) &&
    (change.deployment === undefined || model.deployment === undefined);
  if (!holds) return 'conflict';

  model.deployment ??= change.deployment;
  for (const each of change.organizations) model.organizations.set(each.organizationId, each);
  for (const each of change.deletedRecords) model.records.delete(recordKey(each));
  for (const each of change.records) model.records.set(recordKey(each), each);
  for (const each of change.deletedLookups) model.lookups.delete(lookupKey(each));
  for (const each of change.lookups) model.lookups.set(lookupKey(each), each);
  for (const each of change.activities) model.activities.set(activityKey(each), each);
  model.events.push(...change.events);
  return 'committed';
}

function cut<Value extends { readonly id: string }>(
  values: readonly Value[],
  { greaterThan, lessThan, ascending, limit }: PageRequest,
): Value[] {
  const ordered = values
    .filter(({ id }) => greaterThan === undefined || id > greaterThan)
    .filter(({ id }) => lessThan === undefined || id < lessThan)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return (ascending ? ordered : ordered.toReversed()).slice(0, limit);
}

function parentOf(organizationId: string): string | undefined {
  return organizationId === idAt(0) ? undefined : idAt(0);
}

function recordKey(record: { organizationId: string; kind: string; id: string }): string {
  return `${record.organizationId}/${record.kind}/${record.id}`;
}

function lookupKey({ blind: value, organizationId, recordId }: StoredLookup): string {
  return `${hex(value)}/${organizationId}/${recordId}`;
}

function activityKey({ organizationId, id }: StoredActivity): string {
  return `${organizationId}/${id}`;
}

function fingerprintKey({ organizationId, bucket, fingerprint }: StoredActivity): string {
  return `${organizationId}/${bucket}/${hex(fingerprint)}`;
}

function valuesOf<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map.values()];
}
