export { create_private_key_tag } from './create_private_key_tag.ts';
export { delete_private_key_tags } from './delete_private_key_tags.ts';
export { list_private_key_tags } from './list_private_key_tags.ts';
export { update_private_key_tag } from './update_private_key_tag.ts';
