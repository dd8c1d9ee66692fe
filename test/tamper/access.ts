// Access rules other than policies: factors, sessions and their scopes, lists of addresses, codes and
// tokens. Also creates records of every remaining kind.

import { describedLabel } from '../operations/address_book/address_label_requests.ts';
import { describedPasskey } from '../operations/authenticators/authenticator_requests.ts';
import {
  clientSecret,
  describedCredential,
  sealedSecret,
} from '../operations/oauth/oauth_requests.ts';
import {
  describedOtp,
  loginSignature,
  sealedCode,
} from '../operations/one_time_codes/otp_requests.ts';
import { describedContract } from '../operations/smart_contract_interfaces/smart_contract_interface_requests.ts';
import { describedControl } from '../operations/velocity_controls/velocity_control_requests.ts';
import { type TestKey, testKey } from '../support/harness.ts';
import { createTestIssuer } from '../support/identity_provider.ts';

/** Ids and keys. Members for parents only are absent in children, and the other way round. */
export type Access = {
  readonly authenticatorId: string;
  readonly oauth2CredentialId: string;
  readonly contractInterfaceId: string;
  /** Requires a second factor of the user for several signatures at once. */
  readonly mfaPolicyId: string;
  /** The profile of the organization, or in a child that of its parent, which allows nothing. */
  readonly sessionProfileId: string;
  /** A session of the user with that profile. */
  readonly scopedKey: TestKey;
  /** A key of the user whose allowlist contains other addresses only. */
  readonly shutOutKey?: TestKey;
  /** The credential of an earlier login. */
  readonly usedLogin?: object;
  /** A code that has not been entered yet. */
  readonly openOtpId?: string;
};

/** The issuer of the tokens of all tenants. */
export const issuer = createTestIssuer();

/** The only contact whose code is known. */
const contact = { contact: 'user@example.com', otpLength: 6, alphanumeric: false };
const knownCode = '000000';

// biome-ignore lint/suspicious/noExplicitAny: results are looked into by path in tests
type Make = (type: string, parameters: object, key?: TestKey, more?: object) => Promise<any>;

export async function grantAccess(of: {
  readonly name: string;
  readonly userId: string;
  readonly userKey: TestKey;
  readonly now: () => number;
  /** In a child, the profile of its parent. */
  readonly parentProfileId: string | undefined;
  /** Submits as the root user, unless another key is given. */
  readonly make: Make;
}): Promise<Access> {
  const { name, userId, userKey, make, parentProfileId } = of;
  const isParent = parentProfileId === undefined;
  const { authenticatorIds } = await make('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
    userId,
    authenticators: [describedPasskey(`Passkey of ${name}`)],
  });
  const oidcToken = issuer.token({ now: of.now }, { sub: `user of ${name}` });
  await make('ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS', {
    userId,
    oauthProviders: [{ providerName: 'Account', oidcToken }],
  });
  const { oauth2CredentialId } = await make(
    'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL',
    // The service refuses an envelope with the secret of another client.
    describedCredential({ encryptedClientSecret: await sealedSecret(clientSecret) }),
  );
  const { smartContractInterfaceId } = await make(
    'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE',
    describedContract(),
  );
  const { mfaPolicyId } = await make('ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId,
    mfaPolicyName: 'Factors',
    condition: "activity.kind == 'SIGN_RAW_PAYLOADS'",
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    order: 0,
  });
  await make('ACTIVITY_TYPE_CREATE_ADDRESS_LABEL', describedLabel());
  // Counts the login below.
  await make('ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL', {
    ...describedControl(),
    dataSource: {
      activityExecution: { filter: { activity: [{ activityType: 'ACTIVITY_TYPE_STAMP_LOGIN' }] } },
    },
  });
  const sessionProfileId = parentProfileId ?? (await makeProfile(make));
  const scopedKey = testKey(`scoped session of ${name}`);
  const { publicKey } = scopedKey;
  const login = { publicKey, sessionProfileId, expirationSeconds: '86400' };
  await make('ACTIVITY_TYPE_STAMP_LOGIN', login, userKey);
  return {
    authenticatorId: authenticatorIds[0],
    oauth2CredentialId,
    contractInterfaceId: smartContractInterfaceId,
    mfaPolicyId,
    sessionProfileId,
    scopedKey,
    ...(isParent ? await grantAsParent(of) : await grantAsChild(of)),
  };
}

async function makeProfile(make: Make): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE';
  const scope = "activity.action == 'NOTHING'";
  return (await make(type, { sessionProfileName: 'Profile', scope })).sessionProfileId;
}

async function grantAsParent({ name, userId, make }: { name: string; userId: string; make: Make }) {
  const shutOutKey = testKey(`shut out of ${name}`);
  const { publicKey } = shutOutKey;
  const apiKeys = [{ apiKeyName: 'Shut out', publicKey, curveType: 'API_KEY_CURVE_P256' }];
  await make('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys });
  const here = [{ cidr: '127.0.0.0/24' }];
  await make('ACTIVITY_TYPE_SET_IP_ALLOWLIST', { enabled: true, rules: here });
  await make('ACTIVITY_TYPE_SET_IP_ALLOWLIST', { publicKey, rules: [{ cidr: '192.0.2.0/24' }] });
  await make('ACTIVITY_TYPE_ENABLE_AUTH_PROXY', {});
  await make('ACTIVITY_TYPE_ROTATE_WEBHOOK_KEY', { immediately: true });
  // Requests a proof of the software that the enclave runs.
  const tag = { userTagName: 'Proved', userIds: [] };
  await make('ACTIVITY_TYPE_CREATE_USER_TAG', tag, undefined, { generateAppProofs: true });
  return { shutOutKey };
}

async function grantAsChild({ name, userId, make }: { name: string; userId: string; make: Make }) {
  const feature = { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' };
  await make('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature);
  await make('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: contact.contact });
  const start = (userIdentifier: string) =>
    make('ACTIVITY_TYPE_INIT_OTP_V3', describedOtp({ ...contact, userIdentifier }));
  const { otpId, otpEncryptionTargetBundle } = await start('first');
  const key = testKey(`client of ${name}`);
  const encryptedOtpBundle = await sealedCode(knownCode, otpEncryptionTargetBundle, key);
  const { verificationToken } = await make('ACTIVITY_TYPE_VERIFY_OTP_V2', {
    otpId,
    encryptedOtpBundle,
  });
  const { publicKey } = key;
  const clientSignature = loginSignature(verificationToken, publicKey, key);
  const usedLogin = { verificationToken, publicKey, clientSignature };
  await make('ACTIVITY_TYPE_OTP_LOGIN_V2', usedLogin);
  const { otpId: openOtpId } = await start('second');
  return { usedLogin, openOtpId };
}
