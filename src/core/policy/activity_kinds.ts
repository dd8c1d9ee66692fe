// Which activities there are for the policy language, and which names each of them has.

import { activityKindOf } from '../base/compatibility.ts';

type Kind = {
  readonly name: string;
  /** Undefined where no resource is published: then it may be any. */
  readonly resource: string | undefined;
  readonly action: string | undefined;
};

/** `activity.resource` and `activity.action` with the values of `activity.kind` under them. */
const written: readonly (readonly [resource: string, action: string, kinds: string])[] = [
  ['ORGANIZATION', 'CREATE', 'CREATE_SUB_ORGANIZATION'],
  ['ORGANIZATION', 'DELETE', 'DELETE_ORGANIZATION DELETE_SUB_ORGANIZATION'],
  ['INVITATION', 'CREATE', 'CREATE_INVITATIONS'],
  ['INVITATION', 'DELETE', 'DELETE_INVITATION'],
  ['POLICY', 'CREATE', 'CREATE_POLICY CREATE_POLICIES CREATE_VELOCITY_CONTROL'],
  ['POLICY', 'UPDATE', 'UPDATE_POLICY'],
  ['POLICY', 'DELETE', 'DELETE_POLICY DELETE_POLICIES DELETE_VELOCITY_CONTROL'],
  ['SMART_CONTRACT_INTERFACE', 'CREATE', 'CREATE_SMART_CONTRACT_INTERFACE'],
  ['SMART_CONTRACT_INTERFACE', 'DELETE', 'DELETE_SMART_CONTRACT_INTERFACE'],
  ['WALLET', 'CREATE', 'CREATE_WALLET CREATE_WALLET_ACCOUNTS'],
  ['WALLET', 'UPDATE', 'UPDATE_WALLET'],
  ['WALLET', 'EXPORT', 'EXPORT_WALLET EXPORT_WALLET_ACCOUNT'],
  ['WALLET', 'IMPORT', 'INIT_IMPORT_WALLET IMPORT_WALLET'],
  ['WALLET', 'DELETE', 'DELETE_WALLETS DELETE_WALLET_ACCOUNTS'],
  ['PRIVATE_KEY', 'CREATE', 'CREATE_PRIVATE_KEYS CREATE_PRIVATE_KEY_TAG'],
  ['PRIVATE_KEY', 'UPDATE', 'UPDATE_PRIVATE_KEY_TAG'],
  ['PRIVATE_KEY', 'DELETE', 'DISABLE_PRIVATE_KEY DELETE_PRIVATE_KEY_TAGS DELETE_PRIVATE_KEYS'],
  ['PRIVATE_KEY', 'EXPORT', 'EXPORT_PRIVATE_KEY'],
  ['PRIVATE_KEY', 'IMPORT', 'INIT_IMPORT_PRIVATE_KEY IMPORT_PRIVATE_KEY'],
  [
    'PRIVATE_KEY',
    'SIGN',
    'SIGN_RAW_PAYLOAD SIGN_RAW_PAYLOADS SIGN_TRANSACTION ETH_SEND_TRANSACTION SOL_SEND_TRANSACTION' +
      ' ETH_UNDELEGATE_7702',
  ],
  ['TRANSACTION', 'CREATE', 'ETH_SEND_RAW_TRANSACTION'],
  ['TRANSACTION', 'DELETE', 'ABANDON_TRANSACTION'],
  ['SECRET', 'EXPORT', 'EXPORT_SECRETS'],
  ['SECRET', 'IMPORT', 'INIT_IMPORT_SECRETS IMPORT_SECRETS'],
  ['SECRET', 'DELETE', 'DELETE_SECRETS'],
  ['USER', 'CREATE', 'CREATE_USERS CREATE_USER_TAG CREATE_API_ONLY_USERS'],
  [
    'USER',
    'UPDATE',
    'UPDATE_USER UPDATE_USER_NAME UPDATE_USER_EMAIL UPDATE_USER_PHONE_NUMBER UPDATE_USER_TAG',
  ],
  ['USER', 'DELETE', 'DELETE_USERS DELETE_USER_TAGS'],
  ['CREDENTIAL', 'CREATE', 'CREATE_API_KEYS CREATE_AUTHENTICATORS CREATE_OAUTH_PROVIDERS'],
  ['CREDENTIAL', 'DELETE', 'DELETE_API_KEYS DELETE_AUTHENTICATORS DELETE_OAUTH_PROVIDERS'],
  ['PAYMENT_METHOD', 'UPDATE', 'SET_PAYMENT_METHOD'],
  ['PAYMENT_METHOD', 'DELETE', 'DELETE_PAYMENT_METHOD'],
  ['SUBSCRIPTION', 'CREATE', 'ACTIVATE_BILLING_TIER'],
  ['CONFIG', 'UPDATE', 'UPDATE_ALLOWED_ORIGINS'],
  ['RECOVERY', 'CREATE', 'INIT_USER_EMAIL_RECOVERY'],
  [
    'AUTH',
    'CREATE',
    'EMAIL_AUTH INIT_OTP_AUTH OTP_AUTH OAUTH OAUTH_LOGIN OTP_LOGIN STAMP_LOGIN' +
      ' CREATE_READ_WRITE_SESSION CREATE_OAUTH2_CREDENTIAL OAUTH2_AUTHENTICATE',
  ],
  ['AUTH', 'UPDATE', 'UPDATE_OAUTH2_CREDENTIAL'],
  ['AUTH', 'DELETE', 'DELETE_OAUTH2_CREDENTIAL'],
  ['OTP', 'CREATE', 'INIT_OTP'],
  ['OTP', 'VERIFY', 'VERIFY_OTP'],
  ['AUTH_PROXY', 'CREATE', 'ENABLE_AUTH_PROXY'],
  ['AUTH_PROXY', 'UPDATE', 'UPDATE_AUTH_PROXY_CONFIG'],
  ['AUTH_PROXY', 'DELETE', 'DISABLE_AUTH_PROXY'],
  ['WEBHOOK_ENDPOINT', 'CREATE', 'CREATE_WEBHOOK_ENDPOINT'],
  ['WEBHOOK_ENDPOINT', 'UPDATE', 'UPDATE_WEBHOOK_ENDPOINT REDELIVER_WEBHOOK_EVENTS'],
  ['WEBHOOK_ENDPOINT', 'DELETE', 'DELETE_WEBHOOK_ENDPOINT'],
  ['MFA_POLICY', 'CREATE', 'CREATE_MFA_POLICY'],
  ['MFA_POLICY', 'UPDATE', 'UPDATE_MFA_POLICY'],
  ['MFA_POLICY', 'DELETE', 'DELETE_MFA_POLICY'],
  ['SESSION_PROFILE', 'CREATE', 'CREATE_SESSION_PROFILE'],
  ['TVC_APP', 'CREATE', 'CREATE_TVC_APP'],
  ['TVC_APP', 'UPDATE', 'UPDATE_TVC_APP_LIVE_DEPLOYMENT'],
  ['TVC_APP', 'DELETE', 'DELETE_TVC_APP_AND_DEPLOYMENTS'],
  ['TVC_DEPLOYMENT', 'CREATE', 'CREATE_TVC_DEPLOYMENT'],
  [
    'TVC_DEPLOYMENT',
    'UPDATE',
    'CREATE_TVC_MANIFEST_APPROVALS RESTORE_TVC_DEPLOYMENT POST_TVC_QUORUM_KEY_SHARE' +
      ' SET_TVC_DEPLOYMENT_STATUS',
  ],
  ['TVC_DEPLOYMENT', 'DELETE', 'DELETE_TVC_DEPLOYMENT'],
  ['TVC_OPERATOR', 'CREATE', 'CREATE_TVC_OPERATOR'],
  ['TVC_QUORUM_KEY', 'CREATE', 'CREATE_TVC_QUORUM_KEY'],
  ['TVC_QUORUM_KEY', 'ENCRYPT', 'RE_ENCRYPT_TVC_QUORUM_KEY_SHARE'],
];

