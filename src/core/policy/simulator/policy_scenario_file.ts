// Parses and validates the file of a policy test. docs/policy-language.md describes it.

import { type PolicyEffect, policyEffects, type TransactionType } from '../../base/enums.ts';
import { namesOf } from '../../base/table.ts';
import { isJsonObject, type Json, type JsonObject, repeatedMember } from '../../schema/json.ts';
import { activityKinds, kindOfType } from '../activity_kinds.ts';
import {
  type Decision,
  type DecisionReason,
  decisionReasons,
  type PolicyOutcome,
  policyOutcomes,
} from '../decision/decision.ts';
import type { Voter } from '../decision/voters.ts';
import {
  type Clause,
  type ClauseName,
  type Clauses,
  compileClause,
  ExpressionError,
} from '../language/clause.ts';
import { nanosecondsOfTimestamp } from '../language/timestamp.ts';
import { type FactStruct, noControls, type Scope } from '../language/values.ts';
import { PolicyTestError, readStruct, type Spellings } from './policy_scenario_facts.ts';

export type PolicyTest = {
  readonly policies: readonly TestedPolicy[];
  readonly users: readonly Voter[];
  readonly rootQuorum: { readonly userIds: readonly string[]; readonly threshold: number };
  readonly failedDeny: 'FAILED_DENY_REFUSES' | 'FAILED_DENY_SKIPPED';
  readonly cases: readonly PolicyTestCase[];
};

export type TestedPolicy = Clauses & { readonly name: string; readonly effect: PolicyEffect };

export type PolicyTestCase = {
  readonly name: string;
  /** True if only the root quorum decides on this type. */
  readonly isRootQuorumOnly: boolean;
  /** One scope for each separately decided part. */
  readonly scopes: readonly Scope[];
  readonly timeScope: Scope;
  /** The approvers, the submitter first. */
  readonly voters: readonly Voter[];
  readonly ownUserId: string | undefined;
  readonly expected: Expected;
};

type Expected = {
  readonly outcome: Decision['outcome'];
  readonly reason: DecisionReason | undefined;
  /** Expected outcomes by the name of the policy. */
  readonly policies: ReadonlyMap<string, PolicyOutcome>;
};

/** The transaction of a case, in the form that conditions read. */
export type TransactionOfCase = { readonly type: TransactionType; readonly facts: FactStruct };

/**
 * Readers that need curves and hashes. The caller passes them, so that this file does not load either;
 * `caseReaders` in `policy/test_readers/` reads like the service.
 */
export type CaseReaders = {
  /** Reads the member `transaction` of a case at this place; raises `PolicyTestError`. */
  readonly transaction: (json: Json, path: string) => TransactionOfCase;
  readonly spellings: Spellings;
};

/** Maximum length of a file, in characters. */
export const maximumPolicyTestCharacters = 4 * 1024 * 1024;
const maximumPolicies = 1000;
const maximumUsers = 1000;
const maximumCases = 10_000;
const maximumItems = 1000;

/** Parses a policy test. Raises `PolicyTestError`, also for a clause that is not a valid expression. */
export function readPolicyTest(text: string, readers: CaseReaders): PolicyTest {
  if (text.length > maximumPolicyTestCharacters) {
    throw new PolicyTestError('', `longer than ${maximumPolicyTestCharacters} characters`);
  }
  const file = object(parseJson(text), '', [
    'description',
    'policies',
    'users',
    'rootQuorum',
    'failedDeny',
    'cases',
  ]);
  const users = new Map(
    list(file, 'users', '', maximumUsers).map((json, i) => {
      const user = readUser(json, `users[${i}]`, readers);
      return [user.userId, user];
    }),
  );
  const policies = list(file, 'policies', '', maximumPolicies).map((json, i) =>
    readPolicy(json, `policies[${i}]`),
  );
  const names = new Set(policies.map(({ name }) => name));
  if (names.size < policies.length) throw new PolicyTestError('policies', 'two have one name');
  return {
    policies,
    users: [...users.values()],
    rootQuorum: readQuorum(file['rootQuorum'], users),
    failedDeny:
      choice(file, 'failedDeny', '', ['FAILED_DENY_REFUSES', 'FAILED_DENY_SKIPPED'] as const) ??
      'FAILED_DENY_REFUSES',
    cases: list(file, 'cases', '', maximumCases).map((json, i) =>
      readCase(json, `cases[${i}]`, users, names, readers),
    ),
  };
}

function readPolicy(json: Json, path: string): TestedPolicy {
  const names = ['policyName', 'effect', 'condition', 'consensus', 'time', 'notes'];
  const members = object(json, path, names);
  const clause = (name: ClauseName) => {
    const text = optionalText(members, name, path);
    return text === undefined ? undefined : compile(name, text, `${path}.${name}`);
  };
  return {
    name: text(members, 'policyName', path),
    effect: choice(members, 'effect', path, policyEffects) ?? missing(path, 'effect'),
    condition: clause('condition'),
    consensus: clause('consensus'),
    time: clause('time'),
  };
}

