// Two sources sign up at the onboarding proxy nine times a second each, which the rate limit allows, with
// wallets that take long to derive. The root user of the parent revokes keys and users meanwhile.

import { setTimeout as pause } from 'node:timers/promises';
import { newSigner } from '../../../bench/client.ts';
import { httpRequest, openConnection } from '../../../bench/load.ts';
import { accountsOf } from '../../operations/wallets/deep_accounts.ts';
import type { Flood, Target } from '../beside/flood.ts';
import { besideAttack } from '../beside/neighbour.ts';
import { attackerAddress } from '../beside/raw_senders.ts';
import { rootChanges } from '../beside/root_changes.ts';

const sources = 2;
const perSecond = 9;
/** A slow answer does not delay the next sign-up. */
const connectionsOfSource = 18;

export async function attack({ port, authProxyConfigId }: Target): Promise<never> {
  const all = Array.from({ length: sources * connectionsOfSource }, async (_, i) => {
    const source = attackerAddress(i % sources);
    const place = Math.floor(i / sources);
    await pause((place * 1000) / perSecond);
    for (let connection = await openConnection(port); ; ) {
      const next = pause((connectionsOfSource * 1000) / perSecond);
      const status = await connection.exchange(signUp(authProxyConfigId, source));
      if (status !== 200 && status !== 429 && status !== 503) throw new Error(`answered ${status}`);
      await next;
    }
  });
  await Promise.all(all);
  throw new Error('no connection is left');
}

function signUp(configId: string, source: string): Buffer {
  const { publicKeyHex } = newSigner('');
  const body = {
    userName: `Stranger ${publicKeyHex}`,
    apiKeys: [{ apiKeyName: 'Key', publicKey: publicKeyHex, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [],
    oauthProviders: [],
    wallet: { walletName: 'Wallet', accounts: accountsOf(20) },
  };
  const headers = [`X-Auth-Proxy-Config-Id: ${configId}`, `X-Forwarded-For: ${source}`];
  return httpRequest('/v1/signup_v2', headers, Buffer.from(JSON.stringify(body)));
}

export const flood: Flood = {
  longestMs: 1_000,
  name: 'sign-ups of two sources',
  run: (bounds) => besideAttack(bounds, import.meta.url, rootChanges),
};
