// A stranger signs up and signs payloads of 3.8 MB. Ten connections then list these activities and their
// webhook deliveries in a loop, in pages of 100. A neighbour from another organization sends whoami.

import { newSigner, type Signer, stamper } from '../../../bench/client.ts';
import { httpRequest } from '../../../bench/load.ts';
import { accountsOf } from '../../operations/wallets/deep_accounts.ts';
import type { Flood, FloodedService, Target } from '../beside/flood.ts';
import { besideAttack, connectionFrom, whoAmI } from '../beside/neighbour.ts';
import { attackerAddress } from '../beside/raw_senders.ts';
import { resultOf } from '../beside/root_changes.ts';

const signatures = 8;
const payloadCharacters = 3_800_000;
const listsOfActivities = 8;
const listsOfDeliveries = 2;
const source = attackerAddress(9);

export async function attack({ port, attacker }: Target): Promise<never> {
  const stamp = stamper(attacker);
  const { body } = await connectionFrom(port, source)(stamp.query('list_webhook_endpoints', {}));
  const [{ endpointId }] = JSON.parse(body.toString()).webhookEndpoints;
  const page = { endpointId, limit: '100', withBodies: true, withHeaders: true };
  const list = async (next: () => Buffer): Promise<never> => {
    for (const exchange = connectionFrom(port, source); ; ) await exchange(next());
  };
  const activities = () => stamp.query('list_activities', { paginationOptions: { limit: '100' } });
  const deliveries = () => stamp.query('list_webhook_deliveries', page);
  await Promise.all([
    ...Array.from({ length: listsOfActivities }, () => list(activities)),
    ...Array.from({ length: listsOfDeliveries }, () => list(deliveries)),
  ]);
  throw new Error('no connection is left');
}

/** Signs up, and signs the payloads in the new organization. */
async function signLarge({ port, authProxyConfigId }: FloodedService): Promise<Signer> {
  const exchange = connectionFrom(port, source);
  const stranger = newSigner('');
  const answer = await exchange(signUp(authProxyConfigId, stranger.publicKeyHex));
  const { organizationId, wallet } = JSON.parse(answer.body.toString());
  const attacker = { ...stranger, organizationId };
  const stamp = stamper(attacker);
  resultOf(
    await exchange(
      stamp.submit('create_webhook_endpoint', 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
        name: 'large pages',
        subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
      }),
    ),
  );
  for (let i = 0; i < signatures; i += 1) {
    const payload = {
      signWith: wallet.addresses[0],
      payload: `${i} `.padEnd(payloadCharacters, 'x'),
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    };
    const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
    resultOf(await exchange(stamp.submit('sign_raw_payload', type, payload)));
  }
  return attacker;
}

function signUp(configId: string, publicKey: string): Buffer {
  const body = {
    userName: `Stranger ${publicKey}`,
    apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    wallet: { walletName: 'Wallet', accounts: accountsOf(1) },
  };
  const headers = [`X-Auth-Proxy-Config-Id: ${configId}`];
  return httpRequest('/v1/signup_v2', headers, Buffer.from(JSON.stringify(body)));
}

export const flood: Flood = {
  name: 'large pages of a stranger',
  run: async (bounds) =>
    besideAttack(bounds, import.meta.url, whoAmI, await signLarge(bounds.service)),
};
