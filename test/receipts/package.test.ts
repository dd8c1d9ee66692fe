// The package of the verifier, apart from the project, and its page in a browser's script engine.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import {
  sourcesOfVerifier,
  verifierPackage,
  verifierPage,
} from '../../tools/packages/verifier_package.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { startTestService } from '../support/harness.ts';

const root = join(import.meta.dirname, '..', '..');
const maximumLines = 1_000;

let receipt: string;
let policy: string;

before(async () => {
  const service = await startTestService();
  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const parameters = { organizationName: 'Packed' };
  const { body } = await service.submit('update_organization_name', type, parameters);
  const waiting = await service.store.log.next({ limit: 10 });
  await service.enclave.appendLog({ waiting: [...waiting] });
  const asked = await service.query('get_receipt', { activityId: body.activity.id });
  receipt = JSON.stringify(asked.body);
  policy = `log ${(await service.enclave.logCheckpoint(undefined)).key}\nquorum none\n`;
  await service.close();
});

test(`the verifier has at most ${maximumLines} lines, and no part of the service`, () => {
  const sources = sourcesOfVerifier(root);
  const lines = [...sources.values()].reduce((sum, text) => sum + text.split('\n').length, 0);
  assert.ok(lines <= maximumLines, `${lines} lines`);
  for (const path of sources.keys()) assert.match(path, /^src\/(receipts|core\/log)\//);
});

test('the package verifies a receipt where nothing else of the project is', async (t) => {
  const folder = temporaryDirectory();
  t.after(folder.remove);
  const { manifest, files } = await verifierPackage(root);
  assert.equal(manifest.name, '@keywright/receipts');
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), bytes);
  }
  const run = (given: string) => {
    writeFileSync(join(folder.path, 'receipt.json'), given);
    writeFileSync(join(folder.path, 'policy.txt'), policy);
    const words = ['bin/keywright-receipt.js', 'receipt.json', 'policy.txt'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder.path });
    return { status, out: String(stdout), err: String(stderr) };
  };
  const good = run(receipt);
  assert.equal(good.status, 0, good.err);
  assert.match(
    good.out,
    /ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME[\s\S]*"organizationName":"Packed"/,
  );
  assert.match(good.out, /Does not show: /);
  const bad = run(receipt.replace('Packed', 'Pocked'));
  assert.equal(bad.status, 9, bad.out);
  assert.match(bad.err, /not the one that the entry commits to/);
});

test('the page is one file that runs its own script alone, and verifies a receipt', async () => {
  const page = await verifierPage(root);
  const [, script = ''] = /<script type="module">([\s\S]*)<\/script>/.exec(page) ?? [];
  const digest = createHash('sha256').update(script).digest('base64');
  assert.ok(page.includes(`default-src 'none'; script-src 'sha256-${digest}'`));
  assert.doesNotMatch(page, /(src|href)=|https?:\/\//i);

  const shown = await runPage(script, { receipt, policy });
  assert.equal(shown.outcome, 'Verified.');
  assert.match(shown.facts, /"organizationName":"Packed"/);
  const altered = { receipt: receipt.replace('Packed', 'Pocked'), policy };
  const refused = await runPage(script, altered);
  assert.match(refused.outcome, /^Not verified: .*commits to\.$/);
  assert.equal(refused.facts, '');
});

test('the page accepts the same receipts with WebCrypto, without it, and if it confirms nothing', async () => {
  const page = await verifierPage(root);
  const [, script = ''] = /<script type="module">([\s\S]*)<\/script>/.exec(page) ?? [];
  const spoiledSignature = receipt.replace(
    /(run-key|runProof.*— \S+ )([A-Za-z0-9+/]{8})/s,
    (_, before, digits) =>
      `${before}${digits.slice(0, 6)}${digits.slice(6) === 'AA' ? 'BB' : 'AA'}`,
  );
  assert.notEqual(spoiledSignature, receipt);
  let asked = 0;
  let confirmed = 0;
  const counting = {
    subtle: {
      importKey: (...given: Parameters<typeof crypto.subtle.importKey>) =>
        crypto.subtle.importKey(...given),
      verify: async (...given: Parameters<typeof crypto.subtle.verify>) => {
        const isValid = await crypto.subtle.verify(...given);
        asked += 1;
        confirmed += isValid ? 1 : 0;
        return isValid;
      },
    },
  };
  const confirmingNothing = { subtle: { ...counting.subtle, verify: async () => false } };
  for (const [what, platform] of Object.entries({ counting, confirmingNothing, none: {} })) {
    const shown = await runPage(script, { receipt, policy }, platform);
    assert.equal(shown.outcome, 'Verified.', what);
    const refused = await runPage(script, { receipt: spoiledSignature, policy }, platform);
    assert.match(refused.outcome, /^Not verified: /, what);
  }
  // The votes, the checkpoint, the boot statement and the run.
  assert.ok(confirmed >= 4, `${confirmed} of ${asked}`);
  assert.ok(asked > confirmed);
});

/** Runs the script of the page over the few parts of a document that it uses. */
async function runPage(
  script: string,
  given: Readonly<Record<string, string>>,
  webCrypto: object = crypto,
) {
  const changed: (() => Promise<void>)[] = [];
  const facts: { textContent: string }[] = [];
  const outcome = { textContent: '' };
  const input = (name: string) => ({
    files: [{ text: async () => given[name] }],
    addEventListener: (_event: string, run: () => Promise<void>) => changed.push(run),
  });
  const elements: Readonly<Record<string, object>> = {
    receipt: input('receipt'),
    policy: input('policy'),
    outcome,
    facts: {
      replaceChildren: () => facts.splice(0),
      append: (...added: { textContent: string }[]) => facts.push(...added),
    },
  };
  const document = {
    getElementById: (id: string) => elements[id],
    createElement: () => ({ textContent: '' }),
  };
  const platform = { document, TextEncoder, TextDecoder, Uint8Array, crypto: webCrypto };
  runInContext(`(() => {${script}})()`, createContext(platform));
  for (const run of changed) await run();
  return { outcome: outcome.textContent, facts: facts.map((each) => each.textContent).join('\n') };
}
