// Kinds of activities in the policy language, and the names available to each.

import { activityKindOf } from '../base/compatibility.ts';
import { servedKinds } from '../generated/served_kinds.ts';
import { transactionNamespaces } from './names/structs.ts';

type Kind = {
  readonly name: string;
  /** Undefined for kinds without a published resource, which may then be any. */
  readonly resource: string | undefined;
  readonly action: string | undefined;
};

/**
 * Kinds of the published language on which policies never decide here, by resource and action. Only the root
 * quorum deletes sub-organizations; the other kinds are not served.
 */
const further: readonly (readonly [resource: string, action: string, kinds: string])[] = [
  ['ORGANIZATION', 'DELETE', 'DELETE_ORGANIZATION DELETE_SUB_ORGANIZATION'],
  ['PRIVATE_KEY', 'DELETE', 'DISABLE_PRIVATE_KEY'],
  ['PAYMENT_METHOD', 'UPDATE', 'SET_PAYMENT_METHOD'],
  ['PAYMENT_METHOD', 'DELETE', 'DELETE_PAYMENT_METHOD'],
  ['SUBSCRIPTION', 'CREATE', 'ACTIVATE_BILLING_TIER'],
  ['CONFIG', 'UPDATE', 'UPDATE_ALLOWED_ORIGINS'],
  ['TVC_DEPLOYMENT', 'UPDATE', 'POST_TVC_QUORUM_KEY_SHARE'],
  ['TVC_QUORUM_KEY', 'CREATE', 'CREATE_TVC_QUORUM_KEY'],
  ['TVC_QUORUM_KEY', 'ENCRYPT', 'RE_ENCRYPT_TVC_QUORUM_KEY_SHARE'],
];

/** Kinds without a published resource; some of them are served. */
const withoutResource: ReadonlySet<string> = new Set(
  (
    'SPARK_SIGN_FROST SPARK_PREPARE_TRANSFER SPARK_CLAIM_TRANSFER SPARK_PREPARE_LIGHTNING_RECEIVE' +
    ' RECOVER_USER CREATE_READ_ONLY_SESSION SET_IP_ALLOWLIST REMOVE_IP_ALLOWLIST' +
    ' UPSERT_SWAP_CONFIG EXECUTE_SWAP UPSERT_GAS_USAGE_CONFIG INIT_FIAT_ON_RAMP' +
    ' CREATE_FIAT_ON_RAMP_CREDENTIAL UPDATE_FIAT_ON_RAMP_CREDENTIAL DELETE_FIAT_ON_RAMP_CREDENTIAL'
  ).split(' '),
);

/** Known resources without a published kind. */
const furtherResources = ['FIAT_TRANSACTION', 'ON_RAMP_CREDENTIALS', 'SPONSORSHIP'];

/** Every kind of activity that policies decide on. */
export const activityKinds: readonly Kind[] = [
  ...servedKinds
    .filter(({ kind, authority }) => authority !== 'root' && !withoutResource.has(kind))
    .map(({ kind, resource, action }) => ({ name: kind, resource, action })),
  ...further.flatMap(([resource, action, kinds]) =>
    kinds.split(' ').map((name) => ({ name, resource, action })),
  ),
  ...[...withoutResource].map((name) => ({ name, resource: undefined, action: undefined })),
];

const known = (name: string | undefined): readonly string[] => (name === undefined ? [] : [name]);

export const activityResources: ReadonlySet<string> = new Set([
  ...activityKinds.flatMap(({ resource }) => known(resource)),
  ...furtherResources,
]);

export const activityActions: ReadonlySet<string> = new Set(
  activityKinds.flatMap(({ action }) => known(action)),
);

/** Names that only some kinds of activities have, in addition to `activity.type` and its siblings. */
type Shown = {
  readonly kinds: string;
  /** Names that are always present; `params.x` is `activity.params.x`. */
  readonly always?: string;
  /** At most one name of each list is present. */
  readonly oneOf?: readonly (readonly string[])[];
};

const signers = ['wallet wallet_account', 'private_key'];