const withoutResource =
  'SPARK_SIGN_FROST SPARK_PREPARE_TRANSFER SPARK_CLAIM_TRANSFER SPARK_PREPARE_LIGHTNING_RECEIVE' +
  ' RECOVER_USER CREATE_READ_ONLY_SESSION SET_IP_ALLOWLIST REMOVE_IP_ALLOWLIST' +
  ' UPSERT_SWAP_CONFIG EXECUTE_SWAP UPSERT_GAS_USAGE_CONFIG INIT_FIAT_ON_RAMP' +
  ' CREATE_FIAT_ON_RAMP_CREDENTIAL UPDATE_FIAT_ON_RAMP_CREDENTIAL DELETE_FIAT_ON_RAMP_CREDENTIAL';

/** Resources that are known, though no kind is published under them. */
const furtherResources = ['FIAT_TRANSACTION', 'ON_RAMP_CREDENTIALS', 'SPONSORSHIP'];

/** Every kind of activity that policies decide on. */
export const activityKinds: readonly Kind[] = [
  ...written.flatMap(([resource, action, kinds]) =>
    kinds.split(' ').map((name) => ({ name, resource, action })),
  ),
  ...withoutResource.split(' ').map((name) => ({ name, resource: undefined, action: undefined })),
];

export const activityResources: ReadonlySet<string> = new Set([
  ...written.map(([resource]) => resource),
  ...furtherResources,
]);

