export { create_user_tag } from './create_user_tag.ts';
export { delete_user_tags } from './delete_user_tags.ts';
export { list_user_tags } from './list_user_tags.ts';
export { update_user_tag } from './update_user_tag.ts';
