// Random bodies of every operation, each with a valid stamp: the answer must be one of the operation, other
// organizations stay unchanged, and a refused body leaves no trace. Each case follows from the seed and its
// number in its world.

import assert from 'node:assert/strict';
import { utf8 } from '../../src/core/base/bytes.ts';
import { queryOperations, voteOperations } from '../../src/operations/index.ts';
import { stampOf, type TestAnswer } from '../support/harness.ts';
import { changeJson, changeText, type Json } from './body_mutations.ts';
import { type Call, queryCalls, submitCalls, submitTypes } from './calls.ts';
import { type Random, randomOf } from './random.ts';
import { type Strained, watchStrain } from './strain.ts';
import { markersOf, startTenants, type Tenant, type Tenants } from './tenants.ts';

/** Cases that share a world, whose effects later cases see. */
const casesOfWorld = 500;

/** No other operation is possible after this one. */
const lastThingToDo = 'delete_sub_organization';

export type BodyFuzzResult = {
  readonly accepted: number;
  readonly refused: number;
  /** Operations that accepted a body. */
  readonly acceptedBy: ReadonlySet<string>;
  readonly strained: Strained;
};

/** Sends this number of bodies; fails at the first wrong answer. */
export async function fuzzBodies(options: {
  readonly cases: number;
  readonly seed: string;
}): Promise<BodyFuzzResult> {
  const { cases, seed } = options;
  const strain = watchStrain(cases);
  const acceptedBy = new Set<string>();
  let accepted = 0;
  for (let first = 0; first < cases; first += casesOfWorld) {
    const tenants = await startTenants();
    const before = await othersOf(tenants);
    const executed = new Set<string>();
    const known = await activitiesOf(tenants, everyStatus);
    for (let i = first; i < Math.min(first + casesOfWorld, cases); i += 1) {
      const sent = makeCase(tenants, randomOf(`${seed}/${i}`));
      const answer = await send(tenants, sent);
      const what = () =>
        `seed ${seed}, case ${i}: ${JSON.stringify({ ...sent, tenant: sent.tenant.name, answer })}`;
      if (answer.status !== 200) assertRefusal(answer, what);
      else {
        accepted += 1;
        acceptedBy.add(sent.operation);
        // A vote returns the activity that it is about.
        const isVote = Object.hasOwn(voteOperations, sent.operation);
        if (sent.kind === 'submit' && !isVote) executed.add(idOf(answer, what));
      }
      await strain.done(i + 1);
    }
    assert.deepEqual(await othersOf(tenants), before, `seed ${seed}: others were changed`);
    const stored = await activitiesOf(tenants, everyStatus);
    assert.ok(executed.isSubsetOf(stored), `seed ${seed}: what was accepted is stored`);
    const standing = (await activitiesOf(tenants, standingStatuses)).difference(known);
    assert.ok(standing.isSubsetOf(executed), `seed ${seed}: what was refused left no activity`);
    tenants.close();
  }
  return { accepted, refused: cases - accepted, acceptedBy, strained: strain.end() };
}

type Case = {
  readonly kind: 'submit' | 'query';
  readonly operation: string;
  readonly tenant: Tenant;
  readonly text: string;
};

function makeCase(tenants: Tenants, random: Random): Case {
  const kind = random.of(['submit', 'submit', 'query'] as const);
  const calls = Object.entries(kind === 'submit' ? submitCalls : queryCalls).filter(
    ([name]) => name !== lastThingToDo && isKnown(kind, name),
  );
  const [operation, forms] = random.of(calls);
  const call: Call = random.of(forms);
  // The unrelated tenant must not change, so the parent calls its operations.
  const tenant = tenantOf(tenants, call.by === 'unrelated' ? 'parent' : (call.by ?? 'child'));
  const names = [...tenants.all.values()].flatMap((other) => markersOf(other));
  const around = { random, texts: names };
  let parameters = JSON.parse(JSON.stringify(call.parameters(tenant))) as Json;
  for (let left = random.of([0, 1, 1, 1, 2, 3]); left > 0; left -= 1) {
    parameters = changeJson(parameters, around);
  }
  let body: Json = bodyOf(tenants, { kind, operation, tenant }, parameters);
  if (random.below(8) === 0) body = changeJson(body, around);
  const text = JSON.stringify(body);
  return {
    kind,
    operation,
    tenant,
    text: random.below(8) === 0 ? changeText(text, around) : text,
  };
}

