// Decides which changes of an organization invalidate earlier decisions to sign. Besides its version, an
// organization has a guard: the last version with a change that such a decision may depend on. A signature
// decided on a version is valid as long as the guard is not newer. See docs/decisions/0030-guards.md.

import type { DraftChanges, RecordChange } from './changes.ts';
import type { RecordKind } from './model.ts';

/**
 * The effect of a changed row on earlier decisions to sign. `always`: they are repeated. `unless_new`: they
 * are repeated if a row was changed or removed; a new row can neither revoke a right nor change the meaning
 * of others. `never`: no decision to sign reads such rows.
 */
type Guarding = 'always' | 'unless_new' | 'never';

/** Kinds that are unclear guard `always`, which only costs time. */
export const guardingOfKinds: { readonly [Kind in RecordKind]: Guarding } = {
  user: 'always',
  // A login adds a key. A new key does not affect other users or keys.
  api_key: 'unless_new',
  authenticator: 'always',
  oauth_provider: 'always',
  tag: 'always',
  // If two accounts share an address, the older one counts.
  wallet: 'unless_new',
  wallet_account: 'unless_new',
  private_key: 'always',
  policy: 'always',
  policy_set: 'always',
  contract_interface: 'always',
  contract_interface_text: 'always',
  session_profile: 'always',
  mfa_policy: 'always',
  ip_allowlist: 'always',
  // Policies read counted amounts.
  velocity_control: 'always',
  velocity_counter: 'always',
  freeze: 'always',
  // Policies read labels.
  address_label: 'always',
  gas_usage_config: 'always',
  // Endpoints receive events of signatures.
  webhook_endpoint: 'always',
  webhook_key: 'always',
  oauth2_credential: 'always',
  auth_proxy_config: 'always',
  import_target: 'always',
  secret: 'always',
  secret_text: 'always',
  invitation: 'always',
  tvc_operator: 'always',
  tvc_operator_set: 'always',
  tvc_quorum_key: 'always',
  tvc_app: 'always',
  tvc_deployment: 'always',
  boot_statement: 'always',
  // Activities that wait for votes or waited: a signature that waits changes its organization.
  open_activity: 'never',
  voted_activity: 'never',
  activity_snapshot: 'never',
  // Users at the time of their votes.
  voter: 'never',
  archived_activities: 'never',
  // Logins by code. A request that uses a token changes its organization.
  otp_code: 'never',
  used_token: 'never',
  // Used nonces. A request that takes a nonce changes its organization.
  sender: 'never',
  // A sponsored transaction changes its organization, and depends on the version of its sponsor.
  gas_usage: 'never',
  send: 'never',
  sent_nonce: 'never',
  // Delivery events of e-mails, which no decision reads.
  email_event: 'never',
  // Transactions of a chain that a node reported.
  chain_transaction: 'never',
};

/** Returns whether signatures that were decided on before these changes have to be decided again. */
export function raisesGuard({ head, records }: DraftChanges): boolean {
  return head !== undefined || records.some(isGuarded);
}

function isGuarded({ kind, before }: RecordChange): boolean {
  // An unknown kind always raises the guard.
  const guarding = Object.hasOwn(guardingOfKinds, kind) ? guardingOfKinds[kind] : 'always';
  return guarding === 'unless_new' ? before !== undefined : guarding === 'always';
}
