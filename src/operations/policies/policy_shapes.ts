import { policyEffects } from '../../core/base/enums.ts';
import { maximumTextBytes } from '../../core/policy/language/bounds.ts';
import {
  answerText,
  label,
  object,
  oneOf,
  optional,
  text,
  timestamp,
  uuid,
} from '../../core/schema/schema.ts';
import { notes } from '../shapes.ts';

/** An expression of the policy language, which core/policy/language checks. */
const expression = () => text({ maximum: maximumTextBytes });

/** A policy to make. */
export const policyParameters = () =>
  object({
    policyName: label(),
    effect: oneOf(policyEffects),
    condition: optional(expression()),
    consensus: optional(expression()),
    notes: notes(),
    time: optional(expression()),
  });

/** The changes of a policy, as clients of its first version send them; absent members stay. */
export const policyChanges = () => ({
  policyId: uuid(),
  policyName: optional(label()),
  policyEffect: optional(oneOf(policyEffects)),
  policyCondition: optional(expression()),
  policyConsensus: optional(expression()),
  policyNotes: optional(notes()),
});

/** The same with the members of later versions. */
export const policyUpdate = () =>
  object({
    ...policyChanges(),
    time: optional(expression()),
  });

/** A policy as answers show it; an expression that is absent is empty. */
export const policyShape = () =>
  object({
    policyId: answerText(),
    policyName: answerText(),
    effect: oneOf(policyEffects),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    notes: answerText(),
    consensus: answerText(),
    condition: answerText(),
    time: optional(answerText()),
  });