function compile(name: ClauseName, text: string, path: string): Clause {
  try {
    return compileClause(name, text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new PolicyTestError(path, error.message);
  }
}

function readUser(json: Json, path: string, { spellings }: CaseReaders): Voter {
  const members = object(json, path, [
    'userId',
    'userName',
    'userEmail',
    'userTags',
    'credentials',
  ]);
  const id = text(members, 'userId', path);
  const user = readStruct(
    'User',
    {
      id,
      alias: optionalText(members, 'userName', path) ?? '',
      email: optionalText(members, 'userEmail', path) ?? '',
      tags: members['userTags'] ?? [],
    },
    path,
    spellings,
  );
  const credentials = list(members, 'credentials', path, maximumItems, []).map((item, i) => {
    const at = `${path}.credentials[${i}]`;
    const credential = object(item, at, ['credentialId', 'type', 'publicKey']);
    return {
      id: text(credential, 'credentialId', at),
      user_id: id,
      type: text(credential, 'type', at),
      public_key: optionalText(credential, 'publicKey', at) ?? '',
      credential_id: '',
    };
  });
  return { userId: id, user, credentials };
}

function readQuorum(
  json: Json | undefined,
  users: ReadonlyMap<string, Voter>,
): PolicyTest['rootQuorum'] {
  const members = object(json, 'rootQuorum', ['userIds', 'threshold']);
  const threshold = members['threshold'];
  if (typeof threshold !== 'number' || !Number.isSafeInteger(threshold) || threshold < 1) {
    throw new PolicyTestError('rootQuorum.threshold', 'expected a number from 1 on');
  }
  const userIds = list(members, 'userIds', 'rootQuorum', maximumUsers).map((id, i) =>
    knownUser(id, `rootQuorum.userIds[${i}]`, users),
  );
  return { threshold, userIds: userIds.map(({ userId }) => userId) };
}

function readCase(
  json: Json,
  path: string,
  users: ReadonlyMap<string, Voter>,
  policyNames: ReadonlySet<string>,
  readers: CaseReaders,
): PolicyTestCase {
  const members = object(json, path, [
    'name',
    'activity',
    'transaction',
    'facts',
    'at',
    'voters',
    'ownUserId',
    'expected',
  ]);
  const activity = readActivity(members['activity'], `${path}.activity`, readers);
  const transaction = readTransactionOf(members, activity.kind, path, readers);
  const facts = members['facts'] ?? {};
  const parts: readonly Json[] = Array.isArray(facts) ? facts : [facts];
  if (parts.length === 0 || parts.length > maximumItems) {
    throw new PolicyTestError(`${path}.facts`, `expected 1 to ${maximumItems} parts`);
  }
  const voters = list(members, 'voters', path, maximumUsers).map((voter, i) =>
    knownUser(voter, `${path}.voters[${i}]`, users),
  );
  if (voters.length === 0) throw new PolicyTestError(`${path}.voters`, 'expected the submitter');
  return {
    name: text(members, 'name', path),
    isRootQuorumOnly: rootQuorumOnly.has(activity.kind),
    scopes: parts.map((part, i) => {
      const at = `${path}.facts${parts.length > 1 ? `[${i}]` : ''}`;
      return scopeOf(
        readStruct('Condition', part, at, readers.spellings),
        at,
        activity,
        transaction,
      );
    }),
    timeScope: { time: { now: timeOf(members, path) } },
    voters,
    ownUserId: optionalText(members, 'ownUserId', path),
    expected: readExpected(members['expected'], `${path}.expected`, policyNames),
  };
}

/** Default for a case without controls or labels. */
const chosen = { controls: noControls, address_book: noControls };

function scopeOf(
  facts: Scope,
  path: string,
  activity: ReturnType<typeof readActivity>,
  transaction: TransactionOfCase | undefined,
): Scope {
  if (transaction === undefined) {
    return { ...chosen, ...facts, activity: activity.facts };
  }
  const twice = Object.keys(transaction.facts).find((name) => facts[name] !== undefined);
  if (twice !== undefined) throw new PolicyTestError(`${path}.${twice}`, 'is in the transaction');
  const params = { ...activity.params, type: transaction.type };
  return {
    ...chosen,
    ...facts,
    ...transaction.facts,
    activity: { ...activity.facts, params },
  };
}

/** Returns the transaction of a case, if it has one. */
function readTransactionOf(
  members: JsonObject,
  kind: string,
  path: string,
  readers: CaseReaders,
): TransactionOfCase | undefined {
  const { transaction } = members;
  if (transaction === undefined) return undefined;
  if (kind !== 'SIGN_TRANSACTION') {
    throw new PolicyTestError(`${path}.transaction`, 'only SIGN_TRANSACTION has a transaction');
  }
  return readers.transaction(transaction, `${path}.transaction`);
}

/** Activities that no policy can grant. */
const rootQuorumOnly: ReadonlySet<string> = new Set([
  'UPDATE_ROOT_QUORUM',
  'SET_ORGANIZATION_FEATURE',
  'REMOVE_ORGANIZATION_FEATURE',
  'UPDATE_ORGANIZATION_NAME',
  'UPDATE_POLICY_SETTINGS',
]);

function readActivity(json: Json | undefined, path: string, { spellings }: CaseReaders) {
  const members = object(json, path, ['type', 'params']);
  const type = text(members, 'type', path);
  const kind = kindOfType(type);
  const known = activityKinds.find(({ name }) => name === kind);
  if (kind === undefined || (known === undefined && !rootQuorumOnly.has(kind))) {
    throw new PolicyTestError(`${path}.type`, `there is no activity \`${type}\``);
  }
  const { resource, action } = known ?? {};
  const params = readStruct('ActivityParams', members['params'] ?? {}, `${path}.params`, spellings);
  const facts: Scope = {
    type,
    kind,
    resource: resource ?? 'ORGANIZATION',
    action: action ?? 'UPDATE',
    params,
  };
  return { kind, facts, params };
}

function readExpected(
  json: Json | undefined,
  path: string,
  policyNames: ReadonlySet<string>,
): Expected {
  const members = object(json, path, ['outcome', 'reason', 'policies']);
  const outcomes = object(members['policies'] ?? {}, `${path}.policies`, [...policyNames]);
  const outcome = choice(members, 'outcome', path, ['allow', 'wait', 'refuse'] as const);
  return {
    outcome: outcome ?? missing(path, 'outcome'),
    reason: choice(members, 'reason', path, namesOf(decisionReasons)),
    policies: new Map(
      Object.keys(outcomes).map((name) => [
        name,
        choice(outcomes, name, `${path}.policies`, namesOf(policyOutcomes)) ??
          missing(`${path}.policies`, name),
      ]),
    ),
  };
}

/** Returns `at`; default: the start of 2026. */
function timeOf(members: JsonObject, path: string): bigint {
  const at = optionalText(members, 'at', path) ?? '2026-01-01T00:00:00Z';
  const now = nanosecondsOfTimestamp(at);
  if (now === undefined)
    throw new PolicyTestError(`${path}.at`, 'expected a time like `2026-01-01T00:00:00Z`');
  return now;
}

/** Returns the voter for a user ID, with the first credential, or for `{userId, credentialId}`. */
function knownUser(json: Json, path: string, users: ReadonlyMap<string, Voter>): Voter {
  const members: JsonObject =
    typeof json === 'string' ? { userId: json } : object(json, path, ['userId', 'credentialId']);
  const user = users.get(text(members, 'userId', path));
  if (user === undefined) throw new PolicyTestError(path, 'is not one of the users');
  const credentialId = optionalText(members, 'credentialId', path);
  if (credentialId === undefined) return { ...user, credentials: user.credentials.slice(0, 1) };
  const credentials = user.credentials.filter(({ id }) => id === credentialId);
  if (credentials.length === 0) throw new PolicyTestError(path, 'the user has no such credential');
  return { ...user, credentials };
}

function parseJson(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new PolicyTestError('', `is not JSON: ${error.message}`);
  }
  const repeated = repeatedMember(text, value);
  if (repeated !== undefined) throw new PolicyTestError('', `\`${repeated}\` is there twice`);
  return value;
}

