// Statements of the specification on one operation: required and optional members are tried one at a time,
// and the members of its outcome are checked on one activity.

import assert from 'node:assert/strict';
import { before } from 'node:test';
import type { Tenant, Tenants } from '../hostile/tenants.ts';
import { stampOf } from '../support/harness.ts';
import {
  assertAccepted,
  bodyOf,
  checkOptional,
  checkRequired,
  type Members,
  statement,
  tried,
} from './statement.ts';

/**
 * Two services with the same contents. Requests to the first are only tried, and requests to the second are
 * carried out.
 */
export type Worlds = { readonly tried: Tenants; readonly done: Tenants };

export type Sample = (tenants: Tenants, tenant: Tenant) => Members;

/** Returns statements about one submit operation; `sample` has its parameters with every member. */
export function contractOf(
  worlds: () => Worlds,
  operation: string,
  activityType: string,
  sample: Sample,
) {
  let activity: Promise<Members> | undefined;

  function parameters(): Members {
    return sample(worlds().tried, childOf(worlds().tried));
  }
  function send(given: Members) {
    const { tried: tenants } = worlds();
    const child = childOf(tenants);
    return tried(tenants, operation, bodyOf(tenants, child, activityType, given), child.key);
  }
  /** Returns the activity of the sample, which is carried out once. */
  function done(): Promise<Members> {
    activity ??= (async () => {
      const { done: tenants } = worlds();
      const child = childOf(tenants);
      const body = bodyOf(tenants, child, activityType, sample(tenants, child));
      const headers = [stampOf(body, child.key)];
      const answer = await tenants.service.send('submit', operation, body, headers);
      assertAccepted(answer);
      assert.deepEqual(Object.keys(answer.body), ['activity']);
      assert.equal(answer.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
      return { ...answer.body.activity, sent: JSON.parse(Buffer.from(body).toString()) };
    })();
    return activity;
  }

  return {
    send,
    done,
    parameters,
    /** States the activity type, and that similar spellings are refused. */
    type(ids: string): void {
      statement(ids, `the type of ${operation} is ${activityType}`, async () => {
        assert.equal((await done())['type'], activityType);
        const { tried: tenants } = worlds();
        const child = childOf(tenants);
        const wrong = [`${activityType}_V9`, activityType.toLowerCase(), activityType.slice(14)];
        for (const type of wrong) {
          const body = bodyOf(tenants, child, type, parameters());
          const { status, body: answer } = await tried(tenants, operation, body, child.key);
          assert.deepEqual([status, answer.code], [400, 3], type);
        }
      });
    },
    required(ids: string, path: string, wrong: readonly unknown[]): void {
      statement(ids, `${operation} needs ${path}`, () =>
        checkRequired(send, parameters(), path, `parameters.${path}`, wrong),
      );
    },
    optional(ids: string, path: string, good: readonly unknown[], wrong: readonly unknown[]): void {
      statement(ids, `${operation} may have ${path}`, () =>
        checkOptional(send, parameters(), path, `parameters.${path}`, good, wrong),
      );
    },
    /** States the only key of the intent, whose value is the sent parameters. */
    intent(ids: string, key: string): void {
      statement(ids, `the intent of ${operation} is ${key}`, async () => {
        const { intent, sent } = await done();
        assert.deepEqual(intent, { [key]: sent.parameters });
      });
    },
    result(ids: string, key: string): void {
      statement(ids, `the result of ${operation} is ${key}`, async () => {
        assert.deepEqual(Object.keys((await done())['result']), [key]);
      });
    },
    /** States one member of the result. */
    answered(ids: string, name: string, check: (value: Members, tenant: Tenant) => void): void {
      statement(ids, `the result of ${operation} has ${name}`, async () => {
        const [value] = Object.values((await done())['result']) as Members[];
        assert.ok(value !== undefined && name in value, JSON.stringify(value));
        check(value[name], childOf(worlds().done));
      });
    },
  };
}

/** Starts both services before the first test, and closes them after the last. */
export function startWorlds(start: () => Promise<Tenants>, after: (end: () => void) => void) {
  let worlds: Worlds | undefined;
  before(async () => {
    worlds = { tried: await start(), done: await start() };
  });
  after(() => {
    worlds?.tried.close();
    worlds?.done.close();
  });
  return () => worlds ?? assert.fail('the services are started before the tests');
}

export function childOf({ all }: Tenants): Tenant {
  return all.get('child') ?? assert.fail();
}

export const uuid = (value: unknown): void =>
  assert.match(String(value), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const text = (value: unknown): void => {
  assert.equal(typeof value, 'string');
  assert.notEqual(value, '');
};
