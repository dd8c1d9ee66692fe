// Every operation of the service, by the last segment of its path.

import { activityQueries, activityVotes } from './activities/index.ts';
import { addressBookActivities, addressBookQueries } from './address_book/index.ts';
import { apiKeyActivities, apiKeyQueries } from './api_keys/index.ts';
import { authProxyActivities, authProxyOperations, authProxyQueries } from './auth_proxy/index.ts';
import type { ProxyOperation } from './auth_proxy/proxy_operation.ts';
import { authenticatorActivities, authenticatorQueries } from './authenticators/index.ts';
import { balanceQueries } from './balances/index.ts';
import { deploymentActivities, deploymentQueries } from './deployments/index.ts';
import { earnActivities, earnQueries } from './earn/index.ts';
import { freezeActivities, freezeQueries } from './freezes/index.ts';
import { identityQueries } from './identity/index.ts';
import { invitationActivities } from './invitations/index.ts';
import { ipAllowlistActivities, ipAllowlistQueries } from './ip_allowlist/index.ts';
import { mfaPolicyActivities, mfaPolicyQueries } from './mfa_policies/index.ts';
import { oauthActivities, oauthQueries } from './oauth/index.ts';
import { oauthProviderActivities, oauthProviderQueries } from './oauth_providers/index.ts';
import { oneTimeCodeActivities, oneTimeCodeQueries } from './one_time_codes/index.ts';
import type { ActivityOperation, QueryOperation, VoteOperation } from './operation.ts';
import { organizationKeyActivities, organizationKeyQueries } from './organization_keys/index.ts';
import { organizationActivities, organizationQueries } from './organizations/index.ts';
import { policyActivities, policyQueries } from './policies/index.ts';
import { privateKeyTagActivities, privateKeyTagQueries } from './private_key_tags/index.ts';
import { privateKeyActivities, privateKeyQueries } from './private_keys/index.ts';
import { proofQueries } from './proofs/index.ts';
import { secretActivities, secretQueries } from './secrets/index.ts';
import { sendingActivities, sendingQueries } from './sending/index.ts';
import { serviceHealthQueries } from './service_health/index.ts';
import { sessionProfileActivities, sessionProfileQueries } from './session_profiles/index.ts';
import { sessionActivities } from './sessions/index.ts';
import { signingActivities } from './signing/index.ts';
import {
  smartContractInterfaceActivities,
  smartContractInterfaceQueries,
} from './smart_contract_interfaces/index.ts';
import { swapActivities, swapQueries } from './swaps/index.ts';
import { historyQueries } from './transaction_history/index.ts';
import { userTagActivities, userTagQueries } from './user_tags/index.ts';
import { userActivities, userQueries } from './users/index.ts';
import { velocityControlActivities, velocityControlQueries } from './velocity_controls/index.ts';
import { walletActivities, walletQueries } from './wallets/index.ts';
import { webhookActivities, webhookQueries } from './webhooks/index.ts';

type Resource = {
  readonly activities: Readonly<Record<string, ActivityOperation>>;
  readonly votes?: Readonly<Record<string, VoteOperation>>;
  readonly queries: Readonly<Record<string, QueryOperation>>;
  /** Operations of the onboarding proxy, for clients without a credential. */
  readonly proxy?: Readonly<Record<string, ProxyOperation>>;
};

/** The resources with their operations, in the order of the documents. One line a folder. */
export const resources: Readonly<Record<string, Resource>> = {
  identity: { activities: {}, queries: identityQueries },
  activities: { activities: {}, votes: activityVotes, queries: activityQueries },
  proofs: { activities: {}, queries: proofQueries },
  organizations: { activities: organizationActivities, queries: organizationQueries },
  ip_allowlist: { activities: ipAllowlistActivities, queries: ipAllowlistQueries },
  users: { activities: userActivities, queries: userQueries },
  invitations: { activities: invitationActivities, queries: {} },
  user_tags: { activities: userTagActivities, queries: userTagQueries },
  api_keys: { activities: apiKeyActivities, queries: apiKeyQueries },
  authenticators: { activities: authenticatorActivities, queries: authenticatorQueries },
  oauth_providers: { activities: oauthProviderActivities, queries: oauthProviderQueries },
  oauth: { activities: oauthActivities, queries: oauthQueries },
  sessions: { activities: sessionActivities, queries: {} },
  mfa_policies: { activities: mfaPolicyActivities, queries: mfaPolicyQueries },
  session_profiles: { activities: sessionProfileActivities, queries: sessionProfileQueries },
  one_time_codes: { activities: oneTimeCodeActivities, queries: oneTimeCodeQueries },
  auth_proxy: {
    activities: authProxyActivities,
    queries: authProxyQueries,
    proxy: authProxyOperations,
  },
  wallets: { activities: walletActivities, queries: walletQueries },
  service_health: { activities: {}, queries: serviceHealthQueries },
  balances: { activities: {}, queries: balanceQueries },
  transaction_history: { activities: {}, queries: historyQueries },
  private_keys: { activities: privateKeyActivities, queries: privateKeyQueries },
  secrets: { activities: secretActivities, queries: secretQueries },
  private_key_tags: { activities: privateKeyTagActivities, queries: privateKeyTagQueries },
  policies: { activities: policyActivities, queries: policyQueries },
  velocity_controls: { activities: velocityControlActivities, queries: velocityControlQueries },
  address_book: { activities: addressBookActivities, queries: addressBookQueries },
  freezes: { activities: freezeActivities, queries: freezeQueries },
  organization_keys: { activities: organizationKeyActivities, queries: organizationKeyQueries },
  smart_contract_interfaces: {
    activities: smartContractInterfaceActivities,
    queries: smartContractInterfaceQueries,
  },
  signing: { activities: signingActivities, queries: {} },
  sending: { activities: sendingActivities, queries: sendingQueries },
  earn: { activities: earnActivities, queries: earnQueries },
  swaps: { activities: swapActivities, queries: swapQueries },
  deployments: { activities: deploymentActivities, queries: deploymentQueries },
  webhooks: { activities: webhookActivities, queries: webhookQueries },
};

/** `POST /public/v1/submit/<name>`. */
export const activityOperations = byName(Object.values(resources).map((of) => of.activities));

/** Votes on activities: `POST /public/v1/submit/<name>` too. */
export const voteOperations = byName(Object.values(resources).map((of) => of.votes ?? {}));

/** `POST /public/v1/query/<name>`. */
export const queryOperations = byName(Object.values(resources).map((of) => of.queries));

/** `POST /v1/<name>`. */
export const proxyOperations = byName(Object.values(resources).map((of) => of.proxy ?? {}));

/** Without a prototype, so that a name from a path finds only entries of this table. */
function byName<Operation>(
  operations: readonly Readonly<Record<string, Operation>>[],
): Readonly<Record<string, Operation>> {
  return Object.freeze(Object.assign(Object.create(null), ...operations));
}
