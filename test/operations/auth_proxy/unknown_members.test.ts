// A newer client sends a member that the onboarding proxy does not know.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertViolation } from '../checks.ts';
import { callProxy, nobody, startProxyService } from './proxy_requests.ts';

const tolerant = { deployment: { refusesUnknownMembers: false } };
const apiKey = {
  apiKeyName: 'Key',
  publicKey: `02${'0'.repeat(62)}06`,
  curveType: 'API_KEY_CURVE_SECP256K1',
};
const signUp = { ...nobody, apiKeys: [apiKey], userName: 'Ada', organizationName: 'Ada' };

test('the proxy leaves an unknown member out and names it in a warning', async (t) => {
  const service = await startProxyService(tolerant);
  t.after(() => service.close());
  const sent = { filterType: 'PUBLIC_KEY', filterValue: apiKey.publicKey, colour: 'blue' };
  const { status, body } = await callProxy(service, 'account', sent);
  assert.equal(status, 200, JSON.stringify(body));
  const members = body.warnings.map(({ member }: { member: string }) => member);
  assert.deepEqual(members, ['colour']);
});

test('the proxy refuses unknown members that change authority, are misspelled or misplaced', async (t) => {
  const service = await startProxyService(tolerant);
  t.after(() => service.close());
  for (const member of ['externalSignerPubkey', 'userNmae', 'deleteWithoutExport']) {
    const refused = await callProxy(service, 'signup', { ...signUp, [member]: 'x' });
    assertViolation(refused, member);
  }
  const nested = { ...signUp, apiKeys: [{ ...apiKey, ownerKey: 'x' }] };
  assertViolation(await callProxy(service, 'signup', nested), 'apiKeys.0.ownerKey');
});

test('a service that refuses unknown members refuses them at the proxy, too', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  const sent = { filterType: 'PUBLIC_KEY', filterValue: apiKey.publicKey, colour: 'blue' };
  assertViolation(await callProxy(service, 'account', sent), 'colour');
});
