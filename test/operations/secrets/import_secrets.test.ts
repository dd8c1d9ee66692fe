import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encryptSecretToBundle } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { maximumMessageCharacters } from '../../../src/core/bundles/client_message.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';
import { maximumTextBytes, targetLifeMs } from '../../../src/core/keys/import_targets.ts';
import {
  maximumPropertyKeyCharacters,
  maximumPropertyValueCharacters,
  maximumSecretsAtOnce,
  maximumStaticProperties,
} from '../../../src/core/keys/secrets.ts';
import { limits } from '../../../src/core/organization/limits.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser, changeOrganization } from '../other_callers.ts';
import { sealedTo, signerKey, targetOf, targetPublicKey } from '../wallets/transfer_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import {
  encryptionSuite,
  exportedTexts,
  initSecrets,
  listedSecrets,
  makeSecret,
  sealedSecret,
  storedTexts,
} from './secret_requests.ts';

const wire = {
  operation: 'import_secrets',
  type: 'ACTIVITY_TYPE_IMPORT_SECRETS',
  intent: 'importSecretsIntent',
  result: 'importSecretsResult',
};
const refused = (text: RegExp, field: string) => ({ status: 400, code: 3, text, field });

test('import_secrets: stores texts in the request order, and no answer shows them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const staticProperties = [{ key: 'kind', value: 'card' }, { key: '__proto__' }];
  const first = await sealedSecret(service, 'geheim ✓', { name: 'First', staticProperties });
  const second = await sealedSecret(service, '');
  const parameters = { secrets: [first, second] };
  const changed = (changes: object, path: string) => ({
    field: `parameters.secrets.1${path}`,
    parameters: { secrets: [first, { ...second, ...changes }] },
  });
  const property = (key: string, value = '') => ({ staticProperties: [{ key, value }] });
  const longest = maximumMessageCharacters(maximumTextBytes);
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.secrets', parameters: { secrets: [] } },
      {
        field: 'parameters.secrets',
        parameters: { secrets: Array(maximumSecretsAtOnce + 1).fill(first) },
      },
      changed({ name: '' }, '.name'),
      ...['', '{}', 'text', ' '.repeat(longest + 1)].map((secretPayload) =>
        changed({ secretPayload }, '.secretPayload'),
      ),
      ...['', '04', `${second.targetPublicKey}00`, targetPublicKey].map((key) =>
        changed({ targetPublicKey: key }, '.targetPublicKey'),
      ),
      changed({ targetPublicKey: first.targetPublicKey }, '.secretPayload'),
      { field: 'parameters.secrets.1.targetPublicKey', parameters: { secrets: [first, first] } },
      changed({ encryptionSuite: 'V1' }, '.encryptionSuite'),
      changed(property(''), '.staticProperties.0.key'),
      changed(property('k'.repeat(maximumPropertyKeyCharacters + 1)), '.staticProperties.0.key'),
      changed(
        property('k', 'v'.repeat(maximumPropertyValueCharacters + 1)),
        '.staticProperties.0.value',
      ),
      changed({ staticProperties: [{ key: 'k' }, { key: 'k' }] }, '.staticProperties.1.key'),
      changed(
        {
          staticProperties: Array.from({ length: maximumStaticProperties + 1 }, (_, i) => ({
            key: `${i}`,
          })),
        },
        '.staticProperties',
      ),
    ],
  });
  assert.equal(result.secretIds.length, 2);
  assert.deepEqual(await exportedTexts(service, result.secretIds), ['geheim ✓', '']);
  assert.deepEqual(
    (await listedSecrets(service)).map(({ createdAtUnixMs, ...shown }) => shown),
    [
      {
        secretId: result.secretIds[0],
        name: 'First',
        staticProperties: [
          { key: 'kind', value: 'card' },
          { key: '__proto__', value: '' },
        ],
      },
      { secretId: result.secretIds[1], staticProperties: [] },
    ],
  );
});

