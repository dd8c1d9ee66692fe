export { approve_activity } from './approve_activity.ts';
export { explain_activity } from './explain_activity.ts';
export { get_activity } from './get_activity.ts';
export { get_policy_evaluations } from './get_policy_evaluations.ts';
export { list_activities } from './list_activities.ts';
export { reject_activity } from './reject_activity.ts';
