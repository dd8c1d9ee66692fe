// An admitted activity on one state of the organization: what the operation needs, what policies say
// of it, and what it changes once it is allowed. Nothing of it holds before it is committed.

import type { OrganizationHead, User } from '../core/model.ts';
import {
  createDraft,
  newOrganizationState,
  type OrganizationDraft,
  type OrganizationState,
  type OrganizationView,
  viewOf,
} from '../core/organization.ts';
import { decidingPolicies } from '../core/policy/deciding_policies.ts';
import { type Situation, situationOf } from '../core/policy/decision.ts';
import { conditionKey, conditionScopes } from '../core/policy/facts.ts';
import type { JsonObject } from '../core/schema/json.ts';
import type { ChildDraft, Context } from '../operations/operation.ts';
import type { AdmittedActivity } from './admit.ts';
import type { NewOrganization, Ports } from './ports.ts';

/** An activity ready to be decided on and, where the decision allows it, to be carried out. */
export type Considered = {
  readonly organization: OrganizationView;
  readonly context: Context;
  readonly situation: Situation;
  /** Carries it out on a draft. Raises what the operation refuses with. */
  readonly execute: () => Executed;
};

export type Executed = {
  readonly result: JsonObject;
  readonly draft: OrganizationDraft;
  readonly children: readonly NewOrganization[];
  readonly warnings: readonly JsonObject[];
};

/** Loads what the operation needs. Raises what it refuses with: a wallet that is not there. */
export async function consider(input: {
  readonly admitted: AdmittedActivity;
  readonly submitter: User;
  readonly state: OrganizationState;
  readonly ports: Ports;
  /** Nothing is signed then: what is executed is thrown away. */
  readonly dryRun?: boolean | undefined;
}): Promise<Considered> {
  const { admitted, submitter, state, ports } = input;
  const { operation, version, organizationId, parameters } = admitted;
  const { access, subject } = operation;
  const organization = viewOf(state);
  const context: Context = { now: ports.clock(), newId: ports.newId };
  const keyring = ports.keyring(organizationId);
  const read = ports.repository.reader(state);
  const loaded = await operation.load({
    organization,
    parameters,
    submitter,
    read,
    keyring,
    context,
  });

  const activity = { type: version.wire.type, subject };
  const facts = () => operation.facts({ organization, parameters, loaded });
  const situation = situationOf({
    rule: access.rule,
    rootQuorum: organization.head.rootQuorum,
    failedDeny: organization.head.failedDeny,
    ownUserId: access.rule === 'policy' ? access.ownUserId?.(parameters) : undefined,
    policies: decidingPolicies(organization),
    scopes: () => conditionScopes(activity, facts()),
    scopeKey: () => conditionKey(activity, facts()),
    timeScope: { time: { now: BigInt(context.now) * nanosecondsPerMs } },
  });

  const execute = (): Executed => {
    const draft = createDraft(state);
    if (input.dryRun === true && operation.concurrent === true) {
      return { result: {}, draft, children: [], warnings: [] };
    }
    const children: { readonly id: string; readonly draft: OrganizationDraft }[] = [];
    const createChild = (id: string, head: OrganizationHead): ChildDraft => {
      const child = createDraft(newOrganizationState(id, organizationId, head));
      children.push({ id, draft: child });
      return { organization: child, keyring: ports.keyring(id) };
    };
    const result = operation.apply({
      organization: draft,
      parameters,
      loaded,
      submitter,
      keyring,
      context,
      createChild,
    });
    return {
      result,
      draft,
      warnings: operation.warnings({ organization: draft, result }),
      children: children.map(({ id, draft: child }) => ({
        id,
        parentId: organizationId,
        head: child.head,
        changes: child.changes(),
      })),
    };
  };
  return { organization, context, situation, execute };
}

const nanosecondsPerMs = 1_000_000n;
