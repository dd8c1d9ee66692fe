import { create_freeze } from './create_freeze.ts';
import { delete_freeze } from './delete_freeze.ts';
import { list_freezes } from './list_freezes.ts';

export const freezeActivities = { create_freeze, delete_freeze };
export const freezeQueries = { list_freezes };