test('import_secrets: accepts texts up to the maximum length', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const messages = await initSecrets(service, maximumSecretsAtOnce);
  const texts = messages.map((_, i) => String(i).repeat(maximumTextBytes));
  const secrets = await Promise.all(
    messages.map((message, i) => sealedSecret(service, texts[i] ?? '', { message })),
  );
  const { status, body } = await service.submit(wire.operation, wire.type, { secrets });
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
  const { secretIds } = body.activity.result[wire.result];
  assert.deepEqual(await exportedTexts(service, secretIds), texts);
  const long = await sealedSecret(service, 'x'.repeat(maximumTextBytes + 1));
  const answer = await service.submit(wire.operation, wire.type, { secrets: [long] });
  assert.equal(answer.status, 400);
  assert.match(answer.body.message, /expected at most 65536 bytes to be sealed/);
});

test('import_secrets: each target takes one secret within two days', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const field = 'parameters.secrets.0.targetPublicKey';
  const none = refused(/no target key waits for it/, field);
  const used = [await sealedSecret(service, 'text')];
  const late = [await sealedSecret(service, 'text')];
  const send = (secrets: object) => service.submit(wire.operation, wire.type, { secrets });
  assert.equal((await send(used)).status, 200);
  await checkRefused(service, { ...wire, parameters: { secrets: used } }, none);
  service.advance(targetLifeMs);
  await checkRefused(service, { ...wire, parameters: { secrets: late } }, none);
});

test('import_secrets: accepts a target in either form, only of the same organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const [message] = await initSecrets(service, 1, child);
  await assert.rejects(
    encryptSecretToBundle({
      plaintext: 'text',
      ingressTargetBundle: message ?? '',
      organizationId: service.root.organizationId,
      dangerouslyOverrideSignerPublicKey: signerKey,
    }),
    /organization id does not match/,
  );
  const ofChild = await sealedSecret(service, 'text', { as: child, message: message ?? '' });
  const field = 'parameters.secrets.0.targetPublicKey';
  const none = refused(/no target key waits for it/, field);
  await checkRefused(service, { ...wire, parameters: { secrets: [ofChild] } }, none);
  await makeSecret(service, 'text', { as: child, message: message ?? '' });

  const sealed = await sealedSecret(service, 'text');
  const point = p256.parsePublicKey(Uint8Array.fromHex(sealed.targetPublicKey));
  const compressed = { ...sealed, targetPublicKey: hex(point ?? new Uint8Array(0)).toUpperCase() };
  const parameters = { secrets: [compressed] };
  const { status } = await service.submit(wire.operation, wire.type, parameters);
  assert.equal(status, 200);
});

test('import_secrets: a text sealed by another user is not imported, also while that import waits or after it was refused', async (t) => {
  for (const consensus of ['approvers.count() >= 2', 'false']) {
    const service = await startTestService();
    t.after(() => service.close());
    const owner = await addPlainUser(service);
    const thief = await addPlainUser(service, testKey('thief'), 'Thief');
    for (const [kind, rule] of [
      ['INIT_IMPORT_SECRETS', 'true'],
      ['IMPORT_SECRETS', consensus],
      ['IMPORT_SECRETS', "approvers.any(user, user.alias == 'Thief')"],
    ] as const) {
      await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: `${kind} ${rule}`,
        effect: 'EFFECT_ALLOW',
        condition: `activity.kind == '${kind}'`,
        consensus: rule,
        notes: '',
      });
    }
    const [message] = await initSecrets(service, 1, owner);
    const sealed = await sealedSecret(service, 'text', { as: owner, message: message ?? '' });
    const asked = await service.submit(wire.operation, wire.type, { secrets: [sealed] }, owner);
    assert.notEqual(asked.body.activity?.status, 'ACTIVITY_STATUS_COMPLETED');
    const copied = await service.submit(wire.operation, wire.type, { secrets: [sealed] }, thief);
    assert.equal(copied.status, 403, JSON.stringify(copied.body));
    assert.match(copied.body.message, /expected one that the calling user requested/);
    assert.deepEqual(await listedSecrets(service), []);
  }
});

