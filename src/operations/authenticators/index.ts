import { create_authenticators } from './create_authenticators.ts';
import { delete_authenticators } from './delete_authenticators.ts';
import { get_authenticator } from './get_authenticator.ts';
import { get_authenticators } from './get_authenticators.ts';

export const authenticatorActivities = { create_authenticators, delete_authenticators };
export const authenticatorQueries = { get_authenticator, get_authenticators };
