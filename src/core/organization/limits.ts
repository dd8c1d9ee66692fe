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

const perOrganization = (words: string, parent: number, child = parent): Limit => {
  return { owner: 'organization', words, parent, child };
};

const perUser = (words: string, each: number): Limit => {
  return { owner: 'user', words, parent: each, child: each };
};

/** Limits of parent organizations and of their sub-organizations. */
export const limits = table<Limit>()({
  wallets: perOrganization('wallets', 100),
  privateKeys: perOrganization('private keys', 1000),
  users: perOrganization('users', 100),
  policies: perOrganization('policies', 100),
  velocityControls: perOrganization('velocity controls', 20),
  freezes: perOrganization('freezes', 1000, 100),
  addressLabels: perOrganization('address labels', 100),
  labelledAddresses: perOrganization('labelled addresses', 1000),
  contractInterfaces: perOrganization('smart contract interfaces', 100),
  invitations: perOrganization('invitations', 100),
  secrets: perOrganization('secrets', 100),
  openActivities: perOrganization('activities that wait for votes', 1000),
  tvcOperators: perOrganization('operators', 500),
  tvcOperatorSets: perOrganization('operator sets', 200),
  tvcQuorumKeys: perOrganization('quorum keys', 50),
  tvcApps: perOrganization('applications', 50),
  tvcDeployments: perOrganization('deployments', 100),
  webhookEndpoints: perOrganization('webhook endpoints', 10),
  ipAllowlists: perOrganization('IP allowlists', 101, 0),
  sessionProfiles: perOrganization('session profiles', 100, 0),
  tags: perOrganization('tags', 100, 10),
  longLivedApiKeys: perUser('long-lived api keys', 10),
  expiringApiKeys: perUser('short-lived api keys', 10),
  mfaPolicies: perUser('MFA policies', 10),
  authenticators: perUser('authenticators', 10),
  oauthProviders: perUser('oauth providers', 10),
  oauth2Credentials: perOrganization('OAuth 2.0 credentials', 100, 10),
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
