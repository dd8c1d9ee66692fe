// A hostile gateway shows another enclave key to a holder, or alters the encrypted secret.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Untrusted } from '../../src/client/index.ts';
import { sealHolderSecret } from '../../src/client/key_holders.ts';
import {
  keyState,
  makeKey,
  seal,
  secretFor,
  unseal,
} from '../operations/organization_keys/organization_key_requests.ts';
import { startTestService } from '../support/harness.ts';
import { secretOf } from '../support/organization_keys.ts';

/** Starts a client of a service whose gateway may change the boot proof. */
async function startClient(change: (statement: string) => string = (statement) => statement) {
  const service = await startTestService();
  const { body } = await service.query('get_latest_boot_proof');
  const { softwareStatement } = body.bootProof;
  const statement = change(softwareStatement.statement);
  const bootProof = { ...body.bootProof, softwareStatement: { ...softwareStatement, statement } };
  const client = {
    organizationId: service.root.organizationId,
    serviceKeys: async () => ({ attestation: softwareStatement.publicKey }),
    // The client sends no other query.
    query: (async () => ({ bootProof })) as never,
  };
  return { service, client };
}

test('a client seals the secret to the enclave key that the pinned key attests', async (t) => {
  const { service, client } = await startClient();
  t.after(() => service.close());
  const holderId = await makeKey(service);
  await seal(service);
  const { organizationKey } = await keyState(service);
  const secret = Uint8Array.from(secretOf('treasurer'));
  const encryptedSecret = await sealHolderSecret(client, secret, 'unseal', organizationKey);
  assert.equal((await unseal(service, holderId, { encryptedSecret })).status, 200);
});

test('a client rejects an enclave key that the gateway chose', async (t) => {
  const own = `04${'11'.repeat(64)}`.repeat(2);
  const { service, client } = await startClient((statement) =>
    JSON.stringify({ ...JSON.parse(statement), ephemeralPublicKeyHex: own }),
  );
  t.after(() => service.close());
  const secret = Uint8Array.from(secretOf('treasurer'));
  await assert.rejects(sealHolderSecret(client, secret, 'hold', undefined), Untrusted);
});

test('the enclave refuses an altered secret', async (t) => {
  const { service } = await startClient();
  t.after(() => service.close());
  const holderId = await makeKey(service);
  await seal(service);
  const sealed = JSON.parse(await secretFor(service, 'unseal'));
  for (const at of [0, 40, sealed.ciphertext.length - 1]) {
    const digits = [...sealed.ciphertext];
    digits[at] = digits[at] === '0' ? '1' : '0';
    const encryptedSecret = JSON.stringify({ ...sealed, ciphertext: digits.join('') });
    const { status, body } = await unseal(service, holderId, { encryptedSecret });
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(body.message, /not sealed to this run of the enclave/);
  }
  assert.equal((await keyState(service)).isSealed, true);
});
