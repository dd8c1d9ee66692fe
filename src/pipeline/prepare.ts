// Step 7: loads the facts for the decision on an activity, so that later steps work from memory. Nothing is
// binding before the commit.

import { addressBookFacts } from '../core/address_book/address_labels.ts';
import { hex, utf8 } from '../core/base/bytes.ts';
import { finishInParts } from '../core/base/steps.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import { demandedPolicies } from '../core/mfa/mfa.ts';
import type { User } from '../core/organization/model.ts';
import type { MfaPolicy } from '../core/organization/records/mfa_policy.ts';
import {
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization/state.ts';
import type { Facts } from '../core/policy/decision/access.ts';
import { concernsOtherMember } from '../core/policy/decision/authority.ts';
import { canAffectOutcome } from '../core/policy/decision/can_affect_outcome.ts';
import {
  areCompiled,
  compileDeciding,
  decidingPolicies,
} from '../core/policy/decision/deciding_policies.ts';
import {
  type DecisionInput,
  decisionInputOf,
  meetsRootQuorum,
} from '../core/policy/decision/decision.ts';
import { conditionKey, conditionScopes } from '../core/policy/decision/facts.ts';
import type { Voter } from '../core/policy/decision/voters.ts';
import { type Meter, newMeter } from '../core/policy/language/clause.ts';
import { timeScopeAt } from '../core/policy/language/clock.ts';
import { noControls, type Scope } from '../core/policy/language/values.ts';
import type { CountedRequest } from '../core/policy/velocity/control.ts';
import { controlFacts, countedRequest } from '../core/policy/velocity/counting.ts';
import type { JsonObject } from '../core/schema/json.ts';
import type { LoadInput, SubmittedWith } from '../operations/operation.ts';
import type { LoadServices } from '../operations/services.ts';
import { parentOf, relativesWith } from './parent_of.ts';
import type { ParsedActivity } from './parse.ts';
import type { Ports } from './ports.ts';
import { sponsoringOf } from './sponsoring.ts';
import { verifyIdToken } from './verify_id_token.ts';

/** An activity on one state of the organization, ready for its decision and execution. */
export type Preparation = Omit<LoadInput<JsonObject>, 'read'> & {
  /** ID of the activity, existing or new. */
  readonly activityId: string;
  readonly parsed: ParsedActivity;
  readonly state: OrganizationState;
  /** The parent, if its quorum and policies decide. */
  readonly decidedBy: OrganizationState | undefined;
  /**
   * The parent whose freezes can stop the activity. Undefined without a parent, and for activities exempt
   * from freezes.
   */
  readonly parent: OrganizationState | undefined;
  /** The organization whose quorum and policies decide. */
  readonly deciding: OrganizationView;
  /** True if it was refused before any external lookup; nothing else was loaded then. */
  readonly cannotPass: boolean;
  /** The values that the operation loaded. */
  readonly loaded: unknown;
  readonly input: DecisionInput;
  readonly fingerprint: ParsedActivity['fingerprint'];
  readonly childKeyring: Ports['keyring'];
  /** Returns the facts for policies. */
  readonly facts: () => Facts;
  /** Returns the scopes that conditions read, one for each separately decided part of the request. */
  readonly scopes: () => readonly Scope[];
  /** Returns the request as velocity controls count it. */
  readonly counted: () => CountedRequest;
  /** Digest of all facts but limits over time, for equal outcomes; undefined if they have no text. */
  readonly factsDigest: () => string | undefined;
  /** Stores the outcomes of its conditions for the next preparation with these contents. */
  readonly rememberConditions: (contents: string) => void;
  /** Returns the MFA policies of a user that apply to the activity. */
  readonly mfaPolicies: (userId: string) => readonly MfaPolicy[];
};

/** Loads the inputs of the operation. Raises its refusals, for example for a missing wallet. */
export async function prepare(
  {
    parsed,
    submitter,
    submittedWith,
    state,
    decidedBy,
    parent,
    contents,
    within,
    activityId,
    begunAtMs,
    asker,
  }: {
    readonly parsed: ParsedActivity;
    readonly submitter: User;
    readonly submittedWith: SubmittedWith;
    readonly state: OrganizationState;
    readonly decidedBy?: OrganizationState | undefined;
    /**
     * The parent, for activities that a freeze can stop. Absent for views, which show only the organization's
     * own freezes.
     */
    readonly parent?: OrganizationState | undefined;
    /** Key that is equal for equal parameters. Set for activities that are prepared repeatedly. */
    readonly contents?: string;
    /** ID of an existing activity. Default: a new one. */
    readonly activityId?: string | undefined;
    /** Start of an existing activity. Labels that changed since then have no value for it. */
    readonly begunAtMs?: number;
    /** Counts the steps of the decision. */
    readonly within?: Meter | undefined;
    /** The submitter or voter; external services are asked only if its vote could affect the outcome. */
    readonly asker?: Voter | undefined;
  },
  ports: Ports,
): Promise<Preparation> {
  const { operation, version, parameters } = parsed;
  const { access, subject, authority } = operation;
  const organization = viewOf(state);
  const deciding = decidedBy === undefined ? organization : viewOf(decidedBy);
  if (!areCompiled(deciding)) await compileDeciding(deciding, ports.pause);
  const activity = { type: version.wire.type, subject };
  const now = ports.clock();
  const ownUserId =
    access.rule === 'policy' ? access.ownUserId?.(parameters, submitter) : undefined;
  const isForOthers =
    access.rule === 'policy' && access.othersNeedRootQuorum === true && ownUserId !== submitter.id;
  const { rootQuorum } = organization.head;
  const isOfMember = concernsOtherMember(authority, parameters, submitter.id, rootQuorum);
  const basisOf = (factsOf: () => Facts, isWhole = true) => {
    const facts = once(factsOf);
    const counted = once(() => countedRequest(activity.type, facts(), submitter, organization));
    // The policies of a parent decide without controls, so the child counts nothing.
    const controls = once(() =>
      decidedBy === undefined && isWhole ? controlFacts(organization, counted, now) : noControls,
    );
    // Read the labels of the organization whose policies decide.
    const book = addressBookFacts(deciding, begunAtMs);
    const scopes = once(() => conditionScopes(activity, facts(), controls(), book));
    const input = decisionInputOf({
      rule: isOfMember ? 'other_member' : isForOthers ? 'root_quorum' : access.rule,
      rootQuorum: deciding.head.rootQuorum,
      failedDeny: deciding.head.failedDeny,
      ownUserId,
      policies: decidingPolicies(deciding),
      scopes,
      scopeKey: () => conditionKey(activity, facts(), contents, controls(), book),
      within,
      timeScope: timeScopeAt(now),
    });
    return { facts, counted, controls, book, scopes, input };
  };
  const rejectEarlyIfImpossible: LoadServices['rejectEarlyIfImpossible'] = (facts, { isWhole }) => {
    if (asker === undefined) return;
    const { input } = basisOf(() => facts, isWhole);
    if (!canAffectOutcome(input, asker, isWhole)) throw new CannotPassError(facts, isWhole);
  };
  const known = {
    organization,
    parameters,
    submitter,
    submittedWith,
    keyring: ports.keyring(state.id, state.head.organizationKey),
    context: { now, newId: ports.newId },
    services: loadServices(state, activity.type, ports, rejectEarlyIfImpossible),
    read: ports.repository.reader(state),
  };
  const loaded = await operation.load(known).catch(asCannotPass);
  const cannotPass = loaded instanceof CannotPassError;
  const { facts, counted, controls, book, scopes, input } = cannotPass
    ? basisOf(() => loaded.facts, loaded.isWhole)
    : basisOf(() => operation.facts({ organization, parameters, loaded }));
  await evaluateConditions(input, asker?.userId ?? submitter.id, ports.pause);
  const mfaPolicies = createDemandedPolicies(deciding, scopes, newMeter(within));
  const rememberConditions = (repeated: string) => {
    const key = conditionKey(activity, facts(), repeated, controls(), book);
    if (key !== undefined) input.remember(key);
  };
  const factsDigest = () => {
    const key = conditionKey(activity, facts(), hex(parsed.fingerprint.digest));
    return key === undefined ? undefined : hex(sha256(utf8(key))).slice(0, 32);
  };
  return {
    ...known,
    fingerprint: parsed.fingerprint,
    childKeyring: ports.keyring,
    activityId: activityId ?? ports.newId(),
    parsed,
    state,
    decidedBy,
    parent,
    facts,
    factsDigest,
    deciding,
    cannotPass,
    loaded,
    input,
    scopes,
    counted,
    rememberConditions,
    mfaPolicies,
  };
}

/** Ends the load of an activity that will be refused regardless of further lookups. */
class CannotPassError extends Error {
  readonly facts: Facts;
  readonly isWhole: boolean;

  constructor(facts: Facts, isWhole: boolean) {
    super('no policy could allow it');
    this.name = 'CannotPassError';
    this.facts = facts;
    this.isWhole = isWhole;
  }
}

function asCannotPass(error: unknown): CannotPassError {
  if (error instanceof CannotPassError) return error;
  throw error;
}

/** Returns a function that returns and remembers the MFA policies of a user. */
function createDemandedPolicies(
  organization: OrganizationView,
  scopes: () => readonly Scope[],
  meter: Meter,
): (userId: string) => readonly MfaPolicy[] {
  const demanded = new Map<string, readonly MfaPolicy[]>();
  return (userId: string) =>
    demanded.getOrInsertComputed(userId, () =>
      demandedPolicies(userId, organization, scopes, meter),
    );
}

/** Evaluates long conditions in parts, unless the root quorum decides without them, by this user alone. */
async function evaluateConditions(
  { rootQuorum, evaluateInSteps }: DecisionInput,
  userId: string,
  pause: () => Promise<void>,
): Promise<void> {
  if (meetsRootQuorum(rootQuorum, [{ userId }])) return;
  await finishInParts(evaluateInSteps(), pause);
}

function loadServices(
  state: OrganizationState,
  type: string,
  ports: Ports,
  rejectEarlyIfImpossible: LoadServices['rejectEarlyIfImpossible'],
): LoadServices {
  const { serviceKeys, deployment, random, pause, askOnce, external } = ports;
  return {
    serviceKeys,
    deployment,
    random,
    pause,
    once: onceUntilSealed(state, ports),
    askOnce,
    external,
    verifyIdToken: (token) => verifyIdToken(token, ports),
    isTokenUsed: (tokenId) => ports.repository.isClaimed(tokenId),
    parent: () => parentOf(state, ports),
    sponsoring: () => sponsoringOf(state, type, ports),
    relativesWith: (index, value) => relativesWith(state, index, value, ports),
    rejectEarlyIfImpossible,
  };
}

/**
 * Seals a secret again once the organization key has changed. An old secret would lack the inner seal of a
 * new key, or would stay usable after a seal of the organization.
 */
function onceUntilSealed(
  { head }: OrganizationState,
  { once }: Pick<Ports, 'once'>,
): Ports['once'] {
  const { organizationKey: key } = head;
  if (key === undefined) return once;
  return (name, make) => once(`${name} ${key.id} ${key.seals}`, make);
}

/** Caches the facts, which scopes, profiles and policies share and which may be many. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