test('import_secrets: refuses invalid targets, and texts sealed to others', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const field = 'parameters.secrets.0.targetPublicKey';
  const { userId } = service.root;
  const init = await service.submit('init_import_wallet', 'ACTIVITY_TYPE_INIT_IMPORT_WALLET', {
    userId,
  });
  const targetPublic = targetOf(init.body.activity.result.initImportWalletResult.importBundle);
  const payload = sealedTo(Uint8Array.fromHex(targetPublic), new Uint8Array(8));
  const ofWallet = { secretPayload: payload, targetPublicKey: targetPublic, encryptionSuite };
  const none = refused(/no target key waits for it/, field);
  await checkRefused(service, { ...wire, parameters: { secrets: [ofWallet] } }, none);
  const sealed = await sealedSecret(service, 'text');
  const other = await sealedSecret(service, 'text');
  const mixed = { ...sealed, secretPayload: other.secretPayload };
  const text = /was not sealed to the target key/;
  const wrong = refused(text, 'parameters.secrets.0.secretPayload');
  await checkRefused(service, { ...wire, parameters: { secrets: [mixed] } }, wrong);
});

test('import_secrets: imports all or none, with unique names', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeSecret(service, 'text', { name: 'Taken' });
  const taken = {
    status: 400,
    code: 3,
    text: /^secret label must be unique: `Taken` already exists/,
  };
  const free = await sealedSecret(service, 'text', { name: 'Free' });
  const again = await sealedSecret(service, 'text', { name: 'Taken' });
  await checkRefused(service, { ...wire, parameters: { secrets: [free, again] } }, taken);
  const twice = [
    { ...free, name: 'Same' },
    { ...again, name: 'Same' },
  ];
  const same = { ...taken, text: /`Same` already exists/ };
  await checkRefused(service, { ...wire, parameters: { secrets: twice } }, same);
  const { status } = await service.submit(wire.operation, wire.type, {
    secrets: [free, { ...again, name: 'Other' }],
  });
  assert.equal(status, 200, 'the targets were as good as before');
  assert.equal((await listedSecrets(service)).length, 3);
});

test('import_secrets: bounds the secrets of an organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await changeOrganization(service, (draft, newId) => {
    for (let i = 1; i < limits.secrets.parent; i += 1) {
      const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
      draft.put('secret', { id: newId(), staticProperties: [], ...times });
    }
    return undefined;
  });
  const secrets = [await sealedSecret(service, 'text'), await sealedSecret(service, 'text')];
  const text = /^organization has exceeded maximum secrets: the limit is 100$/;
  const full = await service.submit(wire.operation, wire.type, { secrets });
  assert.equal(full.status, 429);
  assert.match(full.body.message, text);
  const fits = await service.submit(wire.operation, wire.type, { secrets: secrets.slice(1) });
  assert.equal(fits.status, 200);
});

test('import_secrets: stores nothing while it waits for votes', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  for (const [kind, count] of [
    ['INIT_IMPORT_SECRETS', 1],
    ['IMPORT_SECRETS', 2],
  ]) {
    await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: `${kind}`,
      effect: 'EFFECT_ALLOW',
      condition: `activity.kind == '${kind}'`,
      consensus: `approvers.count() >= ${count}`,
      notes: '',
    });
  }
  const secrets = [await sealedSecret(service, 'text', { as: plain })];
  const waits = await service.submit(wire.operation, wire.type, { secrets }, plain);
  assert.equal(waits.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.deepEqual(await listedSecrets(service), []);
  const approved = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: waits.body.activity.fingerprint,
  });
  const { secretIds } = approved.body.activity.result[wire.result];
  assert.equal(await storedTexts(service, secretIds), 1);
  assert.equal(await storedTexts(service, [unknownId]), 0);
  assert.deepEqual(await exportedTexts(service, secretIds), ['text']);
});
