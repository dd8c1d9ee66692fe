// The refusal that carries the outcomes of policies. It stands apart from the explanations, because the
// gateway renders errors and needs no explanations.

import { ServiceError } from '../errors/errors.ts';
import type { JsonObject } from '../schema/json.ts';

/** Marks the detail that explains the decision. */
export const explanationType = 'type.googleapis.com/keywright.v1.DecisionExplanation';

/** The refusal of a decision: `not_permitted` with every policy's outcome. */
export class PolicyRefusedError extends ServiceError {
  /** The details of an error body besides its code: the outcomes, and why each came about. */
  readonly policyDetails: readonly JsonObject[];
  /** Organization that stores the refusal. */
  readonly organizationId: string | undefined;

  constructor(policyDetails: readonly JsonObject[], organizationId: string | undefined) {
    super('not_permitted');
    this.name = 'PolicyRefusedError';
    this.policyDetails = policyDetails;
    this.organizationId = organizationId;
  }

  /** The same refusal, whose explanation names the activity that keeps it. */
  keptAs(activityId: string): PolicyRefusedError {
    const details = this.policyDetails.map((detail) =>
      detail['@type'] === explanationType ? { ...detail, activityId } : detail,
    );
    return new PolicyRefusedError(details, this.organizationId);
  }

  /** The same refusal, not recorded in any activity. */
  notKept(): PolicyRefusedError {
    const details = this.policyDetails.map((detail) => {
      if (detail['@type'] !== explanationType) return detail;
      const { activityId: _, ...rest } = detail;
      return rest;
    });
    return new PolicyRefusedError(details, this.organizationId);
  }
}
