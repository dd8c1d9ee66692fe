// The authority that activities grant over another user, and the rule of each kind of authority. Each
// operation declares its row. docs/policy-language.md shows the same table.

import { servedKinds } from '../../generated/served_kinds.ts';
import type { RootQuorum } from '../../organization/model.ts';
import type { JsonObject } from '../../schema/json.ts';
import { kindOf } from './activity_kind.ts';

/** The approval that an activity needs in addition to the declaration of its operation. */
type AuthorityRule =
  /**
   * Affects a member of the root quorum: requires that member or the root quorum. Policies cannot grant it.
   */
  | 'member_or_root_quorum'
  /** Only the root quorum. */
  | 'root_quorum'
  /** Requires proof of the contact, identity or key that the activity names; no policy replaces it. */
  | 'proof'
  /** A policy may grant it. The row states the resulting authority. */
  | 'policy'
  /** Grants no authority of another user. */
  | 'none';

/** Kinds of authority, with the rule of each. */
export const authorities = {
  credential: {
    rule: 'member_or_root_quorum',
    gives: 'a credential of the user',
  },
  contact: {
    rule: 'member_or_root_quorum',
    gives: 'a contact, name or tag by which the user logs in or policies find the user',
  },
  removed_credential: {
    rule: 'member_or_root_quorum',
    gives: 'the loss of a credential: without its members an organization has no root',
  },
  mfa_demand: {
    rule: 'member_or_root_quorum',
    gives: 'credentials that the user must present: impossible ones lock the user out',
  },
  removed_mfa: {
    rule: 'policy',
    gives: 'one factor less: a holder of the others can log in, also a locked-out user',
  },
  root: {
    rule: 'root_quorum',
    gives: 'root itself, or what all policies depend on',
  },
  proven_login: {
    rule: 'proof',
    gives: 'a session or key of the user whose contact, identity or credential is proven',
  },
  policies: {
    rule: 'policy',
    gives:
      'all that policies can grant: a user who writes policies is root, except for the rows above',
  },
  velocity_control: {
    rule: 'policy',
    gives: 'a limit that starts from zero: a control that is created again loses its counts',
  },
  sponsorship: {
    rule: 'policy',
    gives: 'the fees that an account pays for others, within its policies',
  },
  swap_fee: {
    rule: 'policy',
    gives: 'a share of what swaps pay out, for an account of the organization',
  },
  users_and_tags: {
    rule: 'policy',
    gives: 'what policies grant to users with a tag, a name or an address',
  },
  key_labels: {
    rule: 'policy',
    gives: 'what policies grant and forbid for keys with a tag, or for a wallet by its label',
  },
  contract_interface: {
    rule: 'policy',
    gives:
      'what policies read of calls: the author of an interface chooses names of functions and arguments',
  },
  address_label: {
    rule: 'policy',
    gives: 'what policies grant and forbid for addresses by their label',
  },
  onboarding: {
    rule: 'policy',
    gives: 'strangers the right to sign up and to start logins',
  },
  oauth_client: {
    rule: 'policy',
    gives: 'the client that requests identities',
  },
  session_scope: {
    rule: 'policy',
    gives: 'a scope that users may choose for their own sessions',
  },
  ip_allowlist: {
    rule: 'policy',
    gives: 'the addresses that may send requests: a list can lock out others, but not its author',
  },
  webhooks: {
    rule: 'policy',
    gives: 'a reader of the contents of activities, and no credential',
  },
  freeze: {
    rule: 'policy',
    gives:
      'a stop of signatures, exports and sends that grants no rights; only the root quorum lifts it',
  },
  seal: {
    rule: 'policy',
    gives:
      'a stop or a start of signatures that grants no rights; a start needs the secret of a holder',
  },
  keys: {
    rule: 'policy',
    gives: 'the keys themselves, or their signatures',
  },
  none: { rule: 'none', gives: 'no user the authority of another' },
} as const satisfies Readonly<
  Record<string, { readonly rule: AuthorityRule; readonly gives: string }>
>;

/** Name of a kind of authority. */
export type Authority = keyof typeof authorities;

const served: ReadonlyMap<string, Authority> = new Map(
  servedKinds.map(({ kind, authority }) => [kind, authority]),
);

/** Returns the rule of an activity type; undefined for unknown types. */
export function authorityRuleOf(type: string): AuthorityRule | undefined {
  const authority = served.get(kindOf(type));
  return authority === undefined ? undefined : authorities[authority].rule;
}

/** Returns true if two kinds of activities grant the same authority, or both grant none. */
export function giveAlike(kind: string, other: string): boolean {
  const authorityOf = (name: string) => served.get(name) ?? 'none';
  return authorityOf(kind) === authorityOf(other);
}

/**
 * Returns true if an activity changes the credentials or contacts of a member of the root quorum other
 * than its submitter: then no policy allows it.
 */
export function concernsOtherMember(
  authority: Authority,
  parameters: JsonObject,
  submitterId: string,
  { userIds: members }: RootQuorum,
): boolean {
  if (authorities[authority].rule !== 'member_or_root_quorum') return false;
  const named = [parameters['userId'], parameters['userIds']].flat();
  return named.some((given) => {
    const id = typeof given === 'string' ? given.toLowerCase() : undefined;
    return id !== undefined && id !== submitterId && members.includes(id);
  });
}
