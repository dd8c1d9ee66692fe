import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { maximumTargetsPerUser } from '../../../src/core/keys/import_targets.ts';
import { maximumSecretsAtOnce } from '../../../src/core/keys/secrets.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import { signerKey } from '../wallets/transfer_requests.ts';
import { encryptionSuite, initSecrets, makeSecret, sealedSecret } from './secret_requests.ts';

const wire = {
  operation: 'init_import_secrets',
  type: 'ACTIVITY_TYPE_INIT_IMPORT_SECRETS',
  intent: 'initImportSecretsIntent',
  result: 'initImportSecretsResult',
};

test('init_import_secrets: returns signed keys for this organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = { encryptionSuite, numSecrets: 3 };
  const counted = (numSecrets: unknown) => ({
    field: 'parameters.numSecrets',
    parameters: { ...parameters, numSecrets },
  });
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      ...[0, -1, 1.5, maximumSecretsAtOnce + 1].map(counted),
      {
        field: 'parameters.encryptionSuite',
        parameters: { ...parameters, encryptionSuite: 'TRANSPORT_ENCRYPTION_SUITE_UNSPECIFIED' },
      },
    ],
  });
  const contents = result.enclaveTargetMessages.map((text: string) => {
    const message = JSON.parse(text);
    assert.equal(message.version, 'v1.0.0');
    assert.equal(message.enclaveQuorumPublic, signerKey);
    return JSON.parse(textOfUtf8(Uint8Array.fromHex(message.data)) ?? '');
  });
  const keys = new Set<string>();
  for (const content of contents) {
    assert.deepEqual(Object.keys(content), ['targetPublic', 'organizationId']);
    assert.match(content.targetPublic, /^04[0-9a-f]{128}$/);
    assert.equal(content.organizationId, service.root.organizationId);
    keys.add(content.targetPublic);
  }
  assert.equal(keys.size, 3);
});

test('init_import_secrets: newer keys of a user evict its oldest', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [oldest, next] = await initSecrets(service, maximumTargetsPerUser);
  await initSecrets(service);
  const secrets = [await sealedSecret(service, 'text', { message: oldest ?? '' })];
  const type = 'ACTIVITY_TYPE_IMPORT_SECRETS';
  const { status, body } = await service.submit('import_secrets', type, { secrets });
  assert.equal(status, 400);
  assert.match(body.message, /no target key waits for it/);
  await makeSecret(service, 'text', { message: next ?? '' });
});

test('init_import_secrets: waits for votes if a policy requires them', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'SECRET' && activity.action == 'IMPORT'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const parameters = { encryptionSuite, numSecrets: 1 };
  const approved = async (operation: string, type: string, asked: object) => {
    const waits = await service.submit(operation, type, asked, plain);
    assert.equal(waits.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    const { fingerprint } = waits.body.activity;
    const vote = ['approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY'] as const;
    const { body } = await service.submit(...vote, { fingerprint });
    return body.activity;
  };
  const { result } = await approved(wire.operation, wire.type, parameters);
  const [message] = result[wire.result].enclaveTargetMessages;
  const secrets = [await sealedSecret(service, 'text', { message })];
  const imported = await approved('import_secrets', 'ACTIVITY_TYPE_IMPORT_SECRETS', { secrets });
  assert.equal(imported.status, 'ACTIVITY_STATUS_COMPLETED');
});
