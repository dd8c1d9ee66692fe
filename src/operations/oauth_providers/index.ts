import { create_oauth_providers } from './create_oauth_providers.ts';
import { delete_oauth_providers } from './delete_oauth_providers.ts';
import { get_oauth_providers } from './get_oauth_providers.ts';

export const oauthProviderActivities = { create_oauth_providers, delete_oauth_providers };
export const oauthProviderQueries = { get_oauth_providers };
