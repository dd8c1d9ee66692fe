import { create_api_keys } from './create_api_keys.ts';
import { delete_api_keys } from './delete_api_keys.ts';
import { get_api_key } from './get_api_key.ts';
import { get_api_keys } from './get_api_keys.ts';

export const apiKeyActivities = { create_api_keys, delete_api_keys };
export const apiKeyQueries = { get_api_key, get_api_keys };
