// The interface by which queries decide past activities again.

import type { ReplayObstacle, ReplayOutcome } from '../core/activity/replay.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { Decision } from '../core/policy/decision/decision.ts';

/**
 * The recorded outcome of an activity, and its outcome under other policies, or why it cannot be
 * computed.
 */
export type Redecided = { readonly was: ReplayOutcome | undefined } & (
  | { readonly outcome: ReplayOutcome; readonly decision: Decision | undefined }
  | { readonly obstacle: ReplayObstacle }
);

export type Simulation = { readonly redecide: (activity: Activity) => Promise<Redecided> };
