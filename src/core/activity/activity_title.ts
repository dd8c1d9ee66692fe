// Titles of activities in the words of people.

/** Titles of kinds whose name in the API is not what people say. */
const titles: Readonly<Record<string, string>> = {
  AUTH: 'Sign-in',
  CREATE_AUTH: 'Sign in',
  STAMP_LOGIN: 'Sign in',
  OAUTH: 'Sign in with identity provider',
  OAUTH_LOGIN: 'Sign in with identity provider',
  OAUTH2_AUTHENTICATE: 'Fetch identity token',
  OTP_AUTH: 'Sign in with code',
  OTP_LOGIN: 'Sign in with code',
  EMAIL_AUTH: 'Send sign-in e-mail',
  INIT_OTP: 'Send one-time code',
  INIT_OTP_AUTH: 'Send sign-in code',
  VERIFY_OTP: 'Verify one-time code',
  INIT_USER_EMAIL_RECOVERY: 'Send recovery code',
  CREATE_READ_ONLY_SESSION: 'Start read-only session',
  CREATE_READ_WRITE_SESSION: 'Start session',
  CREATE_AUTHENTICATORS: 'Add passkeys',
  DELETE_AUTHENTICATORS: 'Delete passkeys',
  CREATE_OAUTH_PROVIDERS: 'Add identity providers',
  DELETE_OAUTH_PROVIDERS: 'Delete identity providers',
  CREATE_OAUTH2_CREDENTIAL: 'Add identity provider client',
  UPDATE_OAUTH2_CREDENTIAL: 'Update identity provider client',
  DELETE_OAUTH2_CREDENTIAL: 'Delete identity provider client',
  CREATE_API_ONLY_USERS: 'Create users with API keys',
  SIGN_RAW_PAYLOAD: 'Sign message or data',
  SIGN_RAW_PAYLOADS: 'Sign messages or data',
  ETH_SEND_TRANSACTION: 'Send transaction',
  ETH_SEND_RAW_TRANSACTION: 'Send signed transaction',
  SOL_SEND_TRANSACTION: 'Send Solana transaction',
  ETH_UNDELEGATE_7702: 'End account delegation',
  ETH_UNDELEGATE7702: 'End account delegation',
  EARN_DEPOSIT: 'Deposit into vault',
  EARN_WITHDRAW: 'Withdraw from vault',
  INIT_IMPORT_WALLET: 'Prepare wallet import',
  INIT_IMPORT_PRIVATE_KEY: 'Prepare private key import',
  INIT_IMPORT_SECRETS: 'Prepare secret import',
  CREATE_FREEZE: 'Freeze',
  DELETE_FREEZE: 'Lift freeze',
  CREATE_VELOCITY_CONTROL: 'Create limit over time',
  DELETE_VELOCITY_CONTROL: 'Delete limit over time',
  DELETE_VELOCITY_CONTROLS: 'Delete limits over time',
  AUTH_PROXY: 'Onboarding proxy',
  CREATE_AUTH_PROXY: 'Enable onboarding proxy',
  DELETE_AUTH_PROXY: 'Disable onboarding proxy',
  UPDATE_AUTH_PROXY: 'Update onboarding proxy',
  ENABLE_AUTH_PROXY: 'Enable onboarding proxy',
  DISABLE_AUTH_PROXY: 'Disable onboarding proxy',
  UPDATE_AUTH_PROXY_CONFIG: 'Update onboarding proxy',
  SET_ORGANIZATION_FEATURE: 'Set feature',
  REMOVE_ORGANIZATION_FEATURE: 'Remove feature',
  CREATE_SUB_ORGANIZATION: 'Create sub-organization',
  DELETE_SUB_ORGANIZATION: 'Delete sub-organization',
  CREATE_SMART_CONTRACT_INTERFACE: 'Add contract interface',
  DELETE_SMART_CONTRACT_INTERFACE: 'Delete contract interface',
  SIGN_SPONSORSHIP: 'Pay for sponsored transactions',
  UPSERT_GAS_USAGE_CONFIG: 'Set gas sponsorship',
  UPSERT_SWAP_CONFIG: 'Set swap configuration',
  REDELIVER_WEBHOOK_EVENTS: 'Redeliver webhook events',
};

/** Returns `Sign message or data` for `ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2`, or for the kind in it. */
export function activityTitle(type: string): string {
  const kind = type.replace(/^(ACTIVITY|APP_PROOF)_TYPE_/, '').replace(/_V\d+$/, '');
  if (Object.hasOwn(titles, kind)) return titles[kind] ?? kind;
  const words = kind
    .toLowerCase()
    .replaceAll('_', ' ')
    .replaceAll(/\b(api|mfa|otp|ip|tvc)\b/g, (word) => word.toUpperCase());
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Returns `signing transactions` for `SIGN_TRANSACTION`, and `exporting` for the action `EXPORT`. */
export function activityGerund(type: string): string {
  const [verb = '', ...things] = lowerFirst(activityTitle(type)).split(' ');
  const doing = `${verb.replace(/^set$/, 'sett').replace(/e$/, '')}ing`;
  return [doing, ...(things.length === 0 ? [] : [pluralOf(things.join(' '))])].join(' ');
}

/** Returns `private keys` for the resource `PRIVATE_KEY`. */
export const resourcePlural = (resource: string): string =>
  pluralOf(lowerFirst(activityTitle(resource)));

function pluralOf(words: string): string {
  if (/(quorum|proxy|allowlist)$/.test(words)) return `the ${words}`;
  if (/(s|^in|vault|sponsorship|time)$/.test(words)) return words;
  const data = ' or data';
  if (words.endsWith(data)) return `${pluralOf(words.slice(0, -data.length))}${data}`;
  return `${words.replace(/([^aeiou])y$/, '$1ie')}s`;
}

/** Leaves abbreviations such as `API key` as they are. */
const lowerFirst = (text: string): string =>
  /^[A-Z]{2}/.test(text) ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
