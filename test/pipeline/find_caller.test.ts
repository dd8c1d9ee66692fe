// The credential of a caller as IP allowlists and votes see it, and the end of its sessions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthenticationType } from '../../src/core/base/enums.ts';
import type { Credential } from '../../src/core/users/credentials.ts';
import { originOf } from '../../src/pipeline/find_caller.ts';
import { activityBody, assertRefused } from '../operations/checks.ts';
import { resultOf } from '../operations/sessions/session_requests.ts';
import { makeUser, setFeatures } from '../operations/users/user_requests.ts';
import { startTestService, testKey } from '../support/harness.ts';
import { attestedContact, attestedStamp } from './attested_requests.ts';
import { addAuthenticator, passkeyStamp } from './passkey_requests.ts';
import { bytesOf, renameEnvelope, sendRename } from './requests.ts';

test('only keys of users and of sessions may have their own IP allowlist', () => {
  const { publicKey } = testKey('key');
  const keyOf = (type: AuthenticationType) => {
    const credential: Credential = {
      id: 'key',
      userId: 'user',
      type: 'CREDENTIAL_TYPE_API_KEY_P256',
      publicKey,
      credentialId: '',
      method: { type, id: '' },
    };
    return originOf(credential, { remoteAddress: '192.0.2.1' });
  };
  for (const type of ['AUTHENTICATION_TYPE_API_KEY', 'AUTHENTICATION_TYPE_SESSION'] as const) {
    assert.deepEqual(keyOf(type), { address: '192.0.2.1', publicKey, isOwn: false });
  }
  assert.equal(keyOf('AUTHENTICATION_TYPE_PASSKEY').publicKey, undefined);
});

test('a vote by passkey stores the assertion, which anyone can verify', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const passkey = await addAuthenticator(service, service.root.userId, 'phone');
  const body = bytesOf(renameEnvelope(service));
  const stamp = passkeyStamp(body, passkey);
  const answer = await sendRename(service, body, [stamp]);
  resultOf(answer);
  const [vote] = answer.body.activity.votes;
  assert.deepEqual(JSON.parse(vote.signature), JSON.parse(stamp.value));
});

test('a session by one-time code ends when the organization disables codes', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await setFeatures(service, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  const userEmail = 'alice@example.com';
  const userId = await makeUser(service, 'Alice', { userEmail });
  const key = testKey('attested');
  const body = activityBody(service, 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION', {});
  const header = attestedStamp(body, key, attestedContact(service, key, userEmail));
  const made = await service.send('submit', 'create_read_only_session', body, [header]);
  const headers = [{ name: 'x-session', value: resultOf(made).session }];
  const { organizationId } = service.root;
  const read = () => service.send('query', 'whoami', bytesOf({ organizationId }), headers);
  assert.equal((await read()).body.userId, userId);
  await setFeatures(service, []);
  assertRefused(await read(), 403, 7);
});
