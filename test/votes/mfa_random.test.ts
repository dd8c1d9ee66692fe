// Random MFA policies, credentials and orders of votes, against an independent model that tries every
// assignment of shown credentials to required steps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthenticationMethod } from '../../src/core/organization/records/mfa_policy.ts';
import { activityBody } from '../operations/checks.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { addAuthenticator, passkeyStamp } from '../pipeline/passkey_requests.ts';
import { type Choice, createChoice } from '../simulation/choice.ts';
import {
  stampOf,
  startTestService,
  type TestKey,
  type TestService,
  testKey,
} from '../support/harness.ts';
import type { SoftwareAuthenticator } from '../support/software_authenticator.ts';
import { approveType, dayMs, organizationName, renameType } from './voting.ts';

const cases = 100;
const actionsPerCase = 10;

type Credential = {
  readonly id: string;
  readonly method: AuthenticationMethod['type'];
  readonly sign: (body: Uint8Array) => { name: string; value: string };
};

type Person = { readonly id: string; readonly credentials: readonly Credential[] };

type Policy = {
  readonly isDemanded: boolean;
  readonly condition: string;
  readonly steps: readonly (readonly AuthenticationMethod[])[];
};

/** The true state of one activity. */
type Model = {
  readonly submitter: Person;
  readonly threshold: number;
  readonly people: readonly Person[];
  readonly policies: ReadonlyMap<string, readonly Policy[]>;
  readonly held: Set<string>;
  shown: Map<string, Set<string>>;
  votes: Map<string, string>;
  status: string;
};

const conditions = [
  { condition: 'true', isDemanded: true },
  { condition: 'false', isDemanded: false },
  { condition: "activity.kind == 'UPDATE_ORGANIZATION_NAME'", isDemanded: true },
  { condition: "activity.kind == 'CREATE_WALLET'", isDemanded: false },
];

test(`${cases} activities: each completes exactly when enough users have shown enough factors`, async () => {
  const reached = new Map<string, number>();
  for (let seed = 0; seed < cases; seed += 1) await runCase(seed, reached);
  for (const status of ['COMPLETED', 'CONSENSUS_NEEDED', 'AUTHENTICATORS_NEEDED']) {
    assert.ok((reached.get(`ACTIVITY_STATUS_${status}`) ?? 0) > 20, `${status} is reached`);
  }
});

async function runCase(seed: number, reached: Map<string, number>): Promise<void> {
  const choice = createChoice(`factors ${seed}`);
  const service = await startTestService();
  try {
    const people = await createPeople(service, 1 + choice.below(3));
    const submitter = choice.pick(people);
    const threshold = 1 + choice.below(people.length);
    const policies = await createPolicies(service, choice, people);
    await changeOrganization(service, (draft) => {
      draft.setHead({ rootQuorum: { threshold, userIds: people.map(({ id }) => id) } });
      return undefined;
    });
    const held = new Set(people.flatMap((one) => one.credentials.map(({ id }) => id)));
    const [shown, votes] = [new Map(), new Map()];
    const status = 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED';
    const model: Model = { submitter, threshold, people, policies, held, shown, votes, status };
    const body = activityBody(service, renameType, { organizationName: `Renamed ${seed}` });
    const first = choice.pick(submitter.credentials);
    const answer = await service.send('submit', 'update_organization_name', body, [
      first.sign(body),
    ]);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    approve(model, submitter, first);
    const log = [`${seed} asked with ${first.method}`];
    const { id, fingerprint } = answer.body.activity;
    assert.equal(answer.body.activity.status, model.status, log.join('\n'));

    for (let i = 0; i < actionsPerCase && model.status !== done; i += 1) {
      const kind = choice.weighted({ vote: 8, burst: 2, lose: 1, wait: 0.6 });
      log.push(`${kind} in ${model.status}`);
      if (kind === 'wait') {
        service.advance(dayMs);
        model.shown = new Map();
        model.votes = new Map();
      } else if (kind === 'lose') await lose(service, choice, model);
      else await cast(service, choice, model, fingerprint, kind === 'burst' ? 3 : 1, log);
      const by = { key: service.root.key };
      const { body: read } = await service.query('get_activity', { activityId: id }, by);
      assert.equal(read.activity.status, model.status, log.join('\n'));
      reached.set(model.status, (reached.get(model.status) ?? 0) + 1);
      const isRenamed = (await organizationName(service)) === `Renamed ${seed}`;
      assert.equal(isRenamed, model.status === done, log.join('\n'));
    }
  } finally {
    service.close();
  }
}

const done = 'ACTIVITY_STATUS_COMPLETED';

/** Sends concurrent approvals of random users with random credentials. */
async function cast(
  service: TestService,
  choice: Choice,
  model: Model,
  fingerprint: string,
  count: number,
  log: string[],
): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let i = 0; i < count; i += 1) {
    const person = choice.pick(model.people);
    const credential = choice.pick(person.credentials);
    if (!model.held.has(credential.id)) continue;
    const body = activityBody(service, approveType, { fingerprint });
    log.push(`  ${model.people.indexOf(person)} by ${credential.method}`);
    sent.push(service.send('submit', 'approve_activity', body, [credential.sign(body)]));
    if (model.status !== done) approve(model, person, credential);
  }
  await Promise.all(sent);
}

