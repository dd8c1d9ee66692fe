import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';

test('get_attestation: returns no hardware document, and the boot statement of the enclave', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const answer = await checkQuery(service, {
    operation: 'get_attestation',
    body: { enclaveType: 'signer' },
    malformed: [
      { field: 'enclaveType', parameters: { enclaveType: 'signer ' } },
      { field: 'enclaveType', parameters: { enclaveType: 'policy' } },
      { field: 'enclaveType', parameters: { enclaveType: 1 } },
    ],
  });
  const { body } = await service.query('get_latest_boot_proof');
  assert.deepEqual(answer, {
    attestationDocument: '',
    softwareStatement: body.bootProof.softwareStatement,
  });
  assert.equal(JSON.parse(answer.softwareStatement.statement).hardwareAttestation, 'none');
});

test('one enclave answers for every part that clients ask about', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const expected = await service.query('get_attestation', { enclaveType: 'keywright' });
  assert.equal(expected.status, 200);
  for (const enclaveType of ['signer', 'ump', 'notarizer', 'evm-parser']) {
    assert.deepEqual(await service.query('get_attestation', { enclaveType }), expected);
  }
});
