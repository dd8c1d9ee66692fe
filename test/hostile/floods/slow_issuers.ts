// Strangers sign up with ID tokens of their own issuers, which accept connections and never answer. So each
// request waits for keys until the service times out. A neighbour sends whoami meanwhile.

import { type AddressInfo, createServer } from 'node:net';
import { newSigner } from '../../../bench/client.ts';
import { httpRequest } from '../../../bench/load.ts';
import { base64url, utf8 } from '../../../src/core/base/bytes.ts';
import { nonceOf } from '../../support/identity_provider.ts';
import { closedLoop } from '../beside/closed_loop.ts';
import type { Flood, Target } from '../beside/flood.ts';
import { besideAttack } from '../beside/neighbour.ts';
import { attackerAddress } from '../beside/raw_senders.ts';

const connections = 64;
const sources = 8;

export async function attack({ port, authProxyConfigId }: Target): Promise<never> {
  const issuerPort = await startSilentServer();
  const { publicKeyHex } = newSigner('');
  let sent = 0;
  return closedLoop(port, connections, (connection) => {
    sent += 1;
    // The service caches the failure of an issuer, so each request names another one.
    const oidcToken = tokenOf(`http://127.0.0.1:${issuerPort}/${sent}`, publicKeyHex);
    const body = {
      userName: `Stranger ${sent}`,
      apiKeys: [],
      authenticators: [],
      oauthProviders: [{ providerName: 'Provider', oidcToken }],
    };
    const headers = [
      `X-Auth-Proxy-Config-Id: ${authProxyConfigId}`,
      `X-Forwarded-For: ${attackerAddress(connection % sources)}`,
    ];
    return httpRequest('/v1/signup_v2', headers, Buffer.from(JSON.stringify(body)));
  });
}

/** Listens on the returned port, and never answers. */
async function startSilentServer(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Returns a token that only the keys of its issuer could refuse. */
function tokenOf(iss: string, publicKey: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const account = { iss, aud: 'app', sub: 'stranger', nonce: nonceOf(publicKey) };
  const parts = [
    { alg: 'ES256', typ: 'JWT', kid: 'one' },
    { ...account, iat, exp: iat + 3600 },
  ];
  const signed = parts.map((part) => base64url(utf8(JSON.stringify(part)))).join('.');
  return `${signed}.${base64url(new Uint8Array(64).fill(1))}`;
}

export const flood: Flood = {
  name: 'ID tokens of slow issuers',
  run: (bounds) => besideAttack(bounds, import.meta.url),
};
