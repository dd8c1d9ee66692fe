import { create_user_tag } from './create_user_tag.ts';
import { delete_user_tags } from './delete_user_tags.ts';
import { list_user_tags } from './list_user_tags.ts';
import { update_user_tag } from './update_user_tag.ts';

export const userTagActivities = { create_user_tag, delete_user_tags, update_user_tag };
export const userTagQueries = { list_user_tags };
