// The error of a refused decision with the outcomes of policies. It is separate from the explanations, which
// the gateway does not need to render errors.

import { ServiceError } from '../errors/errors.ts';
import type { JsonObject } from '../schema/json.ts';

/** Type of the detail that explains the decision. */
export const explanationType = 'type.googleapis.com/keywright.v1.DecisionExplanation';

/** The error of a refused decision: `not_permitted`, with the outcome of every policy. */
export class PolicyRefusedError extends ServiceError {
  /** Details of the error body in addition to its code: the outcomes and their explanations. */
  readonly policyDetails: readonly JsonObject[];
  /** Organization that stores the refusal. */
  readonly organizationId: string | undefined;

  constructor(policyDetails: readonly JsonObject[], organizationId: string | undefined) {
    super('not_permitted');
    this.name = 'PolicyRefusedError';
    this.policyDetails = policyDetails;
    this.organizationId = organizationId;
  }

  /** Returns the error with the ID of the activity that stores it. */
  keptAs(activityId: string): PolicyRefusedError {
    const details = this.policyDetails.map((detail) =>
      detail['@type'] === explanationType ? { ...detail, activityId } : detail,
    );
    return new PolicyRefusedError(details, this.organizationId);
  }

  /** Returns the error without an activity. */
  notKept(): PolicyRefusedError {
    const details = this.policyDetails.map((detail) => {
      if (detail['@type'] !== explanationType) return detail;
      const { activityId: _, ...rest } = detail;
      return rest;
    });
    return new PolicyRefusedError(details, this.organizationId);
  }
}
