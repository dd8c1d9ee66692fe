// No operation reads or writes across organizations: the root user of each organization tries each
// operation, in the name of each organization, with the ids of each.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { activityOperations, queryOperations } from '../../src/operations/index.ts';
import type { TestAnswer, TestService } from '../support/harness.ts';
import { type Call, queryCalls, submitCalls, submitTypes } from './calls.ts';
import { markersOf, startTenants, type Tenant, type TenantName, type Tenants } from './tenants.ts';

let tenants: Tenants;
before(async () => {
  tenants = await startTenants();
});
after(() => tenants.close());

test('every operation has calls in the table', () => {
  const missing = (names: Iterable<string>, calls: object) =>
    [...names].filter((name) => !Object.hasOwn(calls, name));
  assert.deepEqual(missing(submitTypes.keys(), submitCalls), [], 'add them to calls.ts');
  assert.deepEqual(missing(Object.keys(queryOperations), queryCalls), [], 'add them to calls.ts');
});

test('each call is accepted in its own organization, so a refusal is meaningful', async () => {
  let own: Tenants | undefined;
  for (const { operation, kind, calls } of operationsWithCalls()) {
    for (const call of calls) {
      const sent = async (within: Tenants) => {
        const tenant = tenantOf(within, call.by ?? 'child');
        return await send(within.service, { kind, operation }, tenant, tenant, call, tenant);
      };
      let answer = own && (await sent(own));
      if (own === undefined || answer?.status !== 200) {
        // An effect of another call may prevent this one.
        own?.close();
        own = await startTenants();
        answer = await sent(own);
      }
      assert.equal(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`);
    }
  }
  own?.close();
});

for (const { operation, kind, calls } of operationsWithCalls()) {
  test(`${operation} stays within its organization`, async () => {
    const stored = await tenants.stored();
    for (const call of calls) {
      for (const attempt of attempts(kind, operation, call))
        await checkAttempt(kind, operation, attempt);
    }
    // A wrong code is counted in the organization of the attempt.
    if (activityOperations[operation]?.countsTries === true) return;
    assert.equal(await tenants.stored(), stored, 'nothing was stored');
  });
}

type Style = 'submit' | 'query';

type Attempt = {
  readonly caller: Tenant;
  /** The organization that the body names. */
  readonly named: Tenant;
  /** The organization whose ids the parameters contain. */
  readonly owner: Tenant;
  readonly parameters: object;
  /** True if the body must be refused; otherwise it must reveal nothing of the owner. */
  readonly isRefused: boolean;
};

/**
 * Yields everything that a caller may try: all calls in other organizations, and calls in the own one with
 * single foreign ids. Permitted calls are omitted.
 */
function* attempts(kind: Style, operation: string, call: Call): Generator<Attempt> {
  const all = [...tenants.all.values()];
  for (const caller of all) {
    for (const named of all) {
      // In this case the call acts in the caller's own organization.
      if (findsItself(operation, caller, named) && kind === 'submit') continue;
      if (!mayAct(kind, operation, caller, named)) {
        const parameters = call.parameters(named);
        yield { caller, named, owner: named, parameters, isRefused: true };
        continue;
      }
      for (const owner of all) {
        if (owner === named) continue;
        const isRefused = call.onlySelects !== true;
        for (const parameters of crossed(call.parameters(named), call.parameters(owner))) {
          yield { caller, named, owner, parameters: parameters as object, isRefused };
        }
      }
    }
  }
}

async function checkAttempt(kind: Style, operation: string, attempt: Attempt): Promise<void> {
  const { caller, named, owner, parameters, isRefused } = attempt;
  const { service } = tenants;
  const as = { organizationId: named.organizationId, key: caller.key };
  const answer =
    kind === 'query'
      ? await service.query(operation, parameters, as)
      : await service.submit(operation, typeOf(operation), parameters, as);
  const what = `${caller.name} in ${named.name} with what is of ${owner.name}: ${JSON.stringify({ parameters, ...answer })}`;
  if (isRefused && !findsItself(operation, caller, named)) {
    assert.ok(answer.status >= 400 && answer.status < 500, what);
    assert.equal(typeof answer.body.message, 'string', what);
  } else assert.ok(answer.status < 500, what);
  if (mayRead(caller, owner)) return;
  const sent = JSON.stringify([parameters, as.organizationId]);
  const told = JSON.stringify(answer.body);
  for (const marker of markersOf(owner)) {
    assert.ok(sent.includes(marker) || !told.includes(marker), what);
  }
}

/** Yields mixtures of a foreign value with own values: one at a time, and added to lists. */
function* crossed(own: unknown, foreign: unknown): Generator<unknown> {
  if (Array.isArray(own) && Array.isArray(foreign)) {
    for (const i of own.keys()) {
      for (const mixed of crossed(own[i], foreign[i])) {
        yield own.with(i, mixed);
        yield [...own, mixed];
      }
    }
  } else if (isObject(own) && isObject(foreign)) {
    for (const name of Object.keys(own)) {
      for (const mixed of crossed(own[name], foreign[name])) yield { ...own, [name]: mixed };
    }
  } else if (own !== foreign) yield foreign;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function mayAct(kind: Style, operation: string, caller: Tenant, named: Tenant): boolean {
  const parentActs = activityOperations[operation]?.parentActs === true;
  if (kind === 'query' || parentActs) return mayRead(caller, named);
  return caller === named && isAlive(caller);
}

/** Returns true for users of the organization and of its parent, unless it is deleted. */
function mayRead(caller: Tenant, other: Tenant): boolean {
  const isRelated = caller === other || other.parentId === caller.organizationId;
  return isRelated && isAlive(other);
}

/** Returns true if an operation finds its caller in a child of the named parent. */
function findsItself(name: string, caller: Tenant, named: Tenant): boolean {
  const operation = queryOperations[name] ?? activityOperations[name];
  return Boolean(operation?.findsChild) && caller.parentId === named.organizationId;
}

function isAlive(tenant: Tenant): boolean {
  return tenant.name !== 'deleted';
}

function* operationsWithCalls() {
  const kinds = [
    ['submit', [...submitTypes.keys()], submitCalls],
    ['query', Object.keys(queryOperations), queryCalls],
  ] as const;
  for (const [kind, operations, table] of kinds) {
    for (const operation of operations) {
      const calls = table[operation];
      if (calls !== undefined) yield { kind, operation, calls };
    }
  }
}

function send(
  service: TestService,
  { kind, operation }: { readonly kind: Style; readonly operation: string },
  { key }: Tenant,
  { organizationId }: Tenant,
  call: Call,
  owner: Tenant,
): Promise<TestAnswer> {
  const parameters = call.parameters(owner);
  const as = { organizationId, key };
  return kind === 'query'
    ? service.query(operation, parameters, as)
    : service.submit(operation, typeOf(operation), parameters, as);
}

function typeOf(operation: string): string {
  const type = submitTypes.get(operation);
  assert(type !== undefined);
  return type;
}

function tenantOf({ all }: Tenants, name: TenantName): Tenant {
  const tenant = all.get(name);
  assert(tenant !== undefined);
  return tenant;
}