const shown: readonly Shown[] = [
  {
    kinds: 'SIGN_RAW_PAYLOAD SIGN_RAW_PAYLOADS',
    always: 'params.hash_function params.encoding',
    oneOf: [signers, ['eth.eip_712', 'eth.eip_7702_authorization']],
  },
  {
    kinds: 'SIGN_TRANSACTION',
    always: 'params.type',
    oneOf: [signers, transactionNamespaces.map(({ root }) => `${root}.tx`)],
  },
  { kinds: 'ETH_SEND_TRANSACTION ETH_UNDELEGATE_7702', always: 'eth.tx', oneOf: [signers] },
  { kinds: 'ETH_SEND_RAW_TRANSACTION', always: 'eth.tx' },
  { kinds: 'SOL_SEND_TRANSACTION', always: 'solana.tx', oneOf: [signers] },
  { kinds: 'EXPORT_WALLET', always: 'wallet params.target_public_key' },
  { kinds: 'EXPORT_WALLET_ACCOUNT', always: 'wallet wallet_account params.target_public_key' },
  { kinds: 'EXPORT_PRIVATE_KEY', always: 'private_key params.target_public_key' },
  { kinds: 'EXPORT_SECRETS', always: 'secret params.target_public_key' },
  { kinds: 'DELETE_WALLETS', always: 'wallets' },
  { kinds: 'DELETE_WALLET_ACCOUNTS', always: 'wallets' },
  { kinds: 'UPDATE_WALLET', always: 'params.wallet_id' },
  { kinds: 'DELETE_USERS', always: 'params.user_ids' },
  { kinds: 'CREATE_API_KEYS', always: 'params.user_id params.api_keys' },
  { kinds: 'DELETE_API_KEYS', always: 'params.user_id params.api_key_ids' },
  { kinds: 'INIT_OTP_AUTH', always: 'params.otp_length' },
  { kinds: 'OTP_LOGIN STAMP_LOGIN OAUTH_LOGIN', always: 'params.session_profile_id' },
  {
    kinds: 'UPDATE_WEBHOOK_ENDPOINT DELETE_WEBHOOK_ENDPOINT REDELIVER_WEBHOOK_EVENTS',
    always: 'params.endpoint_id',
  },
  { kinds: 'SPARK_SIGN_FROST', always: 'params.sign_with params.signatures', oneOf: [signers] },
  {
    kinds: 'SPARK_PREPARE_TRANSFER',
    always: 'params.sign_with params.transfer',
    oneOf: [signers],
  },
  { kinds: 'SPARK_CLAIM_TRANSFER', always: 'params.sign_with params.claim', oneOf: [signers] },
  {
    kinds: 'SPARK_PREPARE_LIGHTNING_RECEIVE',
    always: 'params.sign_with params.lightning_receive',
    oneOf: [signers],
  },
];

/**
 * Returns true if an activity of a kind can have all these names at once: `wallet`, `eth.tx`,
 * `params.x`.
 */
export function canShow(kind: string, names: readonly string[]): boolean {
  const row = shownByKind.get(kind);
  if (row === undefined) return names.length === 0;
  const open = names.filter((name) => !row.always.has(name));
  if (!open.every((name) => row.sometimes.has(name))) return false;
  return row.oneOf.every((entries) => {
    const used = entries.filter((entry) => open.some((name) => entry.has(name)));
    return used.length <= 1;
  });
}

/** The rows above as sets, built once, because conditions may contain thousands of names. */
const shownByKind = new Map(
  shown.flatMap(({ kinds, always = '', oneOf = [] }) => {
    const row = {
      always: new Set(always.split(' ')),
      sometimes: new Set(oneOf.flat().flatMap((entry) => entry.split(' '))),
      oneOf: oneOf.map((entries) => entries.map((entry) => new Set(entry.split(' ')))),
    };
    return kinds.split(' ').map((kind) => [kind, row] as const);
  }),
);

/** Returns the kind of an activity type, without its prefix and version; undefined for other texts. */
export function kindOfType(type: string): string | undefined {
  const spelled = /^ACTIVITY_TYPE_(.+?)(?:_V\d+)?$/.exec(type)?.[1];
  return spelled === undefined ? undefined : activityKindOf(spelled);
}

const typesOfServed: ReadonlyMap<string, readonly string[]> = new Map(
  servedKinds.map(({ kind, types }) => [kind, types]),
);

/** Returns the types of a kind of activity, in all accepted versions and spellings. */
export function typesOfKind(kind: string): readonly string[] {
  return typesOfServed.get(kind) ?? [`ACTIVITY_TYPE_${kind}`];
}
