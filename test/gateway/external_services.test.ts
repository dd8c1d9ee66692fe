// Requests of the gateway for the enclave, over real connections to servers on this machine.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { noMetrics } from '../../src/gateway/observability/metrics.ts';
import { issuerKeyLimits } from '../../src/gateway/outbound/oidc_keys.ts';
import { createExternalServices } from '../../src/gateway/start/external_services.ts';
import { noTracing } from '../../src/gateway/traces/tracing.ts';
import { temporaryDirectory } from '../e2e/service.ts';
import { createTestIssuer } from '../support/identity_provider.ts';
import { httpServer } from './outbound/loopback.ts';

type Line = { readonly message: string; readonly fields: object };

function outsideOf(t: TestContext, settings: object = {}) {
  const lines: Line[] = [];
  const outside = createExternalServices(
    {
      allowPrivateTargets: true,
      oidcIssuers: undefined,
      oauth2Endpoints: undefined,
      captchaUrl: undefined,
      captchaSecret: undefined,
      chains: undefined,
      keyHolderSocket: undefined,
      dataDirectory: temporaryDirectory(),
      ...settings,
    },
    {
      deliver: () => assert.fail('nothing is sent'),
      log: (_level, message, fields) => lines.push({ message, fields }),
      tracing: noTracing,
      metrics: noMetrics,
    },
  );
  t.after(() => outside.close());
  return { outside, lines };
}

/** Starts an issuer with this answer for its key set. */
async function issuerAt(t: TestContext, keySet: RequestListener): Promise<string> {
  let issuer = '';
  const port = await httpServer(t, (request, response) => {
    if (request.url === '/keys') return keySet(request, response);
    response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
  });
  issuer = `http://127.0.0.1:${port}`;
  return issuer;
}

const refusedWith = (code: string, reason = /^/) => ({
  name: 'ServiceError',
  code,
  message: reason,
});
const unavailable = (reason: RegExp) => refusedWith('oidc_issuer_unavailable', reason);

test('the keys of an issuer are fetched once, and again for an unknown key id', async (t) => {
  const sets = ['first', 'second'].map((name) => createTestIssuer('', name).keySet);
  let fetched = 0;
  const issuer = await issuerAt(t, (_request, response) => {
    response.end(JSON.stringify(sets[fetched]));
    fetched += 1;
  });
  const { outside } = outsideOf(t);
  for (const keyId of ['first', undefined, 'first']) {
    assert.deepEqual(await outside.issuerKeys(issuer, keyId), sets[0]);
  }
  assert.equal(fetched, 1);
});

test('an issuer that is down, redirects or sends too much has no keys', async (t) => {
  const { outside } = outsideOf(t);
  const port = await httpServer(t, (request) => request.socket.destroy());
  await assert.rejects(
    outside.issuerKeys(`http://127.0.0.1:${port}`, undefined),
    unavailable(/the request failed \(network\)/),
  );
  const elsewhere = await issuerAt(t, (_request, response) => {
    response.writeHead(302, { location: '/other' }).end();
  });
  await assert.rejects(
    outside.issuerKeys(elsewhere, undefined),
    unavailable(/answered with status 302/),
  );
  const huge = await issuerAt(t, (_request, response) => {
    response.end(`{"keys":["${'x'.repeat(issuerKeyLimits.documentBytes)}"]}`);
  });
  await assert.rejects(
    outside.issuerKeys(huge, undefined),
    unavailable(/the request failed \(too_large\)/),
  );
  const many = await issuerAt(t, (_request, response) => {
    response.end(JSON.stringify({ keys: Array.from({ length: 101 }, () => ({})) }));
  });
  await assert.rejects(outside.issuerKeys(many, undefined), unavailable(/at most 100 keys/));
});

test('only listed issuers are requested; an empty list excludes all', async (t) => {
  const { keySet } = createTestIssuer();
  let fetched = 0;
  const issuer = await issuerAt(t, (_request, response) => {
    fetched += 1;
    response.end(JSON.stringify(keySet));
  });
  for (const oidcIssuers of [[], ['https://other.example'], [`${issuer}/`]]) {
    const { outside } = outsideOf(t, { oidcIssuers });
    await assert.rejects(
      outside.issuerKeys(issuer, undefined),
      refusedWith('oidc_issuer_not_accepted'),
    );
  }
  assert.equal(fetched, 0);
  const { outside } = outsideOf(t, { oidcIssuers: [issuer] });
  assert.deepEqual(await outside.issuerKeys(issuer, undefined), keySet);
});

test('private addresses are requested only if a setting allows it', async (t) => {
  const issuer = await issuerAt(t, () => assert.fail('it is not asked'));
  const { outside, lines } = outsideOf(t, { allowPrivateTargets: false });
  await assert.rejects(outside.issuerKeys(issuer, undefined), /not accepted/);
  const request = { url: issuer, method: 'GET', headers: {}, body: new Uint8Array(0) } as const;
  await assert.rejects(outside.fetch(request), refusedWith('oauth2_provider_unavailable'));
  assert.equal(lines.length, 1);
});

test('a provider is requested at its replacement address, and its answer is unchanged', async (t) => {
  const got: string[] = [];
  const port = await httpServer(t, async (request, response) => {
    const { method, url, headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    got.push([method, url, headers.authorization, body].join(' '));
    response.statusCode = url === '/token' ? 400 : 302;
    response.end('answer');
  });
  const own = `http://127.0.0.1:${port}`;
  const tokenUrl = 'https://provider.example/token';
  const { outside } = outsideOf(t, { oauth2Endpoints: { [tokenUrl]: `${own}/token` } });
  const headers = { authorization: 'Basic x' };
  const body = Buffer.from('code=1');
  const answer = await outside.fetch({ url: tokenUrl, method: 'POST', headers, body });
  assert.deepEqual([answer.status, Buffer.from(answer.body).toString()], [400, 'answer']);
  const other = { url: `${own}/me`, method: 'GET', headers, body: new Uint8Array(0) } as const;
  assert.equal((await outside.fetch(other)).status, 302);
  assert.deepEqual(got, ['POST /token Basic x code=1', 'GET /me Basic x ']);
});

test('a failed request is reported to the operator, without its content', async (t) => {
  const port = await httpServer(t, (_request, response) => {
    response.end('x'.repeat(64 * 1024 + 1));
  });
  const { outside, lines } = outsideOf(t);
  const secret = 'a secret of a client';
  const request = {
    url: `http://127.0.0.1:${port}/token`,
    method: 'POST',
    headers: { authorization: secret },
    body: Buffer.from(secret),
  } as const;
  await assert.rejects(outside.fetch(request), ServiceError);
  const [line] = lines;
  assert.equal(line?.message, 'an OAuth 2.0 provider did not answer');
  assert.match(JSON.stringify(line), /too_large/);
  assert.ok(!JSON.stringify(lines).includes(secret));
});
