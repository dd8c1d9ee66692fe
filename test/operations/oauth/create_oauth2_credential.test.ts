import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encryptOauth2ClientSecret } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { type Sender, startTestService } from '../../support/harness.ts';
import { assertRefused, checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser, changeOrganization } from '../other_callers.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  describedCode,
  describedCredential,
  letAnswer,
  makeCredential,
  sealedSecret,
  testServiceKeys,
} from './oauth_requests.ts';

const wire = {
  operation: 'create_oauth2_credential',
  type: 'ACTIVITY_TYPE_CREATE_OAUTH2_CREDENTIAL',
  intent: 'createOauth2CredentialIntent',
  result: 'createOauth2CredentialResult',
};

const field = 'parameters.encryptedClientSecret';

test('create_oauth2_credential: stores the client, and its secret as it was sealed', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = describedCredential();
  const { oauth2CredentialId } = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: ['provider', 'clientId', 'encryptedClientSecret'].map((name) => ({
      field: `parameters.${name}`,
      parameters: { ...parameters, [name]: '' },
    })),
  });
  const { body } = await service.query('get_oauth2_credential', { oauth2CredentialId });
  const { provider, clientId, encryptedClientSecret } = body.oauth2Credential;
  assert.deepEqual({ provider, clientId, encryptedClientSecret }, parameters);
});

test('create_oauth2_credential: refuses an unusable secret at once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const good = await sealedSecret('secret');
  const signer = hex(testServiceKeys.publicKey('signer'));
  for (const [encryptedClientSecret, text] of [
    [await encryptOauth2ClientSecret('secret', signer), /not sealed to the key/],
    [`${good.slice(0, -2)}${good.endsWith('00') ? '01' : '00'}`, /not sealed to the key/],
    [good.slice(0, -2), /of the length that it says/],
    ['zz', /expected hex/],
    [await sealedSecret(''), /is empty, or has characters/],
    [await sealedSecret('with\nline feed'), /is empty, or has characters/],
    [await sealedSecret('schlüssel'), /is empty, or has characters/],
  ] as const) {
    await checkRefused(
      service,
      { ...wire, parameters: describedCredential({ encryptedClientSecret }) },
      { status: 400, code: 3, text, field: 'parameters.encryptedClientSecret' },
    );
  }
});

test('create_oauth2_credential: stores a client once, and at most a hundred', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeCredential(service);
  await checkRefused(
    service,
    { ...wire, parameters: describedCredential() },
    { status: 409, code: 6, text: /^OAuth 2.0 credential already exists: client client of OAUTH2/ },
  );
  await makeCredential(service, { provider: 'OAUTH2_PROVIDER_DISCORD' });
  for (let i = 2; i < 100; i += 1) await makeCredential(service, { clientId: `client ${i}` });
  await checkRefused(
    service,
    { ...wire, parameters: describedCredential({ clientId: 'one more' }) },
    { status: 429, code: 8, text: /^organization has exceeded maximum OAuth 2.0 credentials/ },
  );
});

test('create_oauth2_credential: an envelope of another organization or provider is refused', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const envelope = await sealedSecret('secret');
  const own = describedCredential({ encryptedClientSecret: envelope });
  const id = await makeCredential(service, own);
  const refused = {
    status: 400,
    code: 3,
    text: /another organization or provider used this encrypted secret: encrypt/,
    field,
  } as const;
  const child = await addChild(service);
  const submit = (parameters: object, as: Sender = {}) =>
    service.submit(wire.operation, wire.type, parameters, as);
  // The thief may change the letter case of the hex, and name any client.
  for (const changes of [
    {},
    { clientId: 'client of the thief' },
    { encryptedClientSecret: envelope.toUpperCase() },
  ]) {
    const answer = await submit({ ...own, ...changes }, child);
    assertRefused(answer, 400, 3);
    assert.match(answer.body.message, refused.text);
  }
  const elsewhere = { ...own, provider: 'OAUTH2_PROVIDER_DISCORD' };
  await checkRefused(service, { ...wire, parameters: elsewhere }, refused);
  assert.equal((await submit({ ...own, clientId: 'another' })).status, 200);
  const type = 'ACTIVITY_TYPE_UPDATE_OAUTH2_CREDENTIAL';
  const moved = { ...elsewhere, oauth2CredentialId: id };
  assertRefused(await service.submit('update_oauth2_credential', type, moved), 400, 3);
  const again = { ...own, oauth2CredentialId: id };
  assert.equal((await service.submit('update_oauth2_credential', type, again)).status, 200);
});

