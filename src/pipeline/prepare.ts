// An admitted activity on one state of the organization: what the operation needs, what policies say
// of it, and what it changes once it is allowed. Nothing of it holds before it is committed.

import { hex } from '../core/base/bytes.ts';
import type { Context } from '../core/base/context.ts';
import { isRefusal, KeptRefusalError, type ServiceError } from '../core/errors/errors.ts';
import type { OutgoingMessage } from '../core/external/outgoing_message.ts';
import type { OrganizationHead, User } from '../core/organization/model.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { TransactionExplanation } from '../core/organization/records/transaction_explanation.ts';
import {
  createDraft,
  newOrganizationState,
  type OrganizationDraft,
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization/state.ts';
import { concernsOtherMember } from '../core/policy/decision/authority.ts';
import { decidingPolicies } from '../core/policy/decision/deciding_policies.ts';
import { type DecisionInput, decisionInputOf } from '../core/policy/decision/decision.ts';
import { conditionKey, conditionScopes } from '../core/policy/decision/facts.ts';
import type { Meter } from '../core/policy/language/clause.ts';
import { timeScopeAt } from '../core/policy/language/clock.ts';
import { noControls, type Scope } from '../core/policy/language/values.ts';
import { controlFacts, countedRequest, countRequest } from '../core/policy/velocity/counting.ts';
import { appProofsOf } from '../core/proofs/app_proofs.ts';
import type { JsonObject } from '../core/schema/json.ts';
import type { Origin } from '../core/settings/ip_allowlist.ts';
import type { Asker, ChildDraft, ChildIndex } from '../operations/operation.ts';
import { parentOf, relativesWith } from './parent_of.ts';
import type { AdmittedActivity } from './parse.ts';
import type { NewOrganization, Ports } from './ports.ts';
import { verifyIdToken } from './verify_stamp.ts';

/** An activity ready to be decided on and, where the decision allows it, to be carried out. */
export type Considered = {
  readonly organization: OrganizationView;
  readonly context: Context;
  readonly input: DecisionInput;
  /** What conditions read: one scope for each part that is decided on by itself. */
  readonly scopes: () => readonly Scope[];
  /** What the transaction that is signed does, for people; undefined for anything else. */
  readonly explain: () => TransactionExplanation | undefined;
  /**
   * Asks others for what carrying it out needs; before `execute`, and only once it is allowed. A
   * refusal is kept for that.
   */
  readonly reach: () => Promise<void>;
  /** Carries it out on a draft. Raises what the operation refuses with. */
  readonly execute: () => Executed;
};

export type Executed = {
  readonly result: JsonObject;
  readonly draft: OrganizationDraft;
  readonly children: readonly NewOrganization[];
  readonly warnings: readonly JsonObject[];
  readonly messages: readonly OutgoingMessage[];
  /** The completed activity, with its app proofs where they were asked for. */
  readonly prove: (activity: Activity) => Activity;
  /** Why it is refused, although what was written is kept. */
  readonly refusal?: ServiceError;
};

/** Loads what the operation needs. Raises what it refuses with: a wallet that is not there. */
export async function consider(input: {
  readonly admitted: AdmittedActivity;
  readonly submitter: User;
  /** What it was asked for with. */
  readonly asker: Asker;
  /** Of the request that is decided on, not of one that was sent before. */
  readonly origin?: Origin | undefined;
  readonly state: OrganizationState;
  /** Whose quorum and policies decide, where that is not the organization itself. */
  readonly deciding?: OrganizationState | undefined;
  readonly ports: Ports;
  /** Equal for equal parameters; set where the request is looked at again and again. */
  readonly contents?: string | undefined;
  /** Counts what deciding on it takes. */
  readonly within?: Meter | undefined;
  /** Nothing is signed or tried then: what is executed is thrown away. */
  readonly dryRun?: boolean | undefined;
}): Promise<Considered> {
  const { admitted, submitter, asker, state, ports } = input;
  const { operation, version, parameters } = admitted;
  const { access, subject } = operation;
  const organizationId = state.id;
  const organization = viewOf(state);
  const deciding = input.deciding === undefined ? organization : viewOf(input.deciding);
  const { serviceKeys, deployment, random, external } = ports;
  const services = { serviceKeys, deployment, random };
  const context: Context = { now: ports.clock(), newId: ports.newId };
  const keyring = ports.keyring(organizationId);
  const read = ports.repository.reader(state);
  const loadServices = {
    ...services,
    pause: ports.pause,
    external,
    verifyIdToken: (token: string) => verifyIdToken(token, ports),
    parent: () => parentOf(state, ports),
    relativesWith: (index: ChildIndex, value: string) => relativesWith(state, index, value, ports),
  };
  const loaded = await operation.load({
    organization,
    parameters,
    submitter,
    asker,
    read,
    keyring,
    context,
    services: loadServices,
  });

  const activity = { type: version.wire.type, subject };
  const facts = once(() => operation.facts({ organization, parameters, loaded }));
  const counted = once(() => countedRequest(activity.type, facts(), submitter, organization));
  // Policies of a parent decide without controls: nothing is counted there.
  const controls = once(() =>
    input.deciding === undefined ? controlFacts(organization, counted, context.now) : noControls,
  );
  const scopes = once(() => conditionScopes(activity, facts(), controls()));
  const ownUserId =
    access.rule === 'policy' ? access.ownUserId?.(parameters, submitter) : undefined;
  const isForOthers =
    access.rule === 'policy' && access.othersNeedRootQuorum === true && ownUserId !== submitter.id;
  const { rootQuorum } = organization.head;
  const isOfMember = concernsOtherMember(activity.type, parameters, submitter.id, rootQuorum);
  const decisionInput = decisionInputOf({
    rule: isOfMember ? 'other_member' : isForOthers ? 'root_quorum' : access.rule,
    rootQuorum: deciding.head.rootQuorum,
    failedDeny: deciding.head.failedDeny,
    ownUserId,
    policies: decidingPolicies(deciding),
    scopes,
    scopeKey: () => conditionKey(activity, facts(), input.contents, controls()),
    within: input.within,
    timeScope: timeScopeAt(context.now),
  });

  const isLeftOut = operation.concurrent === true || operation.countsTries === true;
  const isNotTried = input.dryRun === true && isLeftOut;
  let reached: unknown;
  let outOfReach: ServiceError | undefined;
  const reach = async (): Promise<void> => {
    if (isNotTried) return;
    // What proofs are checked by has to outlive the enclave that signs them.
    if (admitted.generatesAppProofs && input.dryRun !== true) await ports.proofs.keepBootProof();
    try {
      const reaching = {
        organization,
        parameters,
        asker,
        loaded,
        keyring,
        context,
        services: loadServices,
      };
      reached = await operation.obtain(reaching);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      outOfReach = error;
    }
  };
  const execute = (): Executed => {
    const draft = createDraft(state);
    if (isNotTried) return { ...nothingDone, draft };
    if (outOfReach !== undefined) throw outOfReach;
    const messages: OutgoingMessage[] = [];
    const children: { readonly id: string; readonly draft: OrganizationDraft }[] = [];
    const createChild = (id: string, head: OrganizationHead): ChildDraft => {
      const child = createDraft(newOrganizationState(id, organizationId, head));
      children.push({ id, draft: child });
      return { organization: child, keyring: ports.keyring(id) };
    };
    const admitTry = (code: { readonly id: string; readonly expiresAtMs: number }) => {
      const request = hex(admitted.fingerprint.digest);
      return ports.rememberedTries.admit({ organizationId, code, request, now: context.now });
    };
    const applied = (): JsonObject | KeptRefusalError => {
      try {
        return operation.apply({
          organization: draft,
          parameters,
          loaded,
          obtained: reached,
          submitter,
          submitterCredentialId: asker.credentialId,
          origin: input.origin,
          keyring,
          context,
          services: { ...services, send: (message) => messages.push(message), admitTry },
          createChild,
        });
      } catch (error) {
        if (error instanceof KeptRefusalError) return error;
        throw error;
      }
    };
    const result = applied();
    if (result instanceof KeptRefusalError) {
      return { ...nothingDone, draft, refusal: result };
    }
    countRequest(organization, counted, draft, context);
    return {
      result,
      draft,
      messages,
      warnings: operation.warnings({ organization: draft, result }),
      prove: (activity) => {
        if (!admitted.generatesAppProofs) return activity;
        const written = [{ id: organizationId, draft }, ...children].map(({ id, draft: of }) => ({
          organizationId: id,
          changes: of.changes().records,
        }));
        const made = children.map(({ id, draft: { head, changes } }) => ({
          organizationId: id,
          parentId: organizationId,
          head,
          changes: changes().records,
        }));
        const { deciding: parent } = input;
        const proved = { activity, written, children: made, state, parent, now: context.now };
        return { ...activity, appProofs: appProofsOf(proved, ports.proofs.key) };
      },
      children: children.map(({ id, draft: child }) => ({
        id,
        parentId: organizationId,
        head: child.head,
        changes: child.changes(),
      })),
    };
  };
  const explain = () => operation.explain({ organization, parameters, loaded });
  return { organization, context, input: decisionInput, scopes, explain, reach, execute };
}

/** Scopes, profiles and policies read the same facts, which may be many: they are made once. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const nothingDone: Omit<Executed, 'draft'> = {
  result: {},
  children: [],
  warnings: [],
  messages: [],
  prove: (activity) => activity,
};
