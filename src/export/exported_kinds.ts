// The kinds of small state in an export, and their excluded members.

import type { SmallKind, SmallRecords } from '../core/organization/model.ts';

type Kinds = { readonly [Kind in SmallKind]: Exported<SmallRecords[Kind]> };
/** Excluded members, or the reason to exclude the whole kind. */
type Exported<Row> = { readonly without: readonly (keyof Row)[] } | { readonly not: string };

const whole = { without: [] } as const;

/** All kinds of small state, in the order of the lines. */
const exportedKinds: Kinds = {
  user: whole,
  tag: whole,
  api_key: whole,
  authenticator: whole,
  oauth_provider: whole,
  session_profile: whole,
  mfa_policy: whole,
  ip_allowlist: whole,
  invitation: whole,
  policy: whole,
  velocity_control: whole,
  freeze: whole,
  address_label: whole,
  gas_usage_config: whole,
  // The wrapped secret is replaced by the secret itself.
  wallet: { without: ['secret'] },
  private_key: { without: ['secret'] },
  secret: whole,
  contract_interface: whole,
  // Encrypted to a key of this deployment.
  oauth2_credential: { without: ['encryptedClientSecret'] },
  auth_proxy_config: { without: ['secret'] },
  webhook_endpoint: whole,
  tvc_operator: whole,
  tvc_operator_set: whole,
  tvc_quorum_key: whole,
  tvc_app: whole,
  tvc_deployment: whole,
  boot_statement: whole,
  open_activity: { not: 'the activity itself is exported' },
  used_token: { not: 'it prevents a second use of a token at this deployment' },
  import_target: { not: 'it is a key for one import into this deployment' },
  otp_code: { not: 'it holds for minutes' },
  webhook_key: { not: 'deliveries are signed by keys of this deployment' },
  velocity_counter: { not: 'it counts within a period of this deployment' },
  gas_usage: { not: 'it counts within a period of this deployment' },
  sender: { not: 'it numbers transactions under way at this deployment' },
};

/** The exported kinds in the order of the lines. */
export const exportedSmallKinds = Object.keys(exportedKinds) as readonly SmallKind[];

/** Returns the members of a row that are exported; undefined if its kind is not exported. */
export function exportedMembers<Kind extends SmallKind>(
  kind: Kind,
  row: SmallRecords[Kind],
): object | undefined {
  const exported: Exported<SmallRecords[Kind]> = exportedKinds[kind];
  if ('not' in exported) return undefined;
  const left: readonly PropertyKey[] = exported.without;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name)));
}
