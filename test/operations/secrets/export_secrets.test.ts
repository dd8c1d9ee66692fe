import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptSecretBundle } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { maximumSecretsAtOnce } from '../../../src/core/keys/secrets.ts';
import type { StoredRecord } from '../../../src/store/port.ts';
import { startTestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser, changeOrganization } from '../other_callers.ts';
import { clientKey } from '../wallets/transfer_requests.ts';
import { unknownId } from '../wallets/wallet_requests.ts';
import { exportedTexts, makeSecret, openedSecret, wantedSecret } from './secret_requests.ts';

const wire = {
  operation: 'export_secrets',
  type: 'ACTIVITY_TYPE_EXPORT_SECRETS',
  intent: 'exportSecretsIntent',
  result: 'exportSecretsResult',
};
const secretOf = (kind: string) => ({ staticProperties: [{ key: 'kind', value: kind }] });

test('export_secrets: exports texts unchanged, in the request order', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await makeSecret(service, 'first');
  const second = await makeSecret(service, 'second ✓\n');
  const wanted = wantedSecret(first);
  const changed = (changes: object, path: string) => ({
    field: `parameters.secrets.0${path}`,
    parameters: { secrets: [{ ...wanted, ...changes }] },
  });
  const result = await checkActivity(service, {
    ...wire,
    parameters: { secrets: [second, first.toUpperCase(), second].map(wantedSecret) },
    malformed: [
      { field: 'parameters.secrets', parameters: { secrets: [] } },
      {
        field: 'parameters.secrets',
        parameters: { secrets: Array(maximumSecretsAtOnce + 1).fill(wanted) },
      },
      changed({ secretId: 'secret' }, '.secretId'),
      changed({ encryptionSuite: '' }, '.encryptionSuite'),
      changed({ requestContext: [{ key: '', value: 'x' }] }, '.requestContext.0.key'),
      changed({ requestContext: Array(17).fill({ key: 'k', value: 'v' }) }, '.requestContext'),
      ...['', '04', '0'.repeat(130)].map((targetPublicKey) =>
        changed({ targetPublicKey }, '.targetPublicKey'),
      ),
    ],
  });
  const { organizationId } = service.root;
  const texts = result.secretPayloads.map((each: string) => openedSecret(each, organizationId));
  assert.deepEqual(await Promise.all(texts), ['second ✓\n', 'first', 'second ✓\n']);
  assert.equal(new Set(result.secretPayloads).size, 3, 'each is sealed anew');

  const [secretPayload] = result.secretPayloads;
  const embeddedPrivateKey = hex(clientKey);
  await assert.rejects(
    decryptSecretBundle({ secretPayload, embeddedPrivateKey, organizationId }),
    /expected signer key/,
  );
  await assert.rejects(openedSecret(secretPayload, unknownId), /organization id does not match/);
});

test('export_secrets: exports all or none, and refuses unknown ids', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const own = await makeSecret(service, 'own');
  const ofChild = await makeSecret(service, 'of the child', { as: child });
  for (const id of [ofChild, unknownId]) {
    await checkRefused(
      service,
      { ...wire, parameters: { secrets: [own, id].map(wantedSecret) } },
      { status: 404, code: 5, text: new RegExp(`^unable to find secret ${id}`) },
    );
  }
  assert.deepEqual(await exportedTexts(service, [ofChild], child), ['of the child']);
});

test('export_secrets: policies decide on each secret by its properties', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const card = await makeSecret(service, 'card', secretOf('card'));
  const note = await makeSecret(service, 'note', secretOf('note'));
  const bare = await makeSecret(service, 'bare');
  const allow = (condition: string, effect = 'EFFECT_ALLOW') =>
    service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: condition,
      effect,
      condition,
      consensus: 'true',
      notes: '',
    });
  const status = async (...ids: string[]) => {
    const parameters = { secrets: ids.map(wantedSecret) };
    return (await service.submit(wire.operation, wire.type, parameters, plain)).status;
  };
  assert.equal(await status(card), 403, 'nobody said who may');
  const made = await allow(
    "activity.type == 'ACTIVITY_TYPE_EXPORT_SECRETS' && activity.resource == 'SECRET' && activity.action == 'EXPORT' && secret.static_properties['kind'] == 'card'",
  );
  assert.deepEqual(
    made.body.warnings.map(({ code }: { code: string }) => code),
    ['EXPORT_OPEN_TO_EVERYBODY'],
  );
  assert.equal(await status(card), 200);
  assert.equal(await status(card, card), 200);
  assert.equal(await status(note), 403);
  assert.equal(await status(bare), 403, 'a property that is not there fails the clause');
  assert.equal(await status(card, note), 403);
  assert.equal(await status(note, card), 403);
  await allow("activity.kind == 'EXPORT_SECRETS' && secret.static_properties['kind'] == 'note'");
  assert.equal(await status(note), 200);
  assert.equal(await status(card, note), 403, 'policies do not add up');
  await allow(
    "activity.kind == 'EXPORT_SECRETS' && secret.static_properties['kind'] in ['card', 'note']",
  );
  assert.equal(await status(card, note), 200);
  await allow("secret.static_properties['kind'] == 'note'", 'EFFECT_DENY');
  assert.equal(await status(card, note), 403);
  assert.equal(await status(card), 200);
});

