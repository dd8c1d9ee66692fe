export { create_oauth_providers } from './create_oauth_providers.ts';
export { delete_oauth_providers } from './delete_oauth_providers.ts';
export { get_oauth_providers } from './get_oauth_providers.ts';
