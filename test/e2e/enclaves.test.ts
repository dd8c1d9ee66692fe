// A service with several enclaves: each organization is served by its own, and by another one while that
// one restarts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TurnkeyClient } from '@turnkey/http';
import { accountParameters, httpClient, newApiKey, timestampMs } from './clients.ts';
import { childrenOf, type RunningService, serviceOfThisFile, until } from './service.ts';

const count = 3;
const tenants = 6;

test('organizations sign in several enclaves despite a kill of one', async () => {
  const service = await serviceOfThisFile({ KEYWRIGHT_ENCLAVES: String(count) });
  const enclaves = childrenOf(service.pid);
  assert.equal(enclaves.length, count);
  const signers = await Promise.all(Array.from({ length: tenants }, () => newTenant(service)));
  const before = await Promise.all(signers.map((sign) => sign('before')));
  assert.equal(new Set(before).size, tenants);

  const [first, second = 0] = enclaves;
  process.kill(second, 'SIGKILL');
  const meanwhile = await Promise.all(signers.map((sign) => retried(() => sign('meanwhile'))));
  assert.equal(new Set(meanwhile).size, tenants);
  await until('the enclave is replaced', () => {
    const now = childrenOf(service.pid);
    return now.length === count && !now.includes(second);
  });
  assert.ok(first !== undefined && childrenOf(service.pid).includes(first));
  // The same payload has the same signature, whichever enclave signs.
  assert.deepEqual(await Promise.all(signers.map((sign) => sign('before'))), before);
});

type Sign = (payload: string) => Promise<string>;

/** Creates a sub-organization with a wallet, and returns a function that signs there. */
async function newTenant(service: RunningService): Promise<Sign> {
  const key = newApiKey();
  const { activity } = await httpClient(service).createSubOrganization({
    type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    timestampMs: timestampMs(),
    organizationId: service.credentials.organizationId,
    parameters: {
      subOrganizationName: 'Tenant',
      rootQuorumThreshold: 1,
      rootUsers: [
        {
          userName: 'Root',
          apiKeys: [
            {
              apiKeyName: 'Key',
              publicKey: key.apiPublicKey,
              curveType: 'API_KEY_CURVE_P256',
            },
          ],
          authenticators: [],
          oauthProviders: [],
        },
      ],
    },
  });
  const organizationId = activity.result.createSubOrganizationResultV8?.subOrganizationId ?? '';
  const tenant = { ...service, credentials: { ...service.credentials, organizationId } };
  const client: TurnkeyClient = httpClient(tenant, key);
  const signWith = await addressOf(client, organizationId);
  return async (payload) => {
    const signed = await client.signRawPayload({
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      timestampMs: timestampMs(),
      organizationId,
      parameters: {
        signWith,
        payload,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_KECCAK256',
      },
    });
    const { r, s, v } = signed.activity.result.signRawPayloadResult ?? {};
    return `${r}${s}${v}`;
  };
}

async function addressOf(client: TurnkeyClient, organizationId: string): Promise<string> {
  const { activity } = await client.createWallet({
    type: 'ACTIVITY_TYPE_CREATE_WALLET',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { walletName: 'Wallet', accounts: [accountParameters.ethereum] },
  });
  return activity.result.createWalletResult?.addresses[0] ?? '';
}

/** Repeats a request that was in progress in the ended enclave. */
async function retried(work: () => Promise<string>): Promise<string> {
  return work().catch((error: unknown) => {
    assert.match(String(error), /the enclave is restarting/);
    return work();
  });
}
