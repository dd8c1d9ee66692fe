import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptCredentialBundle, getPublicKey } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { type Sender, startTestService, type TestService, testKey } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import { describedKey, makeUser } from '../users/user_requests.ts';
import { clientKey, targetPublicKey } from '../wallets/transfer_requests.ts';
import {
  alice,
  allowLinks,
  checkSwitchedOff,
  childWithAlice,
  resultOf,
  submit,
  submitOlder,
  switchOn,
} from './otp_requests.ts';

const emailAuth = {
  operation: 'email_auth',
  type: 'ACTIVITY_TYPE_EMAIL_AUTH_V3',
  intent: 'emailAuthIntentV3',
  result: 'emailAuthResult',
};
const described = (changes: object = {}) => ({
  email: alice,
  targetPublicKey,
  emailCustomization: { appName: 'Example' },
  ...changes,
});

test('email_auth: mails a sealed key that is stored nowhere', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const userId = await makeUser(service, 'Alice', { userEmail: 'Alice@example.com' });
  await switchOn(service, service.root.organizationId, ['FEATURE_NAME_EMAIL_AUTH']);
  await allowLinks(service);
  const parameters = described({
    email: 'ALICE@example.com',
    apiKeyName: 'Mail',
    expirationSeconds: '120',
    invalidateExisting: true,
    emailCustomization: {
      appName: 'Example',
      magicLinkTemplate: 'https://app.example/#login=%s',
    },
    sendFromEmailAddress: 'keys@app.example',
    sendFromEmailSenderName: 'Example keys',
    replyToEmailAddress: 'help@app.example',
  });
  const wrong = (field: string, changes: object) => ({
    field: `parameters.${field}`,
    parameters: { ...parameters, ...changes },
  });
  const result = await checkActivity(service, {
    ...emailAuth,
    parameters,
    // The login of the child is switched off.
    refusedInChild: { status: 403, code: 7 },
    optional: Object.keys(parameters).filter(
      (name) => !['email', 'targetPublicKey', 'emailCustomization'].includes(name),
    ),
    malformed: [
      wrong('email', { email: 'alice' }),
      wrong('targetPublicKey', { targetPublicKey: targetPublicKey.slice(2) }),
      wrong('emailCustomization.appName', { emailCustomization: {} }),
      wrong('expirationSeconds', { expirationSeconds: '0' }),
    ],
  });
  assert.deepEqual(Object.keys(result), ['userId', 'apiKeyId']);
  assert.equal(result.userId, userId);
  const [message, second] = service.outside.messages;
  assert(message?.channel === 'email' && second === undefined);
  assert.equal(message.to, 'Alice@example.com');
  assert.equal(message.account, service.root.organizationId);
  assert.equal(message.subject, 'Log in to Example');
  assert.match(message.text, /valid for 2 minutes/);
  const bundle = /#login=(\w+)/.exec(message.text)?.[1] ?? '';
  const privateKey = Uint8Array.fromHex(decryptCredentialBundle(bundle, hex(clientKey)));
  const key = { privateKey, publicKey: hex(getPublicKey(privateKey)) };
  assert.equal((await service.query('whoami', {}, { key })).body.userId, userId);
  const { body } = await service.query('get_api_key', { apiKeyId: result.apiKeyId });
  assert.equal(body.apiKey.credential.type, 'CREDENTIAL_TYPE_EMAIL_AUTH_KEY_P256');
  assert.equal(body.apiKey.apiKeyName, 'Mail');
  const all = await service.query('list_activities', {});
  assert.ok(!JSON.stringify(all.body).includes(bundle));
});

test('email_auth: the parent requests it for a child, also in older versions', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, userId } = await childWithAlice(service);
  const as = { organizationId };
  assert.equal(resultOf(await submit(service, emailAuth, described(), as)).userId, userId);
  for (const type of ['EMAIL_AUTH_V2', 'EMAIL_AUTH']) {
    for (const parameters of [
      { email: alice, targetPublicKey },
      described({ emailCustomization: { logoUrl: '' } }),
    ]) {
      const answer = await submitOlder(service, 'email_auth', type, parameters, as);
      assert.equal(resultOf(answer).userId, userId);
      const version = type.endsWith('V2') ? 'V2' : '';
      assert.deepEqual(Object.keys(answer.body.activity.intent), [`emailAuthIntent${version}`]);
      const message = service.outside.messages.at(-1);
      assert(message?.channel === 'email');
      assert.equal(message.subject, 'Log in');
    }
  }
  assert.equal(service.outside.messages.length, 5);
});

