import { approve_activity } from './approve_activity.ts';
import { explain_activity } from './explain_activity.ts';
import { get_activity } from './get_activity.ts';
import { get_policy_evaluations } from './get_policy_evaluations.ts';
import { list_activities } from './list_activities.ts';
import { reject_activity } from './reject_activity.ts';

export const activityVotes = { approve_activity, reject_activity };
export const activityQueries = {
  explain_activity,
  get_activity,
  get_policy_evaluations,
  list_activities,
};