function object(json: Json | undefined, path: string, known: readonly string[]): JsonObject {
  if (!isJsonObject(json)) throw new PolicyTestError(path, 'expected an object');
  const unknown = Object.keys(json).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new PolicyTestError(path, `unknown member \`${unknown}\`, expected ${known.join(', ')}`);
  }
  return json;
}

function list(
  members: JsonObject,
  name: string,
  path: string,
  maximum: number,
  usual?: readonly Json[],
): readonly Json[] {
  const items = members[name] ?? usual;
  if (!Array.isArray(items) || items.length > maximum) {
    throw new PolicyTestError(inside(path, name), `expected a list of at most ${maximum}`);
  }
  return items;
}

function text(members: JsonObject, name: string, path: string): string {
  return optionalText(members, name, path) ?? missing(path, name);
}

function optionalText(members: JsonObject, name: string, path: string): string | undefined {
  const value = members[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new PolicyTestError(inside(path, name), 'expected a text');
}

function choice<Name extends string>(
  members: JsonObject,
  name: string,
  path: string,
  names: readonly Name[],
): Name | undefined {
  const value = optionalText(members, name, path);
  const found = names.find((one) => one === value);
  if (value === undefined || found !== undefined) return found;
  throw new PolicyTestError(inside(path, name), `expected one of ${names.join(', ')}`);
}

function missing(path: string, name: string): never {
  throw new PolicyTestError(inside(path, name), 'is missing');
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
