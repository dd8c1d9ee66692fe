import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { type ErrorCode, ServiceError } from '../../src/core/errors/errors.ts';
import { createEnclaveClient } from '../../src/gateway/enclave/client.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../src/ipc/messages.ts';
import type { CommitOutcome, StoreChange } from '../../src/store/port.ts';

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

/** An enclave that prepares, or not, and a store that does as it is told. */
function world(commit: () => Promise<CommitOutcome>, prepares = true) {
  const prepared = answerSaying('prepared');
  const calls: string[] = [];
  const changes: StoreChange[] = [];
  const ask = createEnclaveClient(
    {
      prepare: async () => {
        calls.push('prepare');
        return { answer: prepared, addition: prepares ? addition : undefined };
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
    },
  );
  return { ask, calls, changes, prepared };
}

const textOf = ({ body }: Answer) => Buffer.from(body).toString();

describe('a prepared answer', () => {
  test('is shown once the store has said that it is durable, and not before', async () => {
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
    test(`is dropped where the store says ${code}, and nothing else is tried`, async () => {
      const { ask, calls, prepared } = world(() => Promise.reject(new ServiceError(code)));
      await assert.rejects(ask(request), { code });
      assert.deepEqual(calls, ['prepare', 'commit']);
      assert.ok(prepared.body.every((byte) => byte === 0));
    });
  }

  test('is dropped where the database is at fault, which the enclave then finds', async () => {
    const { ask, calls } = world(() => Promise.reject(new Error('not a version')));
    assert.equal(textOf(await ask(request)), 'decided anew');
    assert.deepEqual(calls, ['prepare', 'commit', 'request']);
  });

  test('is asked for only where something is to become durable, and fits a frame', async () => {
    const large = { ...request, body: new Uint8Array(1024 * 1024 + 1) };
    for (const other of [
      { ...request, kind: 'query' as const },
      { ...request, kind: 'dry_run' as const },
      large,
    ]) {
      const { ask, calls } = world(async () => 'committed');
      assert.equal(textOf(await ask(other)), 'decided anew');
      assert.deepEqual(calls, ['request']);
    }
  });

  test('that rests on nothing is shown at once', async () => {
    const { ask, calls } = world(async () => 'committed', false);
    assert.equal(textOf(await ask(request)), 'prepared');
    assert.deepEqual(calls, ['prepare']);
  });
});
