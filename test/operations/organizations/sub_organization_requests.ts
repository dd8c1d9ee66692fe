import { type TestKey, testKey } from '../../support/harness.ts';

export const operation = 'create_sub_organization';
export const typeOf = (version: string) => `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${version}`;
export const type = typeOf('V8');

export const account = (path: string, more: object = {}) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  ...more,
});

export const apiKey = (key: TestKey, more: object = {}) => ({
  apiKeyName: 'Key',
  publicKey: key.publicKey,
  curveType: 'API_KEY_CURVE_P256',
  ...more,
});

export const rootUser = (name: string, more: object = {}) => ({
  userName: name,
  apiKeys: [apiKey(testKey(name))],
  authenticators: [],
  oauthProviders: [],
  ...more,
});

/** Returns the smallest valid request for a child. */
export const minimal = (name: string) => ({
  subOrganizationName: name,
  rootUsers: [rootUser(`${name} root`)],
  rootQuorumThreshold: 1,
});
