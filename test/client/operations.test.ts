// Every operation through the client: its path, type and result are those of the service.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { QueryName, SubmitName } from '../../src/client/index.ts';
import { resources } from '../../src/operations/index.ts';
import { activityCalls, type Call, queryCalls } from '../hostile/calls.ts';
import { startTenants, type Tenant, type Tenants } from '../hostile/tenants.ts';
import { clientOf } from './service_fetch.ts';

let tenants: Tenants | undefined;
after(() => tenants?.close());

/**
 * Makes a call as its tenant, and again in new organizations if it fails, because earlier calls may prevent
 * it.
 */
async function called<Result>(
  call: Call,
  use: (client: Awaited<ReturnType<typeof clientOf>>, parameters: object) => Promise<Result>,
): Promise<Result> {
  const attempt = async ({ service, all }: Tenants) => {
    const tenant = all.get(call.by ?? 'child') as Tenant;
    service.advance(1);
    return await use(await clientOf(service, tenant), call.parameters(tenant));
  };
  if (tenants !== undefined) {
    try {
      return await attempt(tenants);
    } catch {
      tenants.close();
    }
  }
  tenants = await startTenants();
  return await attempt(tenants);
}

for (const { activities, queries } of Object.values(resources)) {
  for (const [name, { wire }] of Object.entries(activities)) {
    test(`${name} is submitted under its type, and its result is read`, async () => {
      const calls = activityCalls[name] ?? [];
      assert(calls.length > 0, 'add it to test/hostile/calls.ts');
      for (const call of calls) {
        const done = await called(call, async (client, parameters) => {
          // The name of the operation is known only at run time here.
          const asked = await client.ask(name as SubmitName, parameters as never);
          if (asked.outcome !== 'done') throw asked.error;
          return asked;
        });
        assert.equal(done.activity.type, wire.type);
        assert.deepEqual(Object.entries(done.activity.result), [[wire.result, done.result]]);
      }
    });
  }
  for (const [name, { response }] of Object.entries(queries)) {
    test(`${name} is answered`, async () => {
      const { required = [] } = response as { readonly required?: readonly string[] };
      for (const call of queryCalls[name] ?? []) {
        const answer = await called(call, (client, parameters) =>
          client.query(name as QueryName, parameters as never),
        );
        assert.deepEqual(
          required.filter((member) => !Object.hasOwn(answer, member)),
          [],
        );
      }
    });
  }
}
