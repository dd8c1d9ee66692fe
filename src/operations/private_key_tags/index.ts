import { create_private_key_tag } from './create_private_key_tag.ts';
import { delete_private_key_tags } from './delete_private_key_tags.ts';
import { list_private_key_tags } from './list_private_key_tags.ts';
import { update_private_key_tag } from './update_private_key_tag.ts';

export const privateKeyTagActivities = {
  create_private_key_tag,
  delete_private_key_tags,
  update_private_key_tag,
};
export const privateKeyTagQueries = { list_private_key_tags };
