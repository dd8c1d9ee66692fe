// One answer of every operation, for decoders that know the types of the API family. The requests are those
// of the tests of hostile callers, and name their client.

import assert from 'node:assert/strict';
import { queryOperations } from '../../src/operations/index.ts';
import { type Call, queryCalls, submitCalls, submitTypes } from '../hostile/calls.ts';
import { startTenants, type Tenants } from '../hostile/tenants.ts';
import { activityBody } from '../operations/checks.ts';
import { operationsOfFamily } from '../support/family_operations.ts';
import { stampOf, type TestAnswer } from '../support/harness.ts';

export type OperationAnswer = {
  readonly kind: 'query' | 'submit';
  readonly operation: string;
  readonly body: unknown;
};

/** Returns the answers, all to accepted requests. */
export async function answersOfAllOperations(): Promise<readonly OperationAnswer[]> {
  const answers: OperationAnswer[] = [];
  let tenants: Tenants | undefined;
  for (const { kind, operation, calls } of operations()) {
    for (const call of calls) {
      let answer = tenants && (await sent(tenants, kind, operation, call));
      if (tenants === undefined || answer?.status !== 200) {
        // An effect of an earlier request may prevent this one, so it gets new organizations.
        tenants?.close();
        tenants = await startTenants();
        answer = await sent(tenants, kind, operation, call);
      }
      assert.equal(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`);
      answers.push({ kind, operation, body: answer.body });
    }
  }
  tenants?.close();
  return answers;
}

const familyTypes = operationsOfFamily().flatMap((name) => submitTypes.get(name) ?? []);
/** The maximum number of types in one filter. */
const filterLength = 100;

/** Strict packages read activities of the API family only, so lists of activities are filtered. */
function filteredLists(): readonly Call[] {
  const [call = assert.fail()] = queryCalls['list_activities'] ?? [];
  const count = Math.ceil(familyTypes.length / filterLength);
  return Array.from({ length: count }, (_, i) => {
    const filterByType = familyTypes.slice(i * filterLength, (i + 1) * filterLength);
    return { ...call, parameters: (tenant) => ({ ...call.parameters(tenant), filterByType }) };
  });
}

type Asked = Pick<OperationAnswer, 'kind' | 'operation'> & { readonly calls: readonly Call[] };

function operations(): readonly Asked[] {
  const asked = (
    kind: Asked['kind'],
    names: Iterable<string>,
    calls: Record<string, readonly Call[]>,
  ) => [...names].map((operation): Asked => ({ kind, operation, calls: calls[operation] ?? [] }));
  return [
    ...asked('query', Object.keys(queryOperations), {
      ...queryCalls,
      list_activities: filteredLists(),
    }),
    ...asked('submit', submitTypes.keys(), submitCalls),
  ];
}

function sent(
  { service, all }: Tenants,
  kind: Asked['kind'],
  operation: string,
  call: Call,
): Promise<TestAnswer> {
  const tenant = all.get(call.by ?? 'child') ?? assert.fail();
  const { organizationId, key } = tenant;
  service.advance(1);
  const parameters = { ...call.parameters(tenant) };
  const type = submitTypes.get(operation) ?? '';
  const body =
    kind === 'submit'
      ? activityBody(service, type, parameters, organizationId)
      : new TextEncoder().encode(JSON.stringify({ organizationId, ...parameters }));
  return service.send(kind, operation, body, [stampOf(body, key)], true);
}