test('email_auth: many mails evict one session at most, and none that started with a mail', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, userId } = await childWithAlice(service);
  const as = { organizationId };
  const mailed = async () => {
    resultOf(await submit(service, emailAuth, described({ expirationSeconds: '9000' }), as));
    const text = service.outside.messages.at(-1)?.text ?? '';
    const bundle = /^(\w{100,})$/m.exec(text)?.[1] ?? '';
    const privateKey = Uint8Array.fromHex(decryptCredentialBundle(bundle, hex(clientKey)));
    return { privateKey, publicKey: hex(getPublicKey(privateKey)) };
  };
  const first = { ...as, key: await mailed() };
  const keyNamed = (name: string) => describedKey(name, { expirationSeconds: '9000' });
  const others = Array.from({ length: 9 }, (_, i) => `Device ${i}`);
  const parameters = { userId, apiKeys: others.map(keyNamed) };
  const type = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2';
  const result = resultOf(await service.submit('create_api_keys', type, parameters, first));
  const kept = async () => {
    const answers = others.map((name) =>
      service.query('whoami', {}, { ...as, key: testKey(name) }),
    );
    return (await Promise.all(answers)).filter(({ status }) => status === 200).length;
  };
  assert.equal(await kept(), 9);
  for (let i = 0; i < 12; i += 1) await mailed();
  assert.equal((await service.query('whoami', {}, first)).status, 401);
  assert.equal(await kept(), 9);
  // The key of a mail becomes an ordinary session once it is used.
  const second = { ...as, key: await mailed() };
  const apiKeyIds = [result.apiKeyIds[0]];
  const deleteType = 'ACTIVITY_TYPE_DELETE_API_KEYS';
  resultOf(await service.submit('delete_api_keys', deleteType, { userId, apiKeyIds }, second));
  for (let i = 0; i < 3; i += 1) await mailed();
  assert.equal(await kept(), 8);
  assert.equal((await service.query('whoami', {}, second)).status, 200);
});

/** Returns a function that requests mails and opens the keys in them. */
function mailsOf(service: TestService, as: Sender) {
  return async (changes: object = {}, asker: Sender = {}) => {
    service.advance(1);
    const parameters = described({ expirationSeconds: '9000', ...changes });
    resultOf(await submit(service, emailAuth, parameters, { ...as, ...asker }));
    const text = service.outside.messages.at(-1)?.text ?? '';
    const bundle = /^(\w{100,})$/m.exec(text)?.[1] ?? '';
    const privateKey = Uint8Array.fromHex(decryptCredentialBundle(bundle, hex(clientKey)));
    return { ...as, key: { privateKey, publicKey: hex(getPublicKey(privateKey)) } };
  };
}

const isAlive = async (service: TestService, as: Sender) =>
  (await service.query('whoami', {}, as)).status === 200;

/** Sends an activity that the holder of a mailed key is allowed to send. */
async function use(service: TestService, userId: string, as: Sender) {
  const parameters = { userId, apiKeys: [describedKey(`Used ${service.now()}`)] };
  service.advance(1);
  const type = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2';
  resultOf(await service.submit('create_api_keys', type, parameters, as));
}

test('email_auth: invalidateExisting ends earlier mailed keys once the new one signs, not before', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, userId } = await childWithAlice(service);
  const mailed = mailsOf(service, { organizationId });
  const [session, unread] = [await mailed(), await mailed()];
  await use(service, userId, session);
  const newer = await mailed({ invalidateExisting: true });
  const newest = await mailed();
  assert.deepEqual(
    await Promise.all([session, unread].map((as) => isAlive(service, as))),
    [true, true],
    'a mail that nobody has read ends nothing',
  );
  await use(service, userId, newer);
  assert.deepEqual(
    await Promise.all([session, unread, newer, newest].map((as) => isAlive(service, as))),
    [false, false, true, true],
  );
  // Its later requests end no further keys.
  await use(service, userId, newest);
  await use(service, userId, newer);
  assert(await isAlive(service, newest));
});

test('email_auth: a user who requests many mails evicts own mails, not those of others', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId, userId } = await childWithAlice(service);
  const mailed = mailsOf(service, { organizationId });
  const asker = await addPlainUser(service);
  const allowed = "activity.kind == 'EMAIL_AUTH'";
  const policy = { policyName: 'Mails', effect: 'EFFECT_ALLOW', condition: allowed, notes: '' };
  resultOf(await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy));
  const own = await mailed();
  const flood = [];
  for (let i = 0; i < 12; i += 1) flood.push(await mailed({}, asker));
  assert(await isAlive(service, own));
  const alive = await Promise.all(flood.map((as) => isAlive(service, as)));
  assert.deepEqual(alive, [...Array(9).fill(false), true, true, true]);
  await use(service, userId, own);
  // Once all places are taken, a mail of the same requester is evicted before those of others.
  const parameters = { userId, apiKeys: [] as object[] };
  const name = (i: number) => describedKey(`Session ${i}`, { expirationSeconds: '9000' });
  parameters.apiKeys = Array.from({ length: 5 }, (_, i) => name(i));
  const type = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2';
  resultOf(await service.submit('create_api_keys', type, parameters, own));
  const another = await mailed();
  for (let i = 0; i < 4; i += 1) await mailed({}, asker);
  assert(await isAlive(service, another));
});

test('email_auth: refuses unknown users, disabled logins, and deployments without mail', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = described();
  await checkSwitchedOff(service, emailAuth, parameters, /^e-mail auth is disabled in /);
  const child = await childWithAlice(service, ['FEATURE_NAME_EMAIL_AUTH']);
  const as = { organizationId: child.organizationId };
  const nobody = await submit(service, emailAuth, described({ email: 'nobody@example.com' }), as);
  assertRefused(nobody, 404, 5);
  await makeUser(service, 'Another', { userEmail: alice }, child);
  assertRefused(await submit(service, emailAuth, parameters, as), 401, 16);
  assert.deepEqual(service.outside.messages, []);

  const mute = await startTestService({ deployment: { sendsEmail: false } });
  t.after(() => mute.close());
  await switchOn(mute, mute.root.organizationId, ['FEATURE_NAME_EMAIL_AUTH']);
  const clientCode = 'EMAIL_SENDING_DISABLED';
  const refusal = { status: 403, code: 7, text: /^the service cannot send e-mails/, clientCode };
  await checkRefused(mute, { ...emailAuth, parameters }, refusal);
});