test('export_secrets: policies see the recipient of each secret', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const ids = [await makeSecret(service, 'one'), await makeSecret(service, 'two')];
  const other = testKey('another target').publicKey;
  const own = wantedSecret('').targetPublicKey.toLowerCase();
  const policy = (condition: string, effect: string) =>
    service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: effect,
      effect,
      condition,
      consensus: 'true',
      notes: '',
    });
  await policy("activity.action == 'EXPORT'", 'EFFECT_ALLOW');
  await policy(`activity.params.target_public_key != '${own}'`, 'EFFECT_DENY');
  const status = async (...targets: string[]) => {
    const secrets = targets.map((targetPublicKey, i) => ({
      ...wantedSecret(ids[i] ?? ''),
      targetPublicKey,
    }));
    return (await service.submit(wire.operation, wire.type, { secrets }, plain)).status;
  };
  assert.equal(await status(own, own), 200);
  assert.equal(await status(own.toUpperCase()), 200, 'in any spelling');
  for (const targets of [[other], [own, other], [other, own]]) {
    assert.equal(await status(...targets), 403, String(targets.indexOf(other)));
  }
});

test('export_secrets: waits for votes, and seals after the last', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const plain = await addPlainUser(service);
  const id = await makeSecret(service, 'text');
  await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'EXPORT'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const parameters = { secrets: [wantedSecret(id)] };
  const waits = await service.submit(wire.operation, wire.type, parameters, plain);
  assert.equal(waits.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  assert.deepEqual(waits.body.activity.result, {});
  const approved = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint: waits.body.activity.fingerprint,
  });
  const [payload] = approved.body.activity.result[wire.result].secretPayloads;
  assert.equal(await openedSecret(payload, service.root.organizationId), 'text');
});

test('export_secrets: a dishonest store can withhold texts but not change them', async (t) => {
  const log: string[] = [];
  const service = await startTestService({ log });
  t.after(() => service.close());
  const first = await makeSecret(service, 'first');
  const second = await makeSecret(service, 'second');
  const { port } = service.store;
  const truth = port.records.bind(port);
  const { organizationId } = service.root;
  const [other] = await truth({ organizationId, kind: 'secret_text', ids: [second] });
  assert(other !== undefined);
  const lies: Readonly<Record<string, (row: StoredRecord) => StoredRecord | undefined>> = {
    withheld: () => undefined,
    altered: (row) => ({ ...row, body: row.body.map((byte, i) => (i === 40 ? byte ^ 1 : byte)) }),
    'of another secret': () => other,
    'of another secret, under this id': (row) => ({ ...other, id: row.id }),
    'of another kind': (row) => ({ ...row, kind: 'contract_interface_text' }),
    'of another version': (row) => ({ ...row, version: row.version + 1 }),
  };
  const parameters = { secrets: [wantedSecret(first)] };
  for (const [what, alter] of Object.entries(lies)) {
    log.length = 0;
    Object.assign(port, {
      records: async (...asked: Parameters<typeof truth>) =>
        (await truth(...asked)).flatMap((row) => alter(row) ?? []),
    });
    const answer = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(answer.status, 500, what);
    assert.equal(log.length, 1, what);
  }
  Object.assign(port, { records: truth });
  assert.deepEqual(await exportedTexts(service, [first, second]), ['first', 'second']);
});

test('export_secrets: a secret that is deleted meanwhile is not found', async (t) => {
  const log: string[] = [];
  const service = await startTestService({ log });
  t.after(() => service.close());
  const id = await makeSecret(service, 'text');
  const { port } = service.store;
  const truth = port.records.bind(port);
  let isDeleted = false;
  Object.assign(port, {
    records: async (...asked: Parameters<typeof truth>) => {
      if (!isDeleted) {
        isDeleted = true;
        await changeOrganization(service, (draft) => {
          draft.remove('secret', id);
          draft.drop('secret_text', { id, secret: '', createdAtMs: 0, updatedAtMs: 0 });
          return undefined;
        });
      }
      return truth(...asked);
    },
  });
  const parameters = { secrets: [wantedSecret(id)] };
  const answer = await service.submit(wire.operation, wire.type, parameters);
  assert.equal(answer.status, 404);
  assert.deepEqual(log, []);
});
