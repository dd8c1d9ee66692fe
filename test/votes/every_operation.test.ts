// Every operation can wait for votes, and is then carried out as if it had been requested at that time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityCalls, type Call, submitTypes } from '../hostile/calls.ts';
import {
  copyOf,
  snapshotOf,
  startTenants,
  type Tenant,
  type Tenants,
  type TenantsSnapshot,
} from '../hostile/tenants.ts';
import { storedCount } from '../operations/checks.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { type Sender, testKey } from '../support/harness.ts';
import { approve, changeQuorum, read, reject, type Shown, shownAs } from './voting.ts';

/** Returns the tenant of a call. */
function tenantOf({ all }: Pick<Tenants, 'all'>, { by }: Call): Tenant {
  return all.get(by ?? 'child') ?? assert.fail();
}

/** Returns the root users of a tenant. */
function rootUsersOf({ organizationId, key }: Tenant): readonly [Sender, Sender] {
  return [
    { organizationId, key },
    { organizationId, key: testKey('Second root') },
  ];
}

/** Services in which the root user and a second user of a tenant must both approve, by tenant. */
const prepared = new Map<string, Promise<TenantsSnapshot>>();

async function startTwo(call: Call): Promise<Tenants> {
  const name = call.by ?? 'child';
  const tenants = await copyOf(await prepared.getOrInsertComputed(name, () => prepareTwo(call)));
  if (name === 'unrelated') {
    const [, second] = rootUsersOf(tenantOf(tenants, call));
    const waiting = shownAs('CONSENSUS_NEEDED', tenants.unsealing ?? assert.fail());
    shownAs('COMPLETED', await approve(tenants.service, waiting, second));
  }
  return tenants;
}

async function prepareTwo(call: Call): Promise<TenantsSnapshot> {
  const tenants = await startTenants();
  const { service } = tenants;
  const tenant = tenantOf(tenants, call);
  const [first] = rootUsersOf(tenant);
  const secondId = await makeUser(service, 'Second root', {}, first);
  const userIds = [tenant.rootUserId, secondId];
  // Users start own sessions, unless a policy requires votes.
  const condition = "activity.resource == 'AUTH' && activity.action == 'CREATE'";
  await makePolicy(service, 'Sessions by two', { condition }, first);
  await changeQuorum(service, { threshold: 2, userIds }, [first]);
  const snapshot = snapshotOf(tenants);
  tenants.close();
  return snapshot;
}

for (const [operation, calls] of Object.entries(activityCalls)) {
  const type = submitTypes.get(operation);
  if (type === undefined) continue;
  for (const [index, call] of calls.entries()) {
    const name = calls.length === 1 ? operation : `${operation}, ${index + 1}. call,`;
    test(`${name} waits, and is carried out by the deciding vote`, async (t) => {
      const tenants = await startTwo(call);
      t.after(() => tenants.close());
      const { service } = tenants;
      const tenant = tenantOf(tenants, call);
      const [first, second] = rootUsersOf(tenant);
      const ask = () => service.submit(operation, type, call.parameters(tenant), first);
      const rejected = shownAs('CONSENSUS_NEEDED', await ask());
      shownAs('REJECTED', await reject(service, rejected, second));
      const waiting = shownAs('CONSENSUS_NEEDED', await ask());
      assert.deepEqual(await read(service, waiting, first), waiting);
      // A voter sees bearer members as digests, and all else in plain form.
      const shown = await read(service, waiting, second);
      const before = await storedCount(service);
      service.advance(60_000);
      const done = shownAs('COMPLETED', await approve(service, waiting, second));
      assert.deepEqual(kept(done), kept(shown));
      const [resultName, another] = Object.keys(done.result);
      assert.match(String(resultName), /Result(V\d+)?$/);
      assert.equal(another, undefined);
      assert.equal(done.votes.length, 2);
      const after = await storedCount(service);
      assert.equal(after.activities, before.activities, 'a vote is no activity');
      if (call.by === 'parent') assert.equal(after.version, Number(before.version) + 1);
    });
  }
}

/** Returns the members of an activity that never change. */
function kept({ id, organizationId, type, intent, fingerprint, createdAt, votes }: Shown) {
  return { id, organizationId, type, intent, fingerprint, createdAt, first: votes[0] };
}
