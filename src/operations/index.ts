// Every operation of the service, by the last segment of its path.

import * as activities from './activities/index.ts';
import * as address_book from './address_book/index.ts';
import * as api_keys from './api_keys/index.ts';
import * as auth_proxy from './auth_proxy/index.ts';
import type { ProxyOperation } from './auth_proxy/proxy_operation.ts';
import * as authenticators from './authenticators/index.ts';
import * as balances from './balances/index.ts';
import * as deployments from './deployments/index.ts';
import * as earn from './earn/index.ts';
import * as freezes from './freezes/index.ts';
import * as identity from './identity/index.ts';
import * as invitations from './invitations/index.ts';
import * as ip_allowlist from './ip_allowlist/index.ts';
import * as mfa_policies from './mfa_policies/index.ts';
import * as oauth from './oauth/index.ts';
import * as oauth_providers from './oauth_providers/index.ts';
import * as one_time_codes from './one_time_codes/index.ts';
import type { ActivityOperation, QueryOperation, VoteOperation } from './operation.ts';
import * as organization_keys from './organization_keys/index.ts';
import * as organizations from './organizations/index.ts';
import * as policies from './policies/index.ts';
import * as private_key_tags from './private_key_tags/index.ts';
import * as private_keys from './private_keys/index.ts';
import * as proofs from './proofs/index.ts';
import * as secrets from './secrets/index.ts';
import * as sending from './sending/index.ts';
import * as service_health from './service_health/index.ts';
import * as session_profiles from './session_profiles/index.ts';
import * as sessions from './sessions/index.ts';
import * as signing from './signing/index.ts';
import * as smart_contract_interfaces from './smart_contract_interfaces/index.ts';
import * as swaps from './swaps/index.ts';
import * as transaction_history from './transaction_history/index.ts';
import * as user_tags from './user_tags/index.ts';
import * as users from './users/index.ts';
import * as velocity_controls from './velocity_controls/index.ts';
import * as wallets from './wallets/index.ts';
import * as webhooks from './webhooks/index.ts';

type Operation = ActivityOperation | VoteOperation | QueryOperation | ProxyOperation;

type OfKind<Kind extends Operation['kind']> = Readonly<
  Record<string, Extract<Operation, { readonly kind: Kind }>>
>;

/** The resources with their operations, in the order of the documents. */
const folders: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  identity,
  activities,
  proofs,
  organizations,
  ip_allowlist,
  users,
  invitations,
  user_tags,
  api_keys,
  authenticators,
  oauth_providers,
  oauth,
  sessions,
  mfa_policies,
  session_profiles,
  one_time_codes,
  auth_proxy,
  wallets,
  service_health,
  balances,
  transaction_history,
  private_keys,
  secrets,
  private_key_tags,
  policies,
  velocity_controls,
  address_book,
  freezes,
  organization_keys,
  smart_contract_interfaces,
  signing,
  sending,
  earn,
  swaps,
  deployments,
  webhooks,
};

/** The operations of each resource, by kind. */
export const resources = Object.fromEntries(
  Object.entries(folders).map(([resource, operations]) => [
    resource,
    {
      activities: ofKind(operations, 'submit'),
      votes: ofKind(operations, 'vote'),
      queries: ofKind(operations, 'query'),
      proxy: ofKind(operations, 'proxy'),
    },
  ]),
);

/** Operations at `POST /public/v1/submit/<name>`. */
export const activityOperations = byName(Object.values(resources).map((of) => of.activities));

/** Votes on activities, also at `POST /public/v1/submit/<name>`. */
export const voteOperations = byName(Object.values(resources).map((of) => of.votes));

/** Operations at `POST /public/v1/query/<name>`. */
export const queryOperations = byName(Object.values(resources).map((of) => of.queries));

/** Operations at `POST /v1/<name>`, for clients of the onboarding proxy, which have no credential. */
export const proxyOperations = byName(Object.values(resources).map((of) => of.proxy));

function ofKind<Kind extends Operation['kind']>(
  operations: Readonly<Record<string, Operation>>,
  kind: Kind,
): OfKind<Kind> {
  const entries = Object.entries(operations).filter(([, operation]) => operation.kind === kind);
  return Object.fromEntries(entries) as OfKind<Kind>;
}

/** Without a prototype, so that a name from a path finds only entries of this table. */
function byName<Operation>(
  operations: readonly Readonly<Record<string, Operation>>[],
): Readonly<Record<string, Operation>> {
  return Object.freeze(Object.assign(Object.create(null), ...operations));
}
