// Rules that an enclave must enforce. The custody record of a database names the rules for its data; an
// enclave refuses to run if it does not know one of them.

/**
 * All rules. New rules are appended, and never removed or renamed, because sealed heads contain the number of
 * rules that their writer knew. A release adds a rule if an older release would silently not enforce it on
 * the same data.
 */
const enforcedRules = {
  stamps: 'Every change and signature carries a valid stamp of a user of the organization.',
  credential_expiry: 'An API key or a session that has expired authenticates nobody.',
  policies: 'Policies deny, allow, and ask for the votes of users, tags and counts of them.',
  credential_authority: 'Credentials of a user are managed by the user or by whom policies name.',
  root_quorum: 'The root quorum decides with its threshold, and no policy overrules it.',
  session_scopes: 'A session with a scope does nothing outside of its scope.',
  bound_tokens: 'A verification token is good for the key that it is bound to.',
  single_use_tokens: 'A verification token is used once in the whole deployment.',
  mfa_policies: 'A user with MFA policies shows the factors that they demand.',
  ip_allowlists:
    'An organization or a key with an IP allowlist is served from its addresses alone.',
  velocity_controls: 'Signatures that a velocity control counts stay within its limit.',
  export_targets: 'Keys leave sealed to the target key of the request, and imports are used once.',
  fenced_copies: 'A restored copy signs and changes nothing before it is accepted.',
  freezes: 'A frozen subject cannot sign, export or send until the root quorum lifts the freeze.',
  organization_keys:
    'Wallets and private keys of an organization with its own key are sealed by that key.',
} as const;

/** The names of the rules that this release enforces, in order. */
export const knownRules: readonly string[] = Object.keys(enforcedRules);

/** Returns the recorded rules that `known` lacks. */
export function unknownRules(
  recorded: readonly string[],
  known: readonly string[],
): readonly string[] {
  return recorded.filter((rule) => !known.includes(rule));
}

const printable = /^[a-z0-9_]{1,64}$/;

/** Returns a rule's name if it is safe to print; a newer release may have written it. */
export function printableRule(rule: string): string {
  return printable.test(rule) ? rule : 'unnamed';
}
