// Mailed keys that have not signed yet prove an address and a login, and end with either.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptCredentialBundle, getPublicKey } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { type Sender, startTestService, type TestService } from '../../support/harness.ts';
import { describedPasskey } from '../authenticators/authenticator_requests.ts';
import { assertRefused } from '../checks.ts';
import { changeOrganization } from '../other_callers.ts';
import { clientKey, targetPublicKey } from '../wallets/transfer_requests.ts';
import { alice, childWithAlice, resultOf, submit } from './otp_requests.ts';

const login = { operation: 'email_auth', type: 'ACTIVITY_TYPE_EMAIL_AUTH_V3' };
const recovery = {
  operation: 'init_user_email_recovery',
  type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
};
const recover = { operation: 'recover_user', type: 'ACTIVITY_TYPE_RECOVER_USER' };
const updateEmail = {
  operation: 'update_user_email',
  type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
};
const updateName = { operation: 'update_user_name', type: 'ACTIVITY_TYPE_UPDATE_USER_NAME' };

/** Mails a key to Alice, and opens it as the reader of the mail. */
async function mailed(
  service: TestService,
  kind: { readonly operation: string; readonly type: string },
  organizationId: string,
): Promise<Required<Sender>> {
  const emailCustomization = { appName: 'Example' };
  const parameters = { email: alice, targetPublicKey, emailCustomization };
  resultOf(await submit(service, kind, parameters, { organizationId }));
  const text = service.outside.messages.at(-1)?.text ?? '';
  const bundle = /^(\w{100,})$/m.exec(text)?.[1] ?? assert.fail(text);
  const privateKey = Uint8Array.fromHex(decryptCredentialBundle(bundle, hex(clientKey)));
  return { organizationId, key: { privateKey, publicKey: hex(getPublicKey(privateKey)) } };
}

/** Starts a service with a child. Alice is a member of its root quorum, so she can change her own address. */
async function startChild(t: { after(run: () => void): void }) {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, userId, ...child } = await childWithAlice(service);
  await changeOrganization(
    service,
    (draft) => {
      const { userIds } = draft.head.rootQuorum;
      draft.setHead({ rootQuorum: { threshold: 1, userIds: [...userIds, userId] } });
      return undefined;
    },
    organizationId,
  );
  return { service, organizationId, userId, root: { organizationId, ...child } };
}

const changes = [
  { operation: updateEmail, parameters: { userEmail: 'new@example.com' } },
  { operation: updateEmail, parameters: { userEmail: '' } },
  {
    operation: { operation: 'update_user', type: 'ACTIVITY_TYPE_UPDATE_USER' },
    parameters: { userEmail: 'new@example.com' },
  },
];

test('another address, or none, ends the mailed keys that have not signed', async (t) => {
  for (const { operation, parameters } of changes) {
    const { service, organizationId, userId, root } = await startChild(t);
    const unread = await mailed(service, login, organizationId);
    const lost = await mailed(service, recovery, organizationId);
    const authenticator = describedPasskey('Thief');
    resultOf(await submit(service, operation, { userId, ...parameters }, root));
    const name = { userId, userName: 'Thief' };
    assertRefused(await submit(service, updateName, name, unread), 401, 16);
    assertRefused(await submit(service, recover, { userId, authenticator }, lost), 401, 16);
  }
});

test('the same address in other letters, a name or a phone number ends no mailed key', async (t) => {
  const { service, organizationId, userId, root } = await startChild(t);
  const unread = await mailed(service, login, organizationId);
  const lost = await mailed(service, recovery, organizationId);
  resultOf(await submit(service, updateEmail, { userId, userEmail: alice.toUpperCase() }, root));
  resultOf(await submit(service, updateName, { userId, userName: 'Alice B' }, root));
  const phone = {
    operation: 'update_user_phone_number',
    type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
  };
  resultOf(await submit(service, phone, { userId, userPhoneNumber: '+4930999999' }, root));
  resultOf(await submit(service, updateName, { userId, userName: 'Alice' }, unread));
  const authenticator = describedPasskey('Own');
  resultOf(await submit(service, recover, { userId, authenticator }, lost));
});

test('a session that a mail began, and the key of the change itself, outlast another address', async (t) => {
  const { service, organizationId, userId } = await startChild(t);
  const session = await mailed(service, login, organizationId);
  resultOf(await submit(service, updateName, { userId, userName: 'Alice' }, session));
  const fresh = await mailed(service, login, organizationId);
  const address = { userId, userEmail: 'new@example.com' };
  resultOf(await submit(service, updateEmail, address, fresh));
  for (const as of [session, fresh]) {
    resultOf(await submit(service, updateName, { userId, userName: 'Alice' }, as));
  }
});

test('the removal of the login ends mailed keys that have not signed', async (t) => {
  const { service, organizationId, userId, root } = await startChild(t);
  const session = await mailed(service, login, organizationId);
  resultOf(await submit(service, updateName, { userId, userName: 'Alice' }, session));
  const unread = await mailed(service, login, organizationId);
  const remove = {
    operation: 'remove_organization_feature',
    type: 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE',
  };
  resultOf(await submit(service, remove, { name: 'FEATURE_NAME_SMS_AUTH' }, root));
  assert.equal((await service.query('whoami', {}, unread)).status, 200);
  resultOf(await submit(service, remove, { name: 'FEATURE_NAME_EMAIL_AUTH' }, root));
  const name = { userId, userName: 'Thief' };
  assertRefused(await submit(service, updateName, name, unread), 401, 16);
  resultOf(await submit(service, updateName, { userId, userName: 'Alice' }, session));
});

test('the removal of the recovery ends its mailed keys, also if the recovery returns', async (t) => {
  const { service, organizationId, userId, root } = await startChild(t);
  const unread = await mailed(service, recovery, organizationId);
  const feature = (act: 'set' | 'remove', more: object = {}) => ({
    operation: `${act}_organization_feature`,
    type: `ACTIVITY_TYPE_${act.toUpperCase()}_ORGANIZATION_FEATURE`,
    parameters: { name: 'FEATURE_NAME_EMAIL_RECOVERY', ...more },
  });
  for (const change of [feature('remove'), feature('set', { value: '' })]) {
    resultOf(await submit(service, change, change.parameters, root));
  }
  assert.equal((await service.query('whoami', {}, unread)).status, 401);
  const parameters = { userId, authenticator: describedPasskey('Thief') };
  assertRefused(await submit(service, recover, parameters, unread), 401, 16);
});
