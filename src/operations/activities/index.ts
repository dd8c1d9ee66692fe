import { get_activity } from './get_activity.ts';
import { list_activities } from './list_activities.ts';

export const activityQueries = { get_activity, list_activities };
