import { fail } from '../core/errors.ts';
import type { OrganizationView } from '../core/organization.ts';
import { decide, type Facts } from '../core/policy/access.ts';
import type { JsonObject } from '../core/schema/json.ts';
import type { ActivityOperation, Caller } from '../operations/operation.ts';

/** Decides whether the caller alone may do this now. Raises `not_permitted`. */
export function authorize(input: {
  operation: ActivityOperation;
  organization: OrganizationView;
  caller: Caller;
  parameters: JsonObject;
  facts: Facts;
}): void {
  const { operation, organization, caller, parameters, facts } = input;
  const { access } = operation;
  const decision = decide({
    organization,
    rule: access.rule,
    approverIds: [caller.user.id],
    ownUserId: access.rule === 'policy' ? access.ownUserId?.(parameters) : undefined,
    facts,
  });
  if (decision.outcome === 'refuse') {
    fail('not_permitted', { reason: decision.reason });
  }
}
