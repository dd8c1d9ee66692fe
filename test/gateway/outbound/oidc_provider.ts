// A real identity provider on this machine, and a browser that signs in there.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { type JWK, Provider } from 'oidc-provider';
import { type Ending, listening } from './loopback.ts';

const redirectUri = 'https://client.example/callback';
export const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;

function signingKeys(): JWK[] {
  const pairs = {
    RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EdDSA: generateKeyPairSync('ed25519'),
  };
  return algorithms.map((alg) => ({
    ...(pairs[alg].privateKey.export({ format: 'jwk' }) as JWK),
    alg,
    kid: `key-${alg}`,
    use: 'sig',
  }));
}

/** Starts a provider that signs in everyone as `account-1`; returns its issuer. */
export async function startProvider(t: Ending): Promise<string> {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listening(t, server)}`;
  const oidc = new Provider(issuer, {
    jwks: { keys: signingKeys() },
    clients: algorithms.map((alg) => ({
      client_id: `client-${alg}`,
      redirect_uris: [redirectUri],
      response_types: ['id_token'],
      grant_types: ['implicit'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: alg,
    })),
    responseTypes: ['id_token'],
    enabledJWA: { idTokenSigningAlgValues: [...algorithms] },
    cookies: { keys: ['a key of a test'] },
    interactions: { url: (_context, { uid }) => `/in/${uid}` },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    loadExistingGrant: async ({ oidc: context }) => {
      const { client, session } = context;
      assert.ok(client !== undefined && session?.accountId !== undefined);
      const grant = new context.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
  });
  const serve = oidc.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/in/')) return serve(request, response);
    return oidc.interactionFinished(request, response, { login: { accountId: 'account-1' } });
  });
  return issuer;
}

/** Signs in like a browser, by following redirects; returns the token. */
export async function signIn(issuer: string, clientId: string, nonce: string): Promise<string> {
  const cookies = new Map<string, string>();
  const query = { client_id: clientId, response_type: 'id_token', scope: 'openid', nonce };
  const search = new URLSearchParams({ ...query, redirect_uri: redirectUri });
  let url = `${issuer}/auth?${search}`;
  for (let step = 0; step < 6; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location') ?? assert.fail(await answer.text());
    url = new URL(location, url).href;
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('id_token');
    if (token !== null) return token;
  }
  return assert.fail('the provider gave no token');
}
