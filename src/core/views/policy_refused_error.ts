// The refusal that carries what policies came to. Apart from the explanations: the gateway renders
// errors, and needs none of what explains decisions.

import { ServiceError } from '../errors/errors.ts';
import type { JsonObject } from '../schema/json.ts';

/** The refusal of a decision: `not_permitted` with every policy's outcome. */
export class PolicyRefusedError extends ServiceError {
  /** What an error body carries besides its code: the outcomes, and why each came about. */
  readonly policyDetails: readonly JsonObject[];
  /** Where it was refused, and kept. */
  readonly organizationId: string | undefined;

  constructor(policyDetails: readonly JsonObject[], organizationId: string | undefined) {
    super('not_permitted');
    this.name = 'PolicyRefusedError';
    this.policyDetails = policyDetails;
    this.organizationId = organizationId;
  }
}
