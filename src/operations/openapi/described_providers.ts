import type { DescribedProviders, ProviderParameters } from '../../core/users/oauth_providers.ts';

/** The OAuth providers of new users in a request, whose list has this path. */
export function providersOfNewUsers(
  users: readonly { readonly oauthProviders: readonly ProviderParameters[] }[],
  field: string,
): readonly DescribedProviders[] {
  return users.map(({ oauthProviders: providers }, i) => ({
    providers,
    field: `${field}.${i}.oauthProviders`,
  }));
}
