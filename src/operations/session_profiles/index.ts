export { create_session_profile } from './create_session_profile.ts';
export { get_session_profile } from './get_session_profile.ts';
export { get_session_profiles } from './get_session_profiles.ts';
