import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { bytesOfHex, utf8 } from '../../../src/core/base/bytes.ts';
import { maximumBootStatements } from '../../../src/core/proofs/boot_proofs.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkQuery } from '../checks.ts';
import { startAnother } from './another_run.ts';
import { makeProvedWallet } from './proof_requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
type Shown = any;

/** Returns true if a statement is signed by the key that it names. */
function isSigned({ statement, publicKey, signature }: Shown): boolean {
  const point = Buffer.from(publicKey, 'hex');
  const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url');
  const key = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
    format: 'jwk',
  });
  const bytes = bytesOfHex(signature) ?? new Uint8Array();
  return verify('sha256', Buffer.from(statement), { key, dsaEncoding: 'ieee-p1363' }, bytes);
}

test('get_boot_proof: names the start of the enclave that signed a proof', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { activity } = (await makeProvedWallet(service, 'Proved')).body;
  const ephemeralKey = activity.appProofs[0].publicKey;
  const { bootProof } = await checkQuery(service, {
    operation: 'get_boot_proof',
    body: { ephemeralKey },
  });
  assert.equal(bootProof.ephemeralPublicKeyHex, ephemeralKey);
  const { softwareStatement } = bootProof;
  assert.ok(isSigned(softwareStatement));
  assert.ok(!isSigned({ ...softwareStatement, statement: `${softwareStatement.statement} ` }));
  const statement = JSON.parse(softwareStatement.statement);
  assert.equal(statement.ephemeralPublicKeyHex, ephemeralKey);
  const digest = createHash('sha256').update(softwareStatement.sources).digest('hex');
  assert.equal(statement.sourcesDigest, digest);
  // It claims no hardware attestation.
  assert.equal(bootProof.awsAttestationDocB64, '');
  assert.equal(statement.hardwareAttestation, 'none');
  assert.match(statement.notice, /no hardware attestation/);
});

test('proofs of a stopped enclave can still be checked', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const ask = (body: object) => service.query('get_boot_proof', body);
  const earlier = await startAnother(service, 'earlier');
  const old = (await earlier.makeWallet('Old')).appProofs[0].publicKey;
  const { bootProof } = (await ask({ ephemeralKey: old })).body;
  assert.equal(bootProof.ephemeralPublicKeyHex, old);
  assert.ok(isSigned(bootProof.softwareStatement));
  // Only the digest of its files is stored; the files of the answering enclave differ.
  assert.ok(!('sources' in bootProof.softwareStatement));
  const { bootProof: latest } = (await service.query('get_latest_boot_proof')).body;
  assert.notEqual(latest.ephemeralPublicKeyHex, old);
  assert.equal(latest.softwareStatement.publicKey, bootProof.softwareStatement.publicKey);
});

test('a boot statement is stored with the first proof of an enclave, and only once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = service.root;
  const versionOf = async () =>
    (
      await service.store.port.organization({
        organizationId,
        kinds: [],
        knownVersion: 0,
        fingerprint: undefined,
      })
    ).version;
  const before = (await versionOf()) ?? 0;
  await makeProvedWallet(service, 'Unproved', {});
  assert.equal(await versionOf(), before + 1);
  await makeProvedWallet(service, 'First');
  assert.equal(await versionOf(), before + 3);
  await makeProvedWallet(service, 'Second');
  assert.equal(await versionOf(), before + 4);
});

/** Returns a request that asks for a proof. */
function renaming(service: TestService, i: number): Uint8Array {
  service.advance(1);
  const body = {
    type: 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME',
    timestampMs: String(service.now()),
    organizationId: service.root.organizationId,
    parameters: { organizationName: `Run ${i}` },
    generateAppProofs: true,
  };
  return utf8(JSON.stringify(body));
}

test('the oldest boot proofs are deleted beyond the limit', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const keys: string[] = [];
  for (let i = 0; i <= maximumBootStatements; i += 1) {
    const { send } = await startAnother(service, `run ${i}`);
    const { activity } = await send('submit', 'update_organization_name', renaming(service, i));
    keys.push(activity.appProofs[0].publicKey);
  }
  const [first, second] = keys;
  const statusOf = async (ephemeralKey: string | undefined) =>
    (await service.query('get_boot_proof', { ephemeralKey })).status;
  assert.equal(await statusOf(first), 404);
  assert.equal(await statusOf(second), 200);
  assert.equal(await statusOf(keys.at(-1)), 200);
});

test('a deleted boot proof is stored again before its enclave signs another proof', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { activity } = (await makeProvedWallet(service, 'Early')).body;
  const ephemeralKey = activity.appProofs[0].publicKey;
  for (let i = 0; i < maximumBootStatements; i += 1) {
    const { send } = await startAnother(service, `run ${i}`);
    const { activity } = await send('submit', 'update_organization_name', renaming(service, i));
    assert.equal(activity.appProofs.length, 1);
  }
  const last = await startAnother(service, 'the one that is asked');
  const ask = async () => {
    service.advance(1);
    const { organizationId } = service.root;
    const body = JSON.stringify({ organizationId, ephemeralKey });
    return last.send('query', 'get_boot_proof', Buffer.from(body));
  };
  assert.equal((await ask()).code, 5);
  const late = (await makeProvedWallet(service, 'Late')).body.activity;
  assert.equal(late.appProofs[0].publicKey, ephemeralKey);
  assert.equal((await ask()).bootProof.ephemeralPublicKeyHex, ephemeralKey);
});

test('a key that signed no proof is not found', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const answer = await service.query('get_boot_proof', { ephemeralKey: '04'.repeat(130) });
  assert.equal(answer.status, 404);
  assert.equal(answer.body.code, 5);
  const short = await service.query('get_boot_proof', { ephemeralKey: '04' });
  assert.equal(short.status, 400);
});
