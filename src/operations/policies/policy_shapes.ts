import { policyEffects } from '../../core/base/enums.ts';
import { maximumTextBytes } from '../../core/policy/language/bounds.ts';
import {
  answerText,
  label,
  object,
  oneOf,
  optional,
  text,
  timestamps,
  uuid,
} from '../../core/schema/schema.ts';
import { notes } from '../shapes.ts';

/** An expression of the policy language, which core/policy/language checks. */
const expression = () => text({ maximum: maximumTextBytes });

/** A policy to create. */
export const policyParameters = () =>
  object({
    policyName: label(),
    effect: oneOf(policyEffects),
    condition: optional(expression()),
    consensus: optional(expression()),
    notes: notes(),
    time: optional(expression()),
  });

/** Changes of a policy in its first version; absent members stay. */
export const policyChanges = () => ({
  policyId: uuid(),
  policyName: optional(label()),
  policyEffect: optional(oneOf(policyEffects)),
  policyCondition: optional(expression()),
  policyConsensus: optional(expression()),
  policyNotes: optional(notes()),
});

/** The same in later versions, which have further members. */
export const policyUpdate = () =>
  object({
    ...policyChanges(),
    time: optional(expression()),
  });

/** A policy in the form of answers; an absent expression is empty. */
export const policyShape = () =>
  object({
    policyId: answerText(),
    policyName: answerText(),
    effect: oneOf(policyEffects),
    ...timestamps(),
    notes: answerText(),
    consensus: answerText(),
    condition: answerText(),
    time: optional(answerText()),
  });
