import { maximumConditionBytes } from '../../core/mfa/mfa_policies.ts';
import { integer, text } from '../../core/schema/schema.ts';

/** The condition of an MFA policy. */
export const mfaCondition = () => text({ minimum: 1, maximum: maximumConditionBytes });

/** Policies with a lower order are tried first. */
export const mfaOrder = () => integer({ minimum: 0, maximum: 2_147_483_647 });