test('create_oauth2_credential: an envelope of a waiting request or a deleted client stays its own', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const thief = await addChild(service);
  const submit = (parameters: object, as: Sender = {}) =>
    service.submit(wire.operation, wire.type, parameters, as);
  const sealed = async (clientId: string) =>
    describedCredential({ clientId, encryptedClientSecret: await sealedSecret('secret') });
  const assertKept = async (parameters: object) => {
    for (const changes of [{}, { clientId: 'client of the thief' }]) {
      const answer = await submit({ ...parameters, ...changes }, thief);
      assertRefused(answer, 400, 3);
      assert.match(
        answer.body.message,
        /another organization or provider used this encrypted secret: encrypt/,
      );
    }
  };

  const deleted = await sealed('deleted');
  const oauth2CredentialId = await makeCredential(service, deleted);
  const type = 'ACTIVITY_TYPE_DELETE_OAUTH2_CREDENTIAL';
  const gone = await service.submit('delete_oauth2_credential', type, { oauth2CredentialId });
  assert.equal(gone.status, 200);
  await assertKept(deleted);

  const replaced = await sealed('replaced');
  const { provider, clientId } = replaced;
  const id = await makeCredential(service, replaced);
  const { encryptedClientSecret } = await sealed('replaced');
  const next = { oauth2CredentialId: id, provider, clientId, encryptedClientSecret };
  const updateType = 'ACTIVITY_TYPE_UPDATE_OAUTH2_CREDENTIAL';
  assert.equal((await service.submit('update_oauth2_credential', updateType, next)).status, 200);
  await assertKept(replaced);

  // A dry run claims nothing, and its body is never shown.
  const tried = await sealed('tried');
  const dryRun = await service.submit(wire.operation, wire.type, tried, { dryRun: true });
  assert.equal(dryRun.status, 200);
  assert.equal((await submit(tried, thief)).status, 200);

  // A refused request is shown to readers of its organization.
  const { key } = await addPlainUser(service);
  const refused = await sealed('refused');
  assertRefused(await submit(refused, { key }), 403, 7);
  await assertKept(refused);
  assert.equal((await submit(refused)).status, 200);

  await changeOrganization(service, (draft) => {
    draft.setHead({ rootQuorum: { ...draft.head.rootQuorum, threshold: 2 } });
  });
  const waiting = await sealed('waiting');
  const first = await submit(waiting);
  assert.equal(first.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  await assertKept(waiting);
  // The organization itself may name its envelopes again, for the same provider.
  const again = await submit({ ...waiting, clientId: 'another' });
  assert.equal(again.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const elsewhere = await submit({ ...waiting, provider: 'OAUTH2_PROVIDER_DISCORD' });
  assertRefused(elsewhere, 400, 3);
});

test('create_oauth2_credential: one of two organizations that name an envelope at once gets it', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  for (let round = 0; round < 5; round += 1) {
    const encryptedClientSecret = await sealedSecret('secret');
    const parameters = describedCredential({ clientId: `${round}`, encryptedClientSecret });
    const answers = await Promise.all(
      [{}, child].map((as) => service.submit(wire.operation, wire.type, parameters, as)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 400], JSON.stringify(answers.map(({ body }) => body)));
    const refused = answers.find(({ status }) => status === 400);
    assert.match(refused?.body.message, /another organization or provider used this/);
  }
});

test('create_oauth2_credential: a secret sealed for one client is refused for others', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const owner = {
    organizationId: service.root.organizationId,
    provider: 'OAUTH2_PROVIDER_X',
    clientId: 'client',
  };
  const sealedFor = async (content: object) => ({
    encryptedClientSecret: await sealedSecret(JSON.stringify(content)),
  });
  const id = await makeCredential(service, await sealedFor({ ...owner, clientSecret: 'bound' }));
  const requests = letAnswer(service);
  const type = 'ACTIVITY_TYPE_OAUTH2_AUTHENTICATE';
  const login = await service.submit('oauth2_authenticate', type, describedCode(id));
  assert.equal(login.status, 200, JSON.stringify(login.body));
  const basic = requests[0]?.headers['authorization'] ?? '';
  assert.equal(atob(basic.replace('Basic ', '')), 'client:bound');
  for (const changes of [
    { organizationId: unknownId },
    { provider: 'OAUTH2_PROVIDER_DISCORD' },
    { clientId: 'another' },
    { clientId: undefined },
  ]) {
    const sealed = await sealedFor({ ...owner, clientSecret: 'bound', ...changes });
    await checkRefused(
      service,
      { ...wire, parameters: describedCredential(sealed) },
      { status: 400, code: 3, text: /sealed for another organization or another client/, field },
    );
  }
  for (const content of [
    { ...owner, clientSecret: 1 },
    { ...owner, clientSecret: 'x', more: 1 },
  ]) {
    await checkRefused(
      service,
      { ...wire, parameters: describedCredential(await sealedFor(content)) },
      { status: 400, code: 3, text: /expected `clientSecret`, `organizationId`/, field },
    );
  }
  // JSON without the names of an owner is a plain secret.
  await makeCredential(service, { clientId: 'odd', ...(await sealedFor({ a: 1 })) });
});
