import { create_private_keys } from './create_private_keys.ts';
import { delete_private_keys } from './delete_private_keys.ts';
import { get_private_key } from './get_private_key.ts';
import { list_private_keys } from './list_private_keys.ts';

export const privateKeyActivities = { create_private_keys, delete_private_keys };
export const privateKeyQueries = { get_private_key, list_private_keys };
