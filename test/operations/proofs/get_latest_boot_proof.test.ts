import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';

test('get_latest_boot_proof: returns the proof of the answering enclave', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { bootProof } = await checkQuery(service, {
    operation: 'get_latest_boot_proof',
    body: { appName: 'keywright' },
    optional: ['appName'],
  });
  assert.equal(bootProof.enclaveApp, 'keywright');
  // Without QuorumOS there is no manifest and no manifest version.
  assert.equal(bootProof.qosManifestB64, '');
  assert.equal(bootProof.qosManifestEnvelopeB64, '');
  assert.equal(bootProof.qosManifestVersion, '');
  assert.match(bootProof.ephemeralPublicKeyHex, /^04[0-9a-f]{128}04[0-9a-f]{128}$/);
  const unnamed = await service.query('get_latest_boot_proof');
  assert.deepEqual(unnamed.body, { bootProof });
});

test('get_latest_boot_proof: an app with another name is not found', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const answer = await service.query('get_latest_boot_proof', { appName: 'signer' });
  assert.equal(answer.status, 404);
  assert.match(answer.body.message, /expected `keywright`/);
});
