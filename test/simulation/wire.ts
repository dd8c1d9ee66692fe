// The parameters and results of activities, as tests read them.

import type { Activity } from '../../src/core/organization/records/activity.ts';

// biome-ignore lint/suspicious/noExplicitAny: intents and results are looked into by path in tests
export type Wire = any;

/** Returns the parameters of an activity. */
export const intentOf = (activity: Activity): Wire => Object.values(activity.intent)[0];
/** Returns the result of an activity. */
export const resultOf = (activity: Activity): Wire => Object.values(activity.result)[0];
