// A witness in a process of its own, as the anchor of a service whose whole data folder is rolled back.

import assert from 'node:assert/strict';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiKey, connect } from '../../src/client/index.ts';
import { folderOfTests, runIn } from '../cli/terminal.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import {
  launch,
  type RunningService,
  startInVain,
  startService,
  temporaryDirectory,
  until,
} from './service.ts';

const folder = folderOfTests();
const data = temporaryDirectory();
const witnessName = 'example.org/witness';
const policy = join(folder, 'policy.txt');

/** Creates a wallet, and waits until its entry is in the log. */
async function logOne({ credentials }: RunningService, walletName: string): Promise<void> {
  const { organizationId, baseUrl: url } = credentials;
  const client = connect({ url, organizationId, stamp: await apiKey(credentials) });
  const submitted = await client.ask('create_wallet', { walletName, accounts: [] });
  assert.equal(submitted.outcome, 'done');
  await until('the receipt', async () => {
    await client.query('get_receipt', { activityId: submitted.activity.id });
    return true;
  });
}

/** Starts a witness, and returns its process and its line for policies. */
async function startWitness() {
  const words = ['witness', '--trust', policy, '--state', join(folder, 'witness.json')];
  const witness = launch({
    dataDirectory: folder,
    command: [
      ...[process.execPath, serviceProgram().main, ...words],
      ...['--name', witnessName, '--port', '0', '--json'],
    ],
  });
  let printed = { line: '', url: '' };
  // A part of the printed text is not JSON, so the wait goes on.
  await until('the witness listens', () => {
    printed = JSON.parse(witness.output().stdout.split('\n\n')[0] ?? '');
    return true;
  });
  return { ...witness, ...printed };
}

test('a witness refuses a rolled back data folder, which starts only on request', async (context) => {
  const receipts = { KEYWRIGHT_RECEIPTS: 'true' };
  const environment = { ...receipts, KEYWRIGHT_WITNESS_POLICY: policy };
  const first = await startService({ dataDirectory: data, environment: receipts });
  await logOne(first, 'Before the backup');
  const log = await (await fetch(`${first.baseUrl}/log/policy`)).text();
  writeFileSync(policy, log);
  await first.stop();
  const old = temporaryDirectory();
  cpSync(data, old, { recursive: true });
  /** Restores the whole folder, with the files of its anchors. */
  const rollBack = () => {
    rmSync(data, { recursive: true });
    cpSync(old, data, { recursive: true });
  };

  const witness = await startWitness();
  context.after(async () => {
    witness.child.kill('SIGKILL');
    await witness.ended;
  });
  writeFileSync(
    policy,
    `${log.replace('quorum none\n', '')}${witness.line}\nquorum ${witnessName}\n`,
  );
  const service = await startService({ dataDirectory: data, environment });
  await logOne(service, 'After the backup');
  await until('the witness has cosigned the newest checkpoint', async () => {
    const checkpoint = await (await fetch(`${service.baseUrl}/log/checkpoint`)).text();
    return checkpoint.includes(`— ${witnessName} `);
  });
  await service.stop();

  rollBack();
  const refused = await startInVain({ dataDirectory: data, environment });
  const expected =
    /older than the witness example\.org\/witness: its log has 3 entries, up to 20\d\d-.*, and the anchor knows 6, so 3 are missing/;
  assert.match(refused.stderr, expected);

  // A witness that accepts connections and never answers.
  witness.child.kill('SIGSTOP');
  const needed = { ...environment, KEYWRIGHT_WITNESS_START: 'require' };
  const unanswered = await startInVain({ dataDirectory: data, environment: needed });
  assert.match(unanswered.stderr, /too few witnesses answered for the quorum/);
  const alone = await startService({ dataDirectory: data, environment });
  const lines = Object.values(alone.output()).join();
  assert.match(
    lines,
    /timeout: no answer in 5000 ms.*a witness did not report its checkpoint at the start/,
  );
  await alone.stop();
  witness.child.kill('SIGCONT');

  rollBack();
  const again = await startInVain({ dataDirectory: data, environment: needed });
  assert.match(again.stderr, expected);
  const words = ['restore', 'accept', '--reason', 'a drill', '--yes', '--data-dir', data];
  const accepted = await runIn(folder, words);
  assert.equal(accepted.code, 0, accepted.err);
  // The witness answers that it does not know the log of the next epoch.
  const restored = await startService({ dataDirectory: data, environment: needed });
  await logOne(restored, 'After the restore');
  assert.match(
    await (await fetch(`${restored.baseUrl}/log/policy`)).text(),
    /^log keywright\/\S+\/2\+/,
  );
  await restored.stop();
});
