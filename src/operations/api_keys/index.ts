export { create_api_keys } from './create_api_keys.ts';
export { delete_api_keys } from './delete_api_keys.ts';
export { get_api_key } from './get_api_key.ts';
export { get_api_keys } from './get_api_keys.ts';
