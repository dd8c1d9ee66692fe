import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkActivity } from '../checks.ts';
import { makeKeys, sign } from '../freezes/freeze_requests.ts';
import { ethereumAccount, makeWallet } from '../wallets/wallet_requests.ts';
import { describedHolder, keyState, makeKey, secretFor } from './organization_key_requests.ts';

const wire = {
  operation: 'create_organization_key',
  type: 'ACTIVITY_TYPE_CREATE_ORGANIZATION_KEY',
  intent: 'createOrganizationKeyIntent',
  result: 'createOrganizationKeyResult',
};

test('create_organization_key: signatures stay the same, and the holder is listed', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [key] = await makeKeys(service);
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  const signers = [key, addresses[0] ?? assert.fail()];
  const resultsOf = () =>
    Promise.all(signers.map(async (each) => (await sign(service, each)).body.activity.result));
  const before = await resultsOf();
  const parameters = await describedHolder(service);
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.type', parameters: { ...parameters, type: 'KEY_HOLDER_TYPE_KEY' } },
      {
        field: 'parameters.derivation',
        parameters: { ...parameters, derivation: `$scrypt$ln=14,r=8,p=1$${'A'.repeat(22)}` },
      },
    ],
  });
  assert.deepEqual(await resultsOf(), before);
  const { organizationKey, isSealed } = await keyState(service);
  assert.equal(isSealed, false);
  assert.equal(organizationKey.organizationKeyId, result.organizationKeyId);
  assert.equal(organizationKey.sealCount, '0');
  const [{ createdAt, ...holder }, ...others] = organizationKey.holders;
  assert.deepEqual(others, []);
  assert.deepEqual(holder, {
    holderId: result.holderId,
    holderName: 'treasurer',
    type: 'KEY_HOLDER_TYPE_PASSPHRASE',
    derivation: parameters.derivation,
  });
});

test('create_organization_key: refuses a second key', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeKey(service);
  const parameters = await describedHolder(service, 'second');
  const { status, body } = await service.submit(wire.operation, wire.type, parameters);
  assert.equal(status, 409);
  assert.match(body.message, /already has a key of its own/);
});

test('create_organization_key: refuses a secret for another organization, purpose or length', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = await describedHolder(service);
  const elsewhere = { organizationId: '01900000-0000-7000-8000-000000000000' };
  const { body: proof } = await service.query('get_latest_boot_proof');
  assert.ok(proof.bootProof);
  const bad: readonly [string, RegExp][] = [
    [await secretFor(service, 'unseal'), /not sealed to this run of the enclave/],
    [await secretFor(service, 'hold', { secret: new Uint8Array(31) }), /a secret of 32 bytes/],
    ['{}', /encappedPublic/],
    [elsewhere.organizationId, /expected a JSON object/],
  ];
  for (const [encryptedSecret, message] of bad) {
    const changed = { ...parameters, encryptedSecret };
    const { status, body } = await service.submit(wire.operation, wire.type, changed);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(body.message, message);
  }
  assert.equal((await keyState(service)).organizationKey, undefined);
});

test('create_organization_key: a dry run creates no key', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = await describedHolder(service);
  const { status } = await service.submit(wire.operation, wire.type, parameters, { dryRun: true });
  assert.equal(status, 200);
  assert.deepEqual(await keyState(service), { isSealed: false });
});