function bodyOf(
  { service }: Tenants,
  { kind, operation, tenant }: Omit<Case, 'text'>,
  parameters: Json,
): Json {
  const { organizationId } = tenant;
  if (kind === 'query') {
    const isObject = typeof parameters === 'object' && parameters !== null;
    return { organizationId, ...(isObject && !Array.isArray(parameters) ? parameters : {}) };
  }
  service.advance(1);
  const type = submitTypes.get(operation) ?? '';
  return { type, timestampMs: String(service.now()), organizationId, parameters };
}

function send({ service }: Tenants, sent: Case): Promise<TestAnswer> {
  const body = utf8(sent.text);
  return service.send(sent.kind, sent.operation, body, [stampOf(body, sent.tenant.key)]);
}

function assertRefusal({ status, body }: TestAnswer, what: () => string): void {
  // 501 is the status of operations that the interface lists and the service does not offer.
  assert.ok((status >= 400 && status < 500) || status === 501, what());
  assert.equal(typeof body.code, 'number', what());
  assert.equal(typeof body.message, 'string', what());
  assert.ok(body.message.length < 10_000 && body.message.isWellFormed(), what());
}

function isKnown(kind: Case['kind'], operation: string): boolean {
  return kind === 'submit' ? submitTypes.has(operation) : Object.hasOwn(queryOperations, operation);
}

function tenantOf(tenants: Tenants, name: 'parent' | 'child' | 'sibling' | 'unrelated'): Tenant {
  const tenant = tenants.all.get(name);
  assert(tenant !== undefined);
  return tenant;
}

/** Returns everything that uninvolved tenants can read. */
async function othersOf(tenants: Tenants): Promise<string[]> {
  const seen: string[] = [];
  for (const name of ['sibling', 'unrelated'] as const) {
    const { organizationId, key } = tenantOf(tenants, name);
    for (const operation of [
      'get_organization_configs',
      'list_wallets',
      'list_private_keys',
      'list_users',
    ]) {
      const answer = await tenants.service.query(operation, {}, { organizationId, key });
      assert.equal(answer.status, 200, operation);
      seen.push(JSON.stringify(answer.body));
    }
  }
  return seen;
}

/** Refusals may be recorded as failed activities; a vote may end an open activity in the same way. */
const standingStatuses = ['COMPLETED', 'CONSENSUS_NEEDED', 'AUTHENTICATORS_NEEDED', 'REJECTED'];

const everyStatus = [...standingStatuses, 'FAILED'];

function idOf({ body }: TestAnswer, what: () => string): string {
  const id: unknown = body.activity?.id;
  assert.ok(typeof id === 'string', what());
  return id;
}

/**
 * Returns ids of the involved tenants' activities from the store, since their root users may be deleted.
 */
async function activitiesOf(tenants: Tenants, names: readonly string[]): Promise<Set<string>> {
  const { port } = tenants.service.store;
  const page = { greaterThan: undefined, lessThan: undefined, ascending: true, limit: 10_000 };
  const statuses = names.map((name) => `ACTIVITY_STATUS_${name}`);
  const ids = new Set<string>();
  for (const name of ['parent', 'child'] as const) {
    const { organizationId } = tenantOf(tenants, name);
    for (const row of await port.activityPage({ organizationId, statuses, types: [], page })) {
      ids.add(row.id);
    }
  }
  return ids;
}
