// Which activities give somebody the authority of another, and what that takes. One row for each kind of
// activity: who adds an operation says here what it gives. docs/policy-language.md shows the same table.

import type { RootQuorum } from '../../organization/model.ts';
import type { JsonObject } from '../../schema/json.ts';
import { kindOf } from './activity_kind.ts';

/** The authority that an activity needs besides what its operation declares. */
export type AuthorityRule =
  /** Of a member of the root quorum: that member, or the root quorum. No policy grants it to others. */
  | 'member_or_root_quorum'
  /** Only the root quorum. */
  | 'root_quorum'
  /** Who controls the contact, identity or key that the activity names proves it; no policy replaces that. */
  | 'proof'
  /** A policy may grant it. What that amounts to is said beside it. */
  | 'policy'
  /** It gives nobody the authority of another. */
  | 'none';

type Row = { readonly kinds: string; readonly rule: AuthorityRule; readonly gives: string };

export const authorityRows: readonly Row[] = [
  {
    kinds:
      'CREATE_API_KEYS CREATE_AUTHENTICATORS CREATE_OAUTH_PROVIDERS RECOVER_USER CREATE_READ_WRITE_SESSION',
    rule: 'member_or_root_quorum',
    gives: 'a credential of the user',
  },
  {
    kinds: 'UPDATE_USER UPDATE_USER_NAME UPDATE_USER_EMAIL UPDATE_USER_PHONE_NUMBER',
    rule: 'member_or_root_quorum',
    gives:
      'a contact or a name by which the user is found, logs in and is meant by policies, and its tags',
  },
  {
    kinds: 'DELETE_API_KEYS DELETE_AUTHENTICATORS DELETE_OAUTH_PROVIDERS DELETE_USERS',
    rule: 'member_or_root_quorum',
    gives: 'the end of a way in: without its members an organization has no root',
  },
  {
    kinds: 'CREATE_MFA_POLICY UPDATE_MFA_POLICY',
    rule: 'member_or_root_quorum',
    gives: 'what the user must show: a demand that cannot be met locks the user out',
  },
  {
    kinds: 'DELETE_MFA_POLICY',
    rule: 'policy',
    gives:
      'one factor less: who has the others gets in. It is how a locked-out user is let in again',
  },
  {
    kinds:
      'UPDATE_ROOT_QUORUM SET_ORGANIZATION_FEATURE REMOVE_ORGANIZATION_FEATURE UPDATE_ORGANIZATION_NAME' +
      ' UPDATE_POLICY_SETTINGS DELETE_SUB_ORGANIZATION ROTATE_WEBHOOK_KEY',
    rule: 'root_quorum',
    gives: 'root itself, or what all policies rest on',
  },
  {
    kinds:
      'EMAIL_AUTH INIT_OTP INIT_OTP_AUTH OTP_AUTH VERIFY_OTP OTP_LOGIN OAUTH OAUTH_LOGIN' +
      ' INIT_USER_EMAIL_RECOVERY OAUTH2_AUTHENTICATE STAMP_LOGIN CREATE_READ_ONLY_SESSION',
    rule: 'proof',
    gives: 'a session or key of the user whose contact, identity or credential is proven',
  },
  {
    kinds: 'CREATE_POLICY CREATE_POLICIES UPDATE_POLICY DELETE_POLICY DELETE_POLICIES',
    rule: 'policy',
    gives: 'whatever policies can: whoever writes policies is root but for the rows above',
  },
  {
    kinds: 'CREATE_VELOCITY_CONTROL DELETE_VELOCITY_CONTROL',
    rule: 'policy',
    gives: 'a limit that starts from zero: a control that is deleted and created anew forgets',
  },
  {
    kinds: 'CREATE_USERS CREATE_API_ONLY_USERS CREATE_USER_TAG UPDATE_USER_TAG DELETE_USER_TAGS',
    rule: 'policy',
    gives: 'what policies grant to those who hold a tag, a name or an address',
  },
  {
    kinds: 'CREATE_PRIVATE_KEY_TAG UPDATE_PRIVATE_KEY_TAG DELETE_PRIVATE_KEY_TAGS UPDATE_WALLET',
    rule: 'policy',
    gives: 'what policies grant and forbid for keys with a tag, or for a wallet by its label',
  },
  {
    kinds: 'CREATE_SMART_CONTRACT_INTERFACE DELETE_SMART_CONTRACT_INTERFACE',
    rule: 'policy',
    gives:
      'what policies read of calls: an interface names functions and arguments as its author likes',
  },
  {
    kinds: 'ENABLE_AUTH_PROXY UPDATE_AUTH_PROXY_CONFIG DISABLE_AUTH_PROXY',
    rule: 'policy',
    gives: 'strangers the right to sign up and to start logins',
  },
  {
    kinds: 'CREATE_OAUTH2_CREDENTIAL UPDATE_OAUTH2_CREDENTIAL DELETE_OAUTH2_CREDENTIAL',
    rule: 'policy',
    gives: 'the client by which identities are asked for',
  },
  {
    kinds: 'CREATE_SESSION_PROFILE',
    rule: 'policy',
    gives: 'a scope that users may choose for their own sessions',
  },
  {
    kinds: 'SET_IP_ALLOWLIST REMOVE_IP_ALLOWLIST',
    rule: 'policy',
    gives: 'from where everybody may ask: a list can lock others out, its author not',
  },
  {
    kinds:
      'CREATE_WEBHOOK_ENDPOINT UPDATE_WEBHOOK_ENDPOINT DELETE_WEBHOOK_ENDPOINT REDELIVER_WEBHOOK_EVENTS',
    rule: 'policy',
    gives: 'a reader of what activities tell, and no credential',
  },
  {
    kinds:
      'EXPORT_WALLET EXPORT_WALLET_ACCOUNT EXPORT_PRIVATE_KEY EXPORT_SECRETS SIGN_RAW_PAYLOAD SIGN_RAW_PAYLOADS SIGN_TRANSACTION ETH_SEND_TRANSACTION ETH_UNDELEGATE_7702 SOL_SEND_TRANSACTION',
    rule: 'policy',
    gives: 'the keys themselves, or their signatures',
  },
];

