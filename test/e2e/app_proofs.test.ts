// @turnkey/crypto verifies the proofs of the running service, including the statement about its program.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verify, verifyAppProofSignature } from '@turnkey/crypto';
import { accountParameters, httpClient, serverClient, timestampMs } from './clients.ts';
import { startService, temporaryDirectory } from './service.ts';

// The folder of the sources, because a bundle has fewer files.
const programFolder = join(import.meta.dirname, '../..');
const service = await startService({
  dataDirectory: temporaryDirectory(),
  program: [join(programFolder, 'src/main.ts')],
});
after(() => service.stop());
const { organizationId } = service.credentials;
const client = httpClient(service);

const { activity } = await client.createWallet({
  type: 'ACTIVITY_TYPE_CREATE_WALLET',
  timestampMs: timestampMs(),
  organizationId,
  parameters: { walletName: 'Proved', accounts: [accountParameters.ethereum] },
  generateAppProofs: true,
});
const [proof] = activity.appProofs ?? [];
assert.ok(proof !== undefined);
const { bootProof } = await client.getBootProof({ organizationId, ephemeralKey: proof.publicKey });

test('the package accepts the proof, and the service lists it', async () => {
  verifyAppProofSignature(proof);
  const { appProofs } = await client.getAppProofs({ organizationId, activityId: activity.id });
  assert.deepEqual(appProofs, activity.appProofs);
});

test('a request that asks for no proof gets none', async () => {
  const answer = await serverClient(service).createWallet({ walletName: 'Plain', accounts: [] });
  assert.equal(answer.activity.appProofs, undefined);
});

test('the boot proof names the files that run, and the digests are theirs', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the package does not know this member
  const { softwareStatement } = bootProof as any;
  const statement = JSON.parse(softwareStatement.statement);
  assert.equal(statement.ephemeralPublicKeyHex, proof.publicKey);
  const lines: string[] = softwareStatement.sources.trimEnd().split('\n');
  assert.ok(lines.length > 100);
  for (const line of lines) {
    const [digest, path = ''] = line.split('  ');
    const bytes = readFileSync(join(programFolder, path));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), digest, path);
  }
  const { version } = JSON.parse(readFileSync(join(programFolder, 'package.json'), 'utf8'));
  assert.equal(statement.version, version);
  assert.match(statement.lockfileDigest, /^[0-9a-f]{64}$/);
});

test('the package does not accept the proof as an attestation of a machine', async () => {
  assert.equal(bootProof.awsAttestationDocB64, '');
  await assert.rejects(verify(proof, bootProof));
});
