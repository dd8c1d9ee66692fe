import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { type ErrorCode, ServiceError } from '../../src/core/errors/errors.ts';
import { createEnclaveClient } from '../../src/gateway/enclave/client.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../src/ipc/messages.ts';
import type { CommitOutcome, OrganizationAnswer, StoreChange } from '../../src/store/port.ts';

type Request = RequestOf<EnclaveMessages['request']>;
type Answer = AnswerOf<EnclaveMessages['request']>;

const request: Request = {
  requestId: 'a request',
  kind: 'submit' as const,
  operation: 'sign_raw_payload',
  headers: [],
  timestampObjects: false,
  remoteAddress: '127.0.0.1',
  body: utf8('{}'),
};
const addition = {
  conditions: [{ organizationId: 'organization', version: 3, orLater: false }],
  events: [],
  activity: {
    organizationId: 'organization',
    id: 'activity',
    type: 'a type',
    status: 'a status',
    bucket: 1,
    fingerprint: new Uint8Array(32),
    createdAtMs: 1,
    updatedAtMs: 1,
    version: 1,
    body: utf8('sealed'),
  },
};

function answerSaying(said: string): Answer {
  return {
    status: 200,
    body: utf8(said),
    activityId: 'activity',
    organizationId: 'organization',
    errorCode: undefined,
    allowedOrigin: undefined,
  };
}

/** Creates an enclave that prepares, or not, and a store with the given outcome. */
function world(commit: () => Promise<CommitOutcome>, prepares = true) {
  const prepared = answerSaying('prepared');
  const calls: string[] = [];
  const changes: StoreChange[] = [];
  const ask = createEnclaveClient(
    {
      prepare: async () => {
        calls.push('prepare');
        return { answer: prepared, addition: prepares ? addition : undefined, versions: [] };
      },
      request: async () => {
        calls.push('request');
        return answerSaying('decided anew');
      },
    },
    {
      commit: (change) => {
        calls.push('commit');
        changes.push(change);
        return commit();
      },
      organization: () => assert.fail('a submission is committed'),
    },
  );
  return { ask, calls, changes, prepared };
}

type Newest = Pick<OrganizationAnswer, 'version' | 'guard'> & Partial<OrganizationAnswer>;

/**
 * Creates an enclave that answers a query on these versions, and a store with the given newest versions.
 */
function queryWorld(newestOf: (organizationId: string) => Newest) {
  const prepared = answerSaying('prepared');
  const calls: string[] = [];
  const versions = [
    { organizationId: 'organization', version: 3, guard: 2 },
    { organizationId: 'parent', version: 8, guard: 8 },
  ];
  const ask = createEnclaveClient(
    {
      prepare: async () => {
        calls.push('prepare');
        return { answer: prepared, addition: undefined, versions };
      },
      request: async () => {
        calls.push('request');
        return answerSaying('read anew');
      },
    },
    {
      commit: () => assert.fail('a query changes nothing'),
      organization: async ({ organizationId }) => {
        calls.push(organizationId);
        const unchanged = { organization: undefined, records: [], activity: undefined };
        return { ...unchanged, ...newestOf(organizationId) };
      },
    },
  );
  return { ask: () => ask({ ...request, kind: 'query' }), calls, prepared };
}

const textOf = ({ body }: Answer) => Buffer.from(body).toString();

