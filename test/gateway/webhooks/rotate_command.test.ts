// `keywright webhooks rotate-key`: what it says and how it ends, by what the service answers.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runWebhooksCommand } from '../../../src/gateway/webhooks/rotate_command.ts';
import { testKey } from '../../support/harness.ts';
import { httpServer } from '../outbound/loopback.ts';

const directory = mkdtempSync(join(tmpdir(), 'keywright-rotate-'));
after(() => rmSync(directory, { recursive: true }));

let answer: { readonly status: number; readonly body: object };
const port = await httpServer({ after }, (_request, response) =>
  response.writeHead(answer.status).end(JSON.stringify(answer.body)),
);
const { publicKey, privateKey } = testKey('Root');
const credentials = {
  baseUrl: `http://127.0.0.1:${port}`,
  organizationId: '01900000-0000-7000-8000-000000000001',
  apiPublicKey: publicKey,
  apiPrivateKey: Buffer.from(privateKey).toString('hex'),
};
writeFileSync(join(directory, 'root-credentials.json'), JSON.stringify(credentials));

async function run(...words: readonly string[]) {
  let written = '';
  const code = await runWebhooksCommand(words, { KEYWRIGHT_DATA_DIR: directory }, (line) => {
    written += line;
  });
  return { code, written };
}

test('rotate-key ends well only where there is another key', async () => {
  const fingerprint = `sha256:${'ab'.repeat(32)}`;
  const activity = { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', result: {}, fingerprint };
  answer = { status: 200, body: { activity } };
  // Somebody who replaces a key that leaked must not take this for done.
  assert.deepEqual(await run('rotate-key', '--immediately'), {
    code: 1,
    written: `no other key yet: ACTIVITY_STATUS_CONSENSUS_NEEDED, others must approve ${fingerprint}\n`,
  });
  answer = { status: 403, body: { message: 'organization mismatch' } };
  assert.deepEqual(await run('rotate-key'), {
    code: 1,
    written: 'refused: organization mismatch\n',
  });
  const result = { rotateWebhookKeyResult: { signsFrom: '2026-01-02T00:00:00.000Z' } };
  answer = { status: 200, body: { activity: { ...activity, result } } };
  assert.deepEqual(await run('rotate-key'), {
    code: 0,
    written: 'the next key is published and signs from 2026-01-02T00:00:00.000Z\n',
  });
});
