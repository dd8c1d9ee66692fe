// Concurrent clients, and concurrent copies of one request.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { recoverMessageAddress } from 'viem';
import { hashMessage } from 'viem/utils';
import {
  accountParameters,
  createAddress,
  httpClient,
  newApiKey,
  serverClient,
  timestampMs,
  walletBody,
} from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;

test('fifty concurrent clients create wallets and sign with them', async () => {
  const clients = Array.from({ length: 50 }, () => serverClient(service));
  const walletIds = await Promise.all(
    clients.map(async (client, i) => {
      const { walletId, addresses } = await client.createWallet({
        timestampMs: timestampMs(),
        walletName: `Client ${i}`,
        accounts: [accountParameters.ethereum],
      });
      const [signWith = ''] = addresses;
      const message = `Message ${i}`;
      const { r, s, v } = await client.signRawPayload({
        signWith,
        payload: hashMessage(message),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_NO_OP',
      });
      const signature = { r: `0x${r}`, s: `0x${s}`, yParity: Number(v) } as const;
      assert.equal(await recoverMessageAddress({ message, signature }), signWith);
      return walletId;
    }),
  );
  assert.equal(new Set(walletIds).size, clients.length);
  const { wallets } = await httpClient(service).getWallets({ organizationId });
  assert.deepEqual(wallets.map((wallet) => wallet.walletId).sort(), walletIds.sort());
});

test('the same body over several concurrent connections is one activity', async () => {
  const client = httpClient(service);
  const signWith = await createAddress(service, 'Repeated', accountParameters.ethereum);
  for (let round = 0; round < 10; round += 1) {
    const name = `Once ${round}`;
    const wallet = walletBody(service, name, [accountParameters.ethereum]);
    const signature = {
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' as const,
      timestampMs: timestampMs(),
      organizationId,
      parameters: {
        signWith,
        payload: name,
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' as const,
        hashFunction: 'HASH_FUNCTION_SHA256' as const,
      },
    };
    for (const stampOne of [
      () => client.stampCreateWallet(wallet),
      () => client.stampSignRawPayload(signature),
    ]) {
      const requests = await Promise.all([stampOne(), stampOne(), stampOne()]);
      const answers = await Promise.all(requests.map(postAlone));
      // The answers are equal: ID, result, votes and times.
      assert.equal(new Set(answers).size, 1);
    }
  }
  const { wallets } = await client.getWallets({ organizationId });
  const names = wallets.map((made) => made.walletName).filter((name) => name.startsWith('Once'));
  assert.equal(names.length, 10);
  assert.equal(new Set(names).size, 10);
});

test('sub-organizations are created and used concurrently', async () => {
  const parent = serverClient(service);
  await Promise.all(
    Array.from({ length: 10 }, async (_, i) => {
      const key = newApiKey();
      const { subOrganizationId } = await parent.createSubOrganization({
        timestampMs: timestampMs(),
        subOrganizationName: `Customer ${i}`,
        rootQuorumThreshold: 1,
        rootUsers: [
          {
            userName: `Customer ${i}`,
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
      });
      const child = serverClient(service, { key, organizationId: subOrganizationId });
      await child.createWallet({ walletName: `Of customer ${i}`, accounts: [] });
      const { wallets } = await child.getWallets();
      assert.deepEqual(
        wallets.map((wallet) => wallet.walletName),
        [`Of customer ${i}`],
      );
    }),
  );
});

type StampedRequest = {
  readonly url: string;
  readonly body: string;
  readonly stamp: { readonly stampHeaderName: string; readonly stampHeaderValue: string };
};

/** Sends a request over its own connection, and returns the text of the answer. */
async function postAlone({ url, body, stamp }: StampedRequest): Promise<string> {
  const agent = new Agent();
  const answered = Promise.withResolvers<string>();
  const headers = { [stamp.stampHeaderName]: stamp.stampHeaderValue };
  const sending = request(url, { agent, method: 'POST', headers }, (response) => {
    const { statusCode } = response;
    text(response).then((answer) => {
      if (statusCode === 200) answered.resolve(answer);
      else answered.reject(new Error(`${statusCode}: ${answer}`));
    }, answered.reject);
  });
  sending.once('error', answered.reject);
  sending.end(body);
  try {
    return await answered.promise;
  } finally {
    agent.destroy();
  }
}
