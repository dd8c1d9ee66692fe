// Passkeys in a real browser, through @turnkey/webauthn-stamper and @turnkey/http.

import assert from 'node:assert/strict';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { httpClient, isRefusal, timestampMs } from '../clients.ts';
import { serviceOfThisFile } from '../service.ts';
import { browserOfThisFile, missingBrowser, type Site, type TestPage } from './browser.ts';
import type * as passkeyProgram from './pages/passkeys.ts';

const service = await serviceOfThisFile();
const { baseUrl, credentials } = service;
const { organizationId, userId } = credentials;
const { openPage, servePage } = await browserOfThisFile();
const { afterEach, before, test } = testsThatNeed(missingBrowser);
const root = httpClient(service);

let site: Site;
let page: TestPage<typeof passkeyProgram>;
before(async () => {
  site = await servePage('passkeys.ts');
  page = await openPage<typeof passkeyProgram>(site);
});
afterEach(() => page.forgetPasskeys());

type Described = Awaited<ReturnType<typeof passkeyProgram.register>>;

/** Registers a passkey of the root user with its API key. */
async function createAuthenticator(passkey: Described): Promise<string> {
  const { activity } = await root.createAuthenticators({
    type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { userId, authenticators: [passkey] },
  });
  const [id] = activity.result.createAuthenticatorsResult?.authenticatorIds ?? [];
  assert(id !== undefined);
  return id;
}

async function setOrigins(value: string): Promise<void> {
  await root.setOrganizationFeature({
    type: 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value },
  });
}

const removeOrigins = () =>
  root.removeOrganizationFeature({
    type: 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS' },
  });

// AUTH-03
test('a registered passkey reads, submits and registers another one', async () => {
  const passkey = await page.call('register', { name: 'First' });
  await assert.rejects(
    page.call('whoami', { baseUrl, organizationId }),
    isRefusal(16, 'CREDENTIAL_NOT_FOUND'),
  );
  const authenticatorId = await createAuthenticator(passkey);
  const { authenticator } = await root.getAuthenticator({ organizationId, authenticatorId });
  const [held] = await page.passkeys();
  assert.equal(authenticator.credentialId, held?.credentialId);
  assert.equal(authenticator.attestationType, 'none');
  assert.deepEqual(authenticator.transports, ['AUTHENTICATOR_TRANSPORT_INTERNAL']);
  const answer = await page.call('whoami', { baseUrl, organizationId });
  assert.deepEqual([answer.userId, answer.organizationId], [userId, organizationId]);

  const id = passkey.attestation.credentialId;
  const more = { baseUrl, organizationId, userId, name: 'Second', id };
  const { status, votes } = await page.call('addPasskey', more);
  assert.equal(status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(votes[0]?.scheme, 'SIGNATURE_SCHEME_TK_WEBAUTHN');
  const { authenticators } = await root.getAuthenticators({ organizationId, userId });
  const names = authenticators.map((each) => each.authenticatorName);
  assert.deepEqual(names, ['First', 'Second']);
});

test('a security key without user verification signs requests', async () => {
  const simple = await openPage<typeof passkeyProgram>(site, { isSimpleKey: true });
  const passkey = await simple.call('register', { name: 'Security key', isSimple: true });
  assert.deepEqual(passkey.attestation.transports, ['AUTHENTICATOR_TRANSPORT_USB']);
  await createAuthenticator(passkey);
  const id = passkey.attestation.credentialId;
  const answer = await simple.call('whoami', { baseUrl, organizationId, id });
  assert.equal(answer.userId, userId);
});

test('a server can send a stamped request of a page once', async () => {
  await createAuthenticator(await page.call('register', { name: 'Of the page' }));
  const { body, stamp, url } = await page.call('stampCreateWallet', {
    baseUrl,
    organizationId,
    walletName: 'Stamped in the page',
  });
  const headers = { [stamp.stampHeaderName]: stamp.stampHeaderValue };
  const send = async (text: string) => {
    const answer = await fetch(url, { method: 'POST', headers, body: text });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const first = await send(body);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.equal((await send(body)).body.activity.id, first.body.activity.id);
  const other = await send(body.replace('Stamped in the page', 'Something else'));
  assert.equal(other.status, 401);
  assert.match(other.body.message, /^could not verify WebAuthN signature: /);
});

test('a page of another origin is refused if the allowed origins are set', async (t) => {
  await createAuthenticator(await page.call('register', { name: 'Of one origin' }));
  const other = await servePage('passkeys.ts');
  const call = { baseUrl, organizationId };
  // Every page of localhost can use the passkey.
  await page.goTo(other);
  assert.equal((await page.call('whoami', call)).userId, userId);

  await setOrigins(site.origin);
  t.after(removeOrigins);
  const expected = new RegExp(`for the origin \`${other.origin}\`: expected one of ${site.origin}`);
  await assert.rejects(page.call('whoami', call), isRefusal(16, 'SIGNATURE_INVALID', expected));
  const registered = await page.call('register', { name: 'Of another origin' });
  await assert.rejects(
    createAuthenticator(registered),
    isRefusal(3, 'REQUEST_INVALID', new RegExp(`expected the origin to be one of ${site.origin}`)),
  );
  await page.forgetPasskeys();
  await page.goTo(site);
  await createAuthenticator(await page.call('register', { name: 'Of the right origin' }));
  assert.equal((await page.call('whoami', call)).userId, userId);
});

test('a request to the parent finds the sub-organization of a passkey', async () => {
  const passkey = await page.call('register', { name: 'Of the child' });
  const { activity } = await root.createSubOrganization({
    type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    timestampMs: timestampMs(),
    organizationId,
    parameters: {
      subOrganizationName: 'By passkey',
      rootUsers: [
        { userName: 'Child', apiKeys: [], authenticators: [passkey], oauthProviders: [] },
      ],
      rootQuorumThreshold: 1,
    },
  });
  const child = activity.result.createSubOrganizationResultV8;
  const answer = await page.call('whoami', { baseUrl, organizationId });
  assert.equal(answer.organizationId, child?.subOrganizationId);
  assert.equal(answer.userId, child?.rootUserIds?.[0]);
});
