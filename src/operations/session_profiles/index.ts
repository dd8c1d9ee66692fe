import { create_session_profile } from './create_session_profile.ts';
import { get_session_profile } from './get_session_profile.ts';
import { get_session_profiles } from './get_session_profiles.ts';

export const sessionProfileActivities = { create_session_profile };
export const sessionProfileQueries = { get_session_profile, get_session_profiles };