describe('a prepared answer', () => {
  test('is shown once the store has made it durable, and not before', async () => {
    const { promise, resolve } = Promise.withResolvers<CommitOutcome>();
    const { ask, calls, changes } = world(() => promise);
    let shown: Answer | undefined;
    const asked = ask(request).then((answer) => {
      shown = answer;
    });
    await new Promise(setImmediate);
    assert.deepEqual(calls, ['prepare', 'commit']);
    assert.equal(shown, undefined);
    resolve('committed');
    await asked;
    assert.equal(shown && textOf(shown), 'prepared');
    assert.deepEqual(calls, ['prepare', 'commit']);
    assert.deepEqual(changes, [
      {
        conditions: addition.conditions,
        organizations: [],
        records: [],
        deletedRecords: [],
        lookups: [],
        deletedLookups: [],
        activities: [addition.activity],
        events: addition.events,
        redeliveries: [],
        deployment: undefined,
      },
    ]);
  });

  for (const outcome of ['conflict', 'duplicate'] as const) {
    test(`is dropped and overwritten after a ${outcome}, and decided anew`, async () => {
      const { ask, calls, prepared } = world(async () => outcome);
      assert.equal(textOf(await ask(request)), 'decided anew');
      assert.deepEqual(calls, ['prepare', 'commit', 'request']);
      assert.ok(prepared.body.every((byte) => byte === 0));
    });
  }

  for (const code of ['store_unavailable', 'overloaded', 'draining'] satisfies ErrorCode[]) {
    test(`is dropped if the store returns ${code}, and not tried again`, async () => {
      const { ask, calls, prepared } = world(() => Promise.reject(new ServiceError(code)));
      await assert.rejects(ask(request), { code });
      assert.deepEqual(calls, ['prepare', 'commit']);
      assert.ok(prepared.body.every((byte) => byte === 0));
    });
  }

  test('is dropped if the database fails, which the enclave then finds', async () => {
    const { ask, calls } = world(() => Promise.reject(new Error('not a version')));
    assert.equal(textOf(await ask(request)), 'decided anew');
    assert.deepEqual(calls, ['prepare', 'commit', 'request']);
  });

  test('is requested only for changes, and fits into a frame', async () => {
    const large = { ...request, body: new Uint8Array(1024 * 1024 + 1) };
    for (const other of [
      { ...request, kind: 'proxy' as const },
      { ...request, kind: 'dry_run' as const },
      large,
    ]) {
      const { ask, calls } = world(async () => 'committed');
      assert.equal(textOf(await ask(other)), 'decided anew');
      assert.deepEqual(calls, ['request']);
    }
  });

  test('without conditions is shown at once', async () => {
    const { ask, calls } = world(async () => 'committed', false);
    assert.equal(textOf(await ask(request)), 'prepared');
    assert.deepEqual(calls, ['prepare']);
  });
});

describe('the answer of a query on states in memory', () => {
  const organization = { version: 3, guard: 2 };
  const parent = { version: 8, guard: 8 };
  const unchanged = (id: string): Newest => (id === 'parent' ? parent : organization);

  test('is shown if the store has no newer version of these organizations', async () => {
    const { ask, calls } = queryWorld(unchanged);
    assert.equal(textOf(await ask()), 'prepared');
    assert.deepEqual(calls, ['prepare', 'organization', 'parent']);
  });

  const row = { organizationId: 'parent', parentId: undefined, ...parent, head: utf8('sealed') };
  const others: readonly (readonly [string, Newest])[] = [
    ['a newer version', { version: 9, guard: 9 }],
    ['an older version', { version: 7, guard: 7 }],
    ['another guard', { version: 8, guard: 7 }],
    ['no such organization', { version: undefined, guard: undefined }],
    ['rows for a known version', { ...parent, organization: row }],
  ];
  for (const [state, newest] of others) {
    test(`is dropped and wiped if the store has ${state}`, async () => {
      const { ask, calls, prepared } = queryWorld((id) =>
        id === 'parent' ? newest : organization,
      );
      assert.equal(textOf(await ask()), 'read anew');
      assert.deepEqual(calls, ['prepare', 'organization', 'parent', 'request']);
      assert.ok(prepared.body.every((byte) => byte === 0));
    });
  }

  test('is dropped if the store fails, and the enclave reads again', async () => {
    const { ask, calls, prepared } = queryWorld(() => {
      throw new Error('not a version');
    });
    assert.equal(textOf(await ask()), 'read anew');
    assert.deepEqual(calls, ['prepare', 'organization', 'request']);
    assert.ok(prepared.body.every((byte) => byte === 0));
  });
});
