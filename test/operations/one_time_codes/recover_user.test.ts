// OPEN-09
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptCredentialBundle, getPublicKey } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { type Sender, startTestService, type TestService } from '../../support/harness.ts';
import { describedPasskey, passkeyStamp } from '../authenticators/authenticator_requests.ts';
import { assertRefused, checkActivity } from '../checks.ts';
import { changeOrganization } from '../other_callers.ts';
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

/** Opens the key in the last mail. */
function mailedKey(service: TestService) {
  const text = service.outside.messages.at(-1)?.text ?? '';
  const bundle = /^(\w{100,})$/m.exec(text)?.[1] ?? assert.fail(text);
  const privateKey = Uint8Array.fromHex(decryptCredentialBundle(bundle, hex(clientKey)));
  return { privateKey, publicKey: hex(getPublicKey(privateKey)) };
}

test('init_user_email_recovery: mails a key that allows only the recovery', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice', { userEmail: alice });
  await switchOn(service, service.root.organizationId, ['FEATURE_NAME_EMAIL_RECOVERY']);
  const parameters = described({ expirationSeconds: '60', sendFromEmailSenderName: 'Keys' });
  const result = await checkActivity(service, {
    ...init,
    parameters,
    // The recovery of the child is switched off.
    refusedInChild: { status: 403, code: 7 },
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
  assert.match(answer.body.message, /is valid only for ACTIVITY_TYPE_RECOVER_USER$/);
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

test('init_user_email_recovery: refuses unknown users and disabled recovery', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await checkSwitchedOff(service, init, described(), /^recovery by e-mail is disabled in /);
  // The older name of the feature counts too.
  const { organizationId } = await childWithAlice(service, [
    'FEATURE_NAME_ROOT_USER_EMAIL_RECOVERY',
  ]);
  const as = { organizationId };
  const nobody = described({ email: 'nobody@example.com' });
  assertRefused(await submit(service, init, nobody, as), 404, 5);
  resultOf(await submit(service, init, described(), as));
});

// OP-RECOVER-01, OP-RECOVER-03
test('recover_user: adds a passkey and ends the mailed keys', async (t) => {
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
  const wrongly = (field: string, changes: object) => ({
    field: `parameters.authenticator.${field}`,
    parameters: { ...parameters, authenticator: { ...parameters.authenticator, ...changes } },
  });
  const inAttestation = (member: string, value: unknown, at = '') =>
    wrongly(`attestation.${member}${at}`, { attestation: { ...attestation, [member]: value } });
  const { authenticatorId } = await checkActivity(service, {
    ...recover,
    parameters, // OP-RECOVER-04, OP-RECOVER-05
    malformed: [
      // OP-RECOVER-06 … OP-RECOVER-08
      ...['authenticatorName', 'challenge', 'attestation'].flatMap((member) => [
        wrongly(member, { [member]: undefined }),
        wrongly(member, { [member]: 1 }),
      ]),
      wrongly('challenge', { challenge: 'another' }),
      // OP-RECOVER-09 … OP-RECOVER-12
      ...['credentialId', 'clientDataJson', 'attestationObject', 'transports'].flatMap((member) => [
        inAttestation(member, undefined),
        inAttestation(member, 1),
      ]),
      inAttestation('transports', ['AUTHENTICATOR_TRANSPORT_FAX'], '.0'),
      // OP-RECOVER-14
      inAttestation('clientDataJson', 'no base64url!'),
      inAttestation('attestationObject', 'no base64url!'),
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

// OP-RECOVER-13
test('recover_user: unwraps a credential id from CBOR', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId } = service.root;
  await switchOn(service, service.root.organizationId, ['FEATURE_NAME_EMAIL_RECOVERY']);
  const described = describedPasskey('Wrapped');
  const raw = Buffer.from(described.attestation.credentialId, 'base64url');
  const inCbor = (id: Buffer) => {
    assert(id.length > 23 && id.length < 256, 'one byte tells the length');
    return Buffer.concat([Buffer.of(0x58, id.length), id]).toString('base64url');
  };
  const send = (credentialId: string) => {
    const attestation = { ...described.attestation, credentialId };
    return submit(service, recover, { userId, authenticator: { ...described, attestation } });
  };
  assertRefused(await send(inCbor(Buffer.alloc(32, 1))), 400, 3);
  resultOf(await send(inCbor(raw)));
  const [passkey] = (await shownUser(service, userId)).authenticators;
  assert.equal(passkey.credentialId, described.attestation.credentialId);
});

test('recover_user: the mailed key works alone, once, for its own user', async (t) => {
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
  assertRefused(await send({}, asParent), 400, 3);
  await switchOn(service, organizationId, []);
  assertRefused(await send(), 403, 7);
  await switchOn(service, organizationId, ['FEATURE_NAME_EMAIL_RECOVERY']);
  resultOf(await send());
  assertRefused(await send({ authenticator: describedPasskey('Another') }), 401, 16);
  // The new passkey is an ordinary credential.
  const body = Buffer.from(JSON.stringify({ organizationId }));
  const whoami = await service.send('query', 'whoami', body, [passkeyStamp(body, 'New')]);
  assert.equal(whoami.body.userId, userId);

  resultOf(await submit(service, init, described({ expirationSeconds }), asParent));
  const late = { organizationId, key: mailedKey(service) };
  service.advance(60_000);
  assertRefused(await send({ authenticator: describedPasskey('Late') }, late), 401, 16);
});

test('recover_user: the mailed key of a root user works only for its own user, too', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { userId, organizationId } = service.root;
  await changeOrganization(service, (draft) => {
    const root = draft.get('user', userId) ?? assert.fail();
    draft.put('user', { ...root, email: alice });
    return undefined;
  });
  const bob = await makeUser(service, 'Bob');
  await switchOn(service, organizationId, ['FEATURE_NAME_EMAIL_RECOVERY']);
  resultOf(await submit(service, init, described()));
  const as = { key: mailedKey(service) };
  const send = (user: string) =>
    submit(service, recover, { userId: user, authenticator: describedPasskey('New') }, as);
  const answer = await send(bob);
  assertRefused(answer, 403, 7);
  assert.match(
    answer.body.message,
    /is valid only for ACTIVITY_TYPE_RECOVER_USER of its own user$/,
  );
  resultOf(await send(userId));
  const shown = await shownUser(service, bob);
  assert.deepEqual(shown.authenticators, []);
});

test('recover_user: one of several recoveries at once adds a passkey, whether they use one mailed key or two', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice', { userEmail: alice });
  await switchOn(service, service.root.organizationId, ['FEATURE_NAME_EMAIL_RECOVERY']);
  const mailed = async () => {
    resultOf(await submit(service, init, described()));
    return { key: mailedKey(service) };
  };
  const [first, second] = [await mailed(), await mailed()];
  const answers = await Promise.all(
    [first, first, second, second].map((as, i) =>
      submit(service, recover, { userId, authenticator: describedPasskey(`New ${i}`) }, as),
    ),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, 401, 401, 401]);
  assert.equal((await shownUser(service, userId)).authenticators.length, 1);
});
