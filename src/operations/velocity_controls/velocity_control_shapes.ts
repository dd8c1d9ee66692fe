// The members of a velocity control in requests and answers.

import {
  aggregationMethods,
  aggregationOperators,
} from '../../core/organization/records/velocity_controls.ts';
import { maximumIdentifierCharacters } from '../../core/policy/velocity/controls.ts';
import {
  answerText,
  label,
  list,
  object,
  oneOf,
  optional,
  text,
  timestamps,
} from '../../core/schema/schema.ts';

/** Maximum assets that one control counts together. */
const maximumAssets = 20;
/** Maximum length of the names of a chain, an asset kind and a token. */
const maximumAssetCharacters = 200;

const activityFilter = () =>
  optional(
    object({
      activity: optional(
        list(object({ activityType: text({ minimum: 1, maximum: 100 }) }), { maximum: 50 }),
      ),
    }),
  );

const nothing = () => optional(object({}));

/** The source of the counted amounts. */
const dataSource = () =>
  object({
    chainAssetTransfer: optional(
      object({
        definition: list(
          object({
            caip19: text({ minimum: 1, maximum: maximumAssetCharacters }),
            decimals: text({ minimum: 1, maximum: 3 }),
          }),
          { minimum: 1, maximum: maximumAssets },
        ),
        filter: activityFilter(),
        phase: optional(object({ signature: nothing(), submission: nothing() })),
      }),
    ),
    activityExecution: optional(object({ filter: activityFilter() })),
  });

/** The aggregation of amounts: sum, window, group and bound. */
const aggregation = () =>
  object({
    method: oneOf(aggregationMethods),
    operator: oneOf(aggregationOperators),
    threshold: text({ minimum: 1, maximum: 39 }),
    window: object({
      rolling: optional(object({ duration: text({ minimum: 1, maximum: 10 }) })),
      infinite: nothing(),
    }),
    groupBy: object({ organization: nothing(), user: nothing(), wallet: nothing() }),
  });

/** The members of a request that describe a control. */
export const velocityControlParameters = () =>
  object({
    name: label(),
    dataSource: dataSource(),
    aggregation: aggregation(),
    identifier: text({ minimum: 1, maximum: maximumIdentifierCharacters }),
  });

/** A velocity control in the form of answers. */
export const velocityControlShape = () =>
  object({
    velocityControlId: answerText(),
    organizationId: answerText(),
    name: answerText(),
    identifier: answerText(),
    dataSource: dataSource(),
    aggregation: aggregation(),
    ...timestamps(),
  });
