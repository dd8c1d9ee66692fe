// The kinds of records, with the index and the guard of each. A new kind does not compile without its row.
//
// Besides its version, an organization has a guard: the last version with a change that a decision to sign
// may depend on. A signature decided on a version is valid as long as the guard is not newer. See
// docs/decisions/0030-guards.md.

import type { DraftChanges, RecordChange } from './changes.ts';
import type { LargeKind, RecordKind, SmallKind } from './model.ts';

/**
 * The effect of a changed row on earlier decisions to sign. `always`: they are repeated. `unless_new`: they
 * are repeated if a row was changed or removed; a new row can neither revoke a right nor change the meaning
 * of others. `never`: no decision to sign reads such rows.
 */
type Guarding = 'always' | 'unless_new' | 'never';

type KindRow = {
  /** Kinds that are unclear guard `always`, which only costs time. */
  readonly guarding: Guarding;
  /** True if indexes find the rows. Others are read by ID, page or group. */
  readonly isIndexed: boolean;
};

/** The kinds of small state, in the order in which rows are read. */
const smallKindRows = {
  user: { guarding: 'always', isIndexed: true },
  // A login adds a key. A new key does not affect other users or keys.
  api_key: { guarding: 'unless_new', isIndexed: true },
  authenticator: { guarding: 'always', isIndexed: true },
  oauth_provider: { guarding: 'always', isIndexed: true },
  tag: { guarding: 'always', isIndexed: false },
  // If two accounts share an address, the older one counts.
  wallet: { guarding: 'unless_new', isIndexed: false },
  private_key: { guarding: 'always', isIndexed: false },
  policy: { guarding: 'always', isIndexed: false },
  contract_interface: { guarding: 'always', isIndexed: false },
  // A signature that waits for votes changes its organization.
  open_activity: { guarding: 'never', isIndexed: false },
  session_profile: { guarding: 'always', isIndexed: false },
  mfa_policy: { guarding: 'always', isIndexed: false },
  oauth2_credential: { guarding: 'always', isIndexed: true },
  ip_allowlist: { guarding: 'always', isIndexed: false },
  // A request that uses a token changes its organization.
  used_token: { guarding: 'never', isIndexed: false },
  import_target: { guarding: 'always', isIndexed: false },
  secret: { guarding: 'always', isIndexed: false },
  invitation: { guarding: 'always', isIndexed: false },
  // A login by code uses a token.
  otp_code: { guarding: 'never', isIndexed: false },
  auth_proxy_config: { guarding: 'always', isIndexed: true },
  tvc_operator: { guarding: 'always', isIndexed: false },
  tvc_operator_set: { guarding: 'always', isIndexed: false },
  tvc_quorum_key: { guarding: 'always', isIndexed: false },
  tvc_app: { guarding: 'always', isIndexed: false },
  tvc_deployment: { guarding: 'always', isIndexed: false },
  // Endpoints receive events of signatures.
  webhook_endpoint: { guarding: 'always', isIndexed: false },
  webhook_key: { guarding: 'always', isIndexed: false },
  boot_statement: { guarding: 'always', isIndexed: false },
  // Policies read counted amounts.
  velocity_control: { guarding: 'always', isIndexed: false },
  velocity_counter: { guarding: 'always', isIndexed: false },
  gas_usage_config: { guarding: 'always', isIndexed: false },
  // A sponsored transaction changes its organization, and depends on the version of its sponsor.
  gas_usage: { guarding: 'never', isIndexed: false },
  // A request that takes a nonce changes its organization.
  sender: { guarding: 'never', isIndexed: false },
  freeze: { guarding: 'always', isIndexed: false },
  // Policies read labels.
  address_label: { guarding: 'always', isIndexed: false },
} as const satisfies { readonly [Kind in SmallKind]: KindRow };

const largeKindRows = {
  // If two accounts share an address, the older one counts.
  wallet_account: { guarding: 'unless_new', isIndexed: true },
  // A signature that waited for votes changes its organization.
  voted_activity: { guarding: 'never', isIndexed: true },
  policy_set: { guarding: 'always', isIndexed: false },
  contract_interface_text: { guarding: 'always', isIndexed: false },
  secret_text: { guarding: 'always', isIndexed: false },
  activity_snapshot: { guarding: 'never', isIndexed: false },
  // Users at the time of their votes.
  voter: { guarding: 'never', isIndexed: false },
  archived_activities: { guarding: 'never', isIndexed: false },
  send: { guarding: 'never', isIndexed: true },
  sent_nonce: { guarding: 'never', isIndexed: true },
  // Delivery events of e-mails, which no decision reads.
  email_event: { guarding: 'never', isIndexed: false },
  // Transactions of a chain that a node reported.
  chain_transaction: { guarding: 'never', isIndexed: true },
} as const satisfies { readonly [Kind in LargeKind]: KindRow };

export const kindRows = { ...smallKindRows, ...largeKindRows };

/** The kinds with a row in the table of indexes. */
export type IndexedKind = {
  [Kind in RecordKind]: (typeof kindRows)[Kind]['isIndexed'] extends true ? Kind : never;
}[RecordKind];

export const smallKinds = Object.keys(smallKindRows) as readonly SmallKind[];

/** Returns true if an external name is a kind of small state. */
export const isSmallKind = (kind: string): kind is SmallKind => Object.hasOwn(smallKindRows, kind);

/** Returns whether signatures that were decided on before these changes have to be decided again. */
export function raisesGuard({ head, records }: DraftChanges): boolean {
  return head !== undefined || records.some(isGuarded);
}

function isGuarded({ kind, before }: RecordChange): boolean {
  // An unknown kind always raises the guard.
  const guarding: Guarding = Object.hasOwn(kindRows, kind) ? kindRows[kind].guarding : 'always';
  return guarding === 'unless_new' ? before !== undefined : guarding === 'always';
}
