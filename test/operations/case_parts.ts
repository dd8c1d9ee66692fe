// Parts of parameters that cases share.

import { type Tenant, tenantIssuer } from '../hostile/tenants.ts';
import { startMs, testKey } from '../support/harness.ts';
import type { Call } from './case.ts';
import { targetPublicKey } from './wallets/transfer_requests.ts';

export const label = 'New name';
export const payload = {
  payload: '00'.repeat(32),
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
};
/** An Ethereum transfer with EIP-1559 fees. */
export const transaction = {
  type: 'TRANSACTION_TYPE_ETHEREUM',
  unsignedTransaction:
    '02f0010784773594008506fc23ac00825208943fbd991fbcee758776ff50db984d7c124b62a94e880de0b6b3a764000080c0',
};
export const { payload: one, ...payloadForm } = payload;
export const newApiKey = (name: string) => ({
  apiKeyName: label,
  publicKey: testKey(name).publicKey,
  curveType: 'API_KEY_CURVE_P256',
});
/** Parameters for an account that does not exist yet. */
export const newAccount = tenantIssuer.token({ now: () => startMs }, { sub: 'new' });
export const sessionKey = () => ({ publicKey: testKey('new session').publicKey });
export const describedMail = ({ userEmail: email }: Tenant) => ({
  email,
  targetPublicKey,
  emailCustomization: { appName: 'Example' },
});
export const nothing: readonly Call[] = [{ parameters: () => ({}) }];

export function newMfaPolicy({ userId }: Tenant) {
  return {
    userId,
    mfaPolicyName: label,
    condition: 'true',
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    order: 1,
  };
}

export function signers(parameters: (signWith: string) => object): readonly Call[] {
  return (['address', 'privateKeyId', 'privateKeyAddress'] as const).map((name) => ({
    parameters: (of) => parameters(of[name]),
  }));
}

export function after(
  cursor: 'activityId' | 'organizationId' | 'secretId' | 'velocityControlId' | 'walletAccountId',
) {
  return (of: Tenant) => ({ paginationOptions: { limit: '100', after: of[cursor] } });
}