export const activityActions: ReadonlySet<string> = new Set(written.map(([, action]) => action));

/** Names beside `activity.type` and its like that an activity of some kinds has. */
type Shown = {
  readonly kinds: string;
  /** Those that are always there; `params.x` is `activity.params.x`. */
  readonly always?: string;
  /** Of each of these lists, at most one entry is there. */
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
    oneOf: [signers, ['eth.tx', 'solana.tx', 'tron.tx', 'bitcoin.tx', 'tempo.tx']],
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
  { kinds: 'CREATE_API_KEYS', always: 'params.user_id' },
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
  const row = shown.find(({ kinds }) => kinds.split(' ').includes(kind));
  if (row === undefined) return names.length === 0;
  const always = row.always?.split(' ') ?? [];
  const open = names.filter((name) => !always.includes(name));
  const known = (row.oneOf ?? []).flat().join(' ').split(' ');
  if (!open.every((name) => known.includes(name))) return false;
  return (row.oneOf ?? []).every((entries) => {
    const used = entries.filter((entry) => entry.split(' ').some((name) => open.includes(name)));
    return used.length <= 1;
  });
}

/** The kind of an activity type: without its prefix and its version; undefined for other texts. */
export function kindOfType(type: string): string | undefined {
  const spelled = /^ACTIVITY_TYPE_(.+?)(?:_V\d+)?$/.exec(type)?.[1];
  return spelled === undefined ? undefined : activityKindOf(spelled);
}

/** Kinds with more than one type, and the versions of these; the first has no number in its type. */
const versions: ReadonlyMap<string, string> = new Map([
  ['CREATE_SUB_ORGANIZATION', '1 2 3 4 5 6 7 8'],
  ['CREATE_USERS', '1 2 3 4'],
  ['CREATE_API_KEYS', '1 2'],
  ['CREATE_AUTHENTICATORS', '1 2'],
  ['CREATE_OAUTH_PROVIDERS', '1 2'],
  ['CREATE_READ_WRITE_SESSION', '1 2'],
  ['CREATE_PRIVATE_KEYS', '1 2'],
  ['CREATE_POLICY', '1 2 3'],
  ['UPDATE_POLICY', '1 2'],
  ['INIT_OTP', '1 2 3'],
  ['VERIFY_OTP', '1 2'],
  ['OTP_LOGIN', '1 2'],
  ['INIT_OTP_AUTH', '1 2 3'],
  ['EMAIL_AUTH', '1 2 3'],
  ['INIT_USER_EMAIL_RECOVERY', '1 2'],
  ['SIGN_RAW_PAYLOAD', '1 2'],
  ['SIGN_TRANSACTION', '1 2'],
  ['ETH_SEND_TRANSACTION', '1 2'],
  ['SOL_SEND_TRANSACTION', '1 2'],
]);

/** The types of a kind of activity, in all versions and spellings that are taken. */
export function typesOfKind(kind: string): readonly string[] {
  const spelled = kind.replace(/_(?=[0-9]+$)/, '');
  if (spelled !== kind && activityKindOf(spelled) === kind) {
    return [kind, spelled].map((each) => `ACTIVITY_TYPE_${each}`);
  }
  return (versions.get(kind) ?? '1')
    .split(' ')
    .map((version) => `ACTIVITY_TYPE_${kind}${version === '1' ? '' : `_V${version}`}`);
}
