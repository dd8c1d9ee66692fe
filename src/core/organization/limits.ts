// Maximum number of rows of each kind in an organization.

import { table } from '../base/table.ts';
import { fail } from '../errors/errors.ts';
import type { OrganizationView } from './state.ts';

type Limit = {
  parent: number;
  child: number;
  owner: 'organization' | 'user';
  /** Subject of the error: `user has exceeded maximum long-lived api keys`. */
  words: string;
};

/** Limits of parent organizations and of their sub-organizations. */
export const limits = table<Limit>()({
  wallets: { parent: 100, child: 100, owner: 'organization', words: 'wallets' },
  privateKeys: { parent: 1000, child: 1000, owner: 'organization', words: 'private keys' },
  users: { parent: 100, child: 100, owner: 'organization', words: 'users' },
  policies: { parent: 100, child: 100, owner: 'organization', words: 'policies' },
  velocityControls: {
    parent: 20,
    child: 20,
    owner: 'organization',
    words: 'velocity controls',
  },
  freezes: { parent: 1000, child: 100, owner: 'organization', words: 'freezes' },
  addressLabels: { parent: 100, child: 100, owner: 'organization', words: 'address labels' },
  labelledAddresses: {
    parent: 1000,
    child: 1000,
    owner: 'organization',
    words: 'labelled addresses',
  },
  contractInterfaces: {
    parent: 100,
    child: 100,
    owner: 'organization',
    words: 'smart contract interfaces',
  },
  invitations: { parent: 100, child: 100, owner: 'organization', words: 'invitations' },
  secrets: { parent: 100, child: 100, owner: 'organization', words: 'secrets' },
  openActivities: {
    parent: 1000,
    child: 1000,
    owner: 'organization',
    words: 'activities that wait for votes',
  },
  tvcOperators: { parent: 500, child: 500, owner: 'organization', words: 'operators' },
  tvcOperatorSets: { parent: 200, child: 200, owner: 'organization', words: 'operator sets' },
  tvcQuorumKeys: { parent: 50, child: 50, owner: 'organization', words: 'quorum keys' },
  tvcApps: { parent: 50, child: 50, owner: 'organization', words: 'applications' },
  tvcDeployments: { parent: 100, child: 100, owner: 'organization', words: 'deployments' },
  webhookEndpoints: { parent: 10, child: 10, owner: 'organization', words: 'webhook endpoints' },
  ipAllowlists: { parent: 101, child: 0, owner: 'organization', words: 'IP allowlists' },
  sessionProfiles: { parent: 100, child: 0, owner: 'organization', words: 'session profiles' },
  tags: { parent: 100, child: 10, owner: 'organization', words: 'tags' },
  longLivedApiKeys: { parent: 10, child: 10, owner: 'user', words: 'long-lived api keys' },
  expiringApiKeys: { parent: 10, child: 10, owner: 'user', words: 'short-lived api keys' },
  mfaPolicies: { parent: 10, child: 10, owner: 'user', words: 'MFA policies' },
  authenticators: { parent: 10, child: 10, owner: 'user', words: 'authenticators' },
  oauthProviders: { parent: 10, child: 10, owner: 'user', words: 'oauth providers' },
  oauth2Credentials: {
    parent: 100,
    child: 10,
    owner: 'organization',
    words: 'OAuth 2.0 credentials',
  },
});

/** Returns the limit that applies to this organization. */
export function limitOf(name: keyof typeof limits, organization: OrganizationView): number {
  return organization.parentId === undefined ? limits[name].parent : limits[name].child;
}

/** Raises `limit_exceeded` for a count above the limit minus the number to keep free. */
export function checkLimit(
  name: keyof typeof limits,
  count: number,
  organization: OrganizationView,
  keptFree = 0,
): void {
  const limit = limitOf(name, organization) - keptFree;
  const { owner, words } = limits[name];
  if (count > limit) fail('limit_exceeded', { owner, resource: words, limit });
}