/** Kinds that give nobody the authority of another: they make, name, import or delete what is no user's. */
const givingNone =
  'CREATE_SUB_ORGANIZATION CREATE_INVITATIONS DELETE_INVITATION CREATE_WALLET' +
  ' CREATE_WALLET_ACCOUNTS DELETE_WALLETS' +
  ' DELETE_WALLET_ACCOUNTS INIT_IMPORT_WALLET IMPORT_WALLET CREATE_PRIVATE_KEYS DELETE_PRIVATE_KEYS' +
  ' INIT_IMPORT_PRIVATE_KEY IMPORT_PRIVATE_KEY' +
  ' INIT_IMPORT_SECRETS IMPORT_SECRETS DELETE_SECRETS CREATE_TVC_APP' +
  ' ETH_SEND_RAW_TRANSACTION ABANDON_TRANSACTION' +
  ' UPDATE_TVC_APP_LIVE_DEPLOYMENT DELETE_TVC_APP_AND_DEPLOYMENTS CREATE_TVC_DEPLOYMENT' +
  ' CREATE_TVC_MANIFEST_APPROVALS RESTORE_TVC_DEPLOYMENT SET_TVC_DEPLOYMENT_STATUS DELETE_TVC_DEPLOYMENT' +
  ' CREATE_TVC_OPERATOR';

const rules: ReadonlyMap<string, AuthorityRule> = new Map([
  ...authorityRows.flatMap(({ kinds, rule }) =>
    kinds.split(' ').map((kind) => [kind, rule] as const),
  ),
  ...givingNone.split(' ').map((kind) => [kind, 'none'] as const),
]);

/** The rule of an activity type; undefined where no row names it. */
export function authorityRuleOf(type: string): AuthorityRule | undefined {
  return rules.get(kindOf(type));
}

/** Returns true if two kinds of activities give the same, or both give nobody the authority of another. */
export function giveAlike(kind: string, other: string): boolean {
  return rowOfKind.get(kind) === rowOfKind.get(other);
}

const rowOfKind: ReadonlyMap<string, Row> = new Map(
  authorityRows.flatMap((row) => row.kinds.split(' ').map((kind) => [kind, row] as const)),
);

/**
 * Returns true if an activity changes the credentials or contacts of a member of the root quorum other
 * than who asks for it: then no policy allows it. A type without a row counts as one that does.
 */
export function concernsOtherMember(
  type: string,
  parameters: JsonObject,
  submitterId: string,
  { userIds: members }: RootQuorum,
): boolean {
  const rule = authorityRuleOf(type);
  if (rule !== undefined && rule !== 'member_or_root_quorum') return false;
  const named = [parameters['userId'], parameters['userIds']].flat();
  return named.some((given) => {
    const id = typeof given === 'string' ? given.toLowerCase() : undefined;
    return id !== undefined && id !== submitterId && members.includes(id);
  });
}
