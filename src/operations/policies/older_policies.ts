// Older activity types of create_policy, with selectors instead of expressions.

import { policyEffects } from '../../core/base/enums.ts';
import type { PolicyParameters } from '../../core/policy/policies.ts';
import {
  clausesOfSelectors,
  type Selector,
  selectorLimits,
  selectorOperators,
} from '../../core/policy/policy_selectors.ts';
import {
  label,
  list,
  object,
  oneOf,
  optional,
  type TSchema,
  text,
} from '../../core/schema/schema.ts';
import { olderVersion, wireOf } from '../operation.ts';
import { notes } from '../shapes.ts';

const { selectors, subjectCharacters, targets, targetCharacters } = selectorLimits;

const subjectText = () => text({ minimum: 1, maximum: subjectCharacters });
const targetText = () => text({ maximum: targetCharacters });

/** The members of both versions, which differ in the form of selectors. */
const members = <S extends TSchema>(selector: S) =>
  object({
    policyName: label(),
    selectors: list(selector, { minimum: 1, maximum: selectors }),
    effect: oneOf(policyEffects),
    notes: optional(notes()),
  });

export const olderPolicies = [
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_CREATE_POLICY_V2', ''),
    parameters: members(
      object({
        subject: subjectText(),
        operator: oneOf(selectorOperators),
        targets: list(targetText(), { minimum: 1, maximum: targets }),
      }),
    ),
    upgrade: upgraded,
  }),
  olderVersion({
    wire: wireOf('ACTIVITY_TYPE_CREATE_POLICY'),
    parameters: members(
      object({ subject: subjectText(), operator: oneOf(selectorOperators), target: targetText() }),
    ),
    upgrade: ({ selectors: given, ...rest }) =>
      upgraded({
        ...rest,
        selectors: given.map(({ target, ...selector }) => ({ ...selector, targets: [target] })),
      }),
  }),
];

function upgraded({
  selectors: given,
  notes: written = '',
  ...rest
}: Omit<PolicyParameters, 'condition' | 'consensus' | 'time'> & {
  readonly selectors: readonly Selector[];
}) {
  return { ...rest, ...clausesOfSelectors(given, 'parameters.selectors'), notes: written };
}