/** Deletes a credential, but never the key that reads. */
async function lose(service: TestService, choice: Choice, model: Model): Promise<void> {
  const [, ...others] = model.people.flatMap(({ credentials }) => credentials);
  const lost = choice.pick(others);
  if (!model.held.delete(lost.id)) return;
  await changeOrganization(service, (draft) => {
    const kind = draft.get('api_key', lost.id) === undefined ? 'authenticator' : 'api_key';
    draft.remove(kind, lost.id);
    return undefined;
  });
}

function approve(model: Model, person: Person, credential: Credential): void {
  const before = shownBy(model, person);
  const after = new Set([...before, credential.id]);
  const isMet = meets(model, person, after);
  const { submitter } = model;
  const isSubmitterMet =
    person === submitter ? isMet : meets(model, submitter, shownBy(model, submitter));
  const others = model.people.filter((one) => one !== person && counts(model, one));
  const isDone = isMet && isSubmitterMet && others.length + 1 >= model.threshold;
  const status = isSubmitterMet
    ? 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
    : 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED';
  const isNothingNew = counts(model, person) || (before.has(credential.id) && !isMet);
  if (isNothingNew && status === model.status && !isDone) return;
  model.shown.set(person.id, after);
  model.votes.set(person.id, credential.id);
  model.status = isDone ? done : status;
}

function counts(model: Model, person: Person): boolean {
  const vote = model.votes.get(person.id);
  if (vote === undefined || !model.held.has(vote)) return false;
  return meets(model, person, shownBy(model, person));
}

const shownBy = (model: Model, { id }: Person): Set<string> =>
  new Set([...(model.shown.get(id) ?? [])].filter((one) => model.held.has(one)));

/** Returns true if some assignment of the credentials, one to each step, meets all steps. */
function meets(model: Model, person: Person, shown: ReadonlySet<string>): boolean {
  const demanded = model.policies.get(person.id)?.find(({ isDemanded }) => isDemanded);
  const credentials = person.credentials.filter(({ id }) => shown.has(id));
  const handOut = (
    steps: readonly (readonly AuthenticationMethod[])[],
    left: readonly Credential[],
  ): boolean => {
    const [step, ...others] = steps;
    if (step === undefined) return true;
    return left.some(
      (one) =>
        step.some(({ type, id = one.id }) => type === one.method && id === one.id) &&
        handOut(
          others,
          left.filter((other) => other !== one),
        ),
    );
  };
  return demanded === undefined || handOut(demanded.steps, credentials);
}

/** Creates the root user and others, each with two keys and a passkey. */
async function createPeople(service: TestService, count: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let i = 0; i < count; i += 1) {
    const names = i === 0 ? ['second of root'] : [`first of ${i}`, `second of ${i}`];
    const keys: Credential[] =
      i === 0 ? [keyCredential(service.root.apiKeyId, service.root.key)] : [];
    let userId = service.root.userId;
    await changeOrganization(service, (draft, newId) => {
      const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
      if (i > 0) {
        userId = newId();
        draft.put('user', { id: userId, name: `User ${i}`, tagIds: [], ...times });
      }
      for (const name of names) {
        const [id, key] = [newId(), testKey(name)];
        const { publicKey } = key;
        const type = 'CREDENTIAL_TYPE_API_KEY_P256';
        draft.put('api_key', { id, userId, name, publicKey, type, ...times });
        keys.push(keyCredential(id, key));
      }
      return undefined;
    });
    const passkey = await addAuthenticator(service, userId, `passkey of ${i}`);
    const { body } = await service.query('get_user', { userId });
    const { authenticatorId } = body.user.authenticators[0];
    people.push({
      id: userId,
      credentials: [...keys, passkeyCredential(authenticatorId, passkey)],
    });
  }
  return people;
}

const keyCredential = (id: string, key: TestKey): Credential => ({
  id,
  method: 'AUTHENTICATION_TYPE_API_KEY',
  sign: (body) => stampOf(body, key),
});

const passkeyCredential = (id: string, passkey: SoftwareAuthenticator): Credential => ({
  id,
  method: 'AUTHENTICATION_TYPE_PASSKEY',
  sign: (body) => passkeyStamp(body, passkey),
});

/** Creates up to two policies per user, directly in the store, since they would apply at once. */
async function createPolicies(
  service: TestService,
  choice: Choice,
  people: readonly Person[],
): Promise<Map<string, readonly Policy[]>> {
  const all = new Map<string, readonly Policy[]>();
  for (const person of people) {
    const policies = Array.from({ length: choice.below(3) }, (): Policy => {
      const steps = Array.from({ length: 1 + choice.below(3) }, () =>
        Array.from({ length: 1 + choice.below(2) }, () => methodOf(choice, person)),
      );
      return { ...choice.pick(conditions), steps };
    });
    all.set(person.id, policies);
    await changeOrganization(service, (draft, newId) => {
      const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
      for (const [order, { condition, steps }] of policies.entries()) {
        const requiredMethods = steps.map((any) => ({ any }));
        const row = {
          id: newId(),
          userId: person.id,
          name: 'P',
          condition,
          order,
          requiredMethods,
        };
        draft.put('mfa_policy', { ...row, ...times });
      }
      return undefined;
    });
  }
  return all;
}

function methodOf(choice: Choice, { credentials }: Person): AuthenticationMethod {
  const { id, method: type } = choice.pick(credentials);
  return choice.chance(0.5) ? { type } : { type, id };
}
