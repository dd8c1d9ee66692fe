// OP-RECOVER-01 to OP-RECOVER-17, OPEN-09
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptCredentialBundle, getPublicKey } from '@turnkey/crypto';
import { hex } from '../../../src/core/bytes.ts';
import { type Sender, startTestService, type TestService } from '../../harness.ts';
import { describedPasskey, passkeyStamp } from '../authenticators/authenticator_requests.ts';
import { assertRefused, checkActivity } from '../checks.ts';
import { makeUser, shownUser } from '../users/user_requests.ts';
import { clientKey, targetPublicKey } from '../wallets/transfer_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  alice,
  checkSwitchedOff,
  childWithAlice,
  resultOf,
  submit,
  submitOlder,
  switchOn,
} from './otp_requests.ts';

const init = {
  operation: 'init_user_email_recovery',
  type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
  intent: 'initUserEmailRecoveryIntentV2',
  result: 'initUserEmailRecoveryResult',
};
const recover = {
  operation: 'recover_user',
  type: 'ACTIVITY_TYPE_RECOVER_USER', // OP-RECOVER-02
  intent: 'recoverUserIntent', // OP-RECOVER-15, OP-RECOVER-16
  result: 'recoverUserResult', // OP-RECOVER-17
};
const described = (changes: object = {}) => ({
  email: alice,
  targetPublicKey,
  emailCustomization: { appName: 'Example' },
  ...changes,
});

/** The key in the last mail. */
function mailedKey(service: TestService) {
  const text = service.outside.messages.at(-1)?.text ?? '';
  const bundle = /^(\w{100,})$/m.exec(text)?.[1] ?? assert.fail(text);
  const privateKey = Uint8Array.fromHex(decryptCredentialBundle(bundle, hex(clientKey)));
  return { privateKey, publicKey: hex(getPublicKey(privateKey)) };
}

test('init_user_email_recovery: a key for one thing alone is mailed', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice', { userEmail: alice });
  await switchOn(service, service.root.organizationId, ['FEATURE_NAME_EMAIL_RECOVERY']);
  const parameters = described({ expirationSeconds: '60', sendFromEmailSenderName: 'Keys' });
  const result = await checkActivity(service, {
    ...init,
    parameters,
    optional: ['expirationSeconds', 'sendFromEmailSenderName'],
    malformed: [
      { field: 'parameters.email', parameters: { ...parameters, email: 'alice' } },
      {
        field: 'parameters.targetPublicKey',
        parameters: { ...parameters, targetPublicKey: 'x' },
      },
    ],
  });
  assert.deepEqual(result, { userId });
  const [message] = service.outside.messages;
  assert(message?.channel === 'email');
  assert.equal(message.subject, 'Recover your Example account');
  const key = mailedKey(service);
  assert.equal((await service.query('whoami', {}, { key })).body.userId, userId);
  const name = { userId, userName: 'Mallory' };
  const type = 'ACTIVITY_TYPE_UPDATE_USER_NAME';
  const answer = await service.submit('update_user_name', type, name, { key });
  assertRefused(answer, 403, 7);
  assert.match(answer.body.message, /is good for ACTIVITY_TYPE_RECOVER_USER alone$/);
  const child = await childWithAlice(service);
  const older = await submitOlder(
    service,
    'init_user_email_recovery',
    'INIT_USER_EMAIL_RECOVERY',
    { email: alice, targetPublicKey },
    { organizationId: child.organizationId },
  );
  assert.deepEqual(resultOf(older), { userId: child.userId });
});

test('init_user_email_recovery: refuses who is not there and what is switched off', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await checkSwitchedOff(service, init, described(), /^recovery by e-mail is disabled in /);
  // The older name of the switch counts too.
  const { organizationId } = await childWithAlice(service, [
    'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY',
  ]);
  const as = { organizationId };
  const nobody = described({ email: 'nobody@example.com' });
  assertRefused(await submit(service, init, nobody, as), 404, 5);
  resultOf(await submit(service, init, described(), as));
});

test('recover_user: adds a passkey, and the mailed keys end', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice', { userEmail: alice });
  await switchOn(service, service.root.organizationId, ['FEATURE_NAME_EMAIL_RECOVERY']);
  const mailed = async () => {
    resultOf(await submit(service, init, described()));
    return { key: mailedKey(service) };
  };
  const [first, second] = [await mailed(), await mailed()];
  const parameters = { authenticator: describedPasskey('New'), userId };
  const { attestation } = parameters.authenticator;
  const inAttestation = (member: string) => ({
    field: `parameters.authenticator.attestation.${member}`,
    parameters: {
      ...parameters,
      authenticator: { ...parameters.authenticator, attestation: { ...attestation, [member]: 1 } },
    },
  });
  const { authenticatorId } = await checkActivity(service, {
    ...recover,
    parameters,
    malformed: [
      ...['credentialId', 'clientDataJson', 'attestationObject'].map(inAttestation),
      {
        field: 'parameters.authenticator.challenge',
        parameters: {
          ...parameters,
          authenticator: { ...parameters.authenticator, challenge: 'another' },
        },
      },
    ],
  });
  const shown = await shownUser(service, userId);
  assert.deepEqual(
    [authenticatorId.length, shown.authenticators[0].authenticatorId],
    [1, authenticatorId[0]],
  );
  assert.deepEqual(
    shown.apiKeys.map(({ apiKeyName }: { apiKeyName: string }) => apiKeyName),
    ['Alice'],
  );
  for (const as of [first, second]) assertRefused(await service.query('whoami', {}, as), 401, 16);
});

test('recover_user: the mailed key does it alone, once, for its own user', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, userId, ...child } = await childWithAlice(service);
  const asParent = { organizationId };
  const bob = await makeUser(service, 'Bob', {}, { organizationId, ...child });
  const expirationSeconds = '60';
  resultOf(await submit(service, init, described({ expirationSeconds }), asParent));
  const as: Sender = { organizationId, key: mailedKey(service) };
  const parameters = { userId: userId.toUpperCase(), authenticator: describedPasskey('New') };
  const send = (changes: object = {}, sender = as) =>
    submit(service, recover, { ...parameters, ...changes }, sender);
  assertRefused(await send({ userId: bob }), 403, 7);
  assertRefused(await send({ userId: unknownId }), 403, 7);
  assertRefused(await send({}, asParent), 403, 7);
  await switchOn(service, organizationId, []);
  assertRefused(await send(), 403, 7);
  await switchOn(service, organizationId, ['FEATURE_NAME_EMAIL_RECOVERY']);
  resultOf(await send());
  assertRefused(await send({ authenticator: describedPasskey('Another') }), 401, 16);
  // The passkey is a credential like any other.
  const body = Buffer.from(JSON.stringify({ organizationId }));
  const whoami = await service.send('query', 'whoami', body, [passkeyStamp(body, 'New')]);
  assert.equal(whoami.body.userId, userId);

  resultOf(await submit(service, init, described({ expirationSeconds }), asParent));
  const late = { organizationId, key: mailedKey(service) };
  service.advance(60_000);
  assertRefused(await send({ authenticator: describedPasskey('Late') }, late), 401, 16);
});
