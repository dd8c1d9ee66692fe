// The package of the verifier, apart from the project, and its page in a browser's script engine.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import {
  sourcesOfVerifier,
  verifierPackage,
  verifierPage,
} from '../../tools/packages/verifier_package.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { startTestService } from '../support/harness.ts';
import { bodyOf, sendBody } from '../votes/voting.ts';

const root = join(import.meta.dirname, '..', '..');
const maximumLines = 1_100;
const hiding = 'Hidden \u202egnihton \u009b2J\u200b';

let receipt: string;
let policy: string;
/** The receipt of a request with characters that control a terminal or reorder a text. */
let hostile: string;

before(async () => {
  const service = await startTestService();
  const type = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
  const parameters = { organizationName: 'Packed' };
  const { body } = await service.submit('update_organization_name', type, parameters);
  // White space between the tokens of JSON may be a carriage return.
  const typeOfHiding = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
  const hides = { policyName: 'P', effect: 'EFFECT_DENY', notes: hiding };
  const text = new TextDecoder().decode(bodyOf(service, typeOfHiding, hides));
  const spaced = new TextEncoder().encode(text.replace('{', '{\n\r'));
  const made = await sendBody(service, 'create_policy', spaced);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const waiting = await service.store.log.next({ limit: 10 });
  await service.enclave.appendLog({ waiting: [...waiting] });
  const asked = await service.query('get_receipt', { activityId: body.activity.id });
  receipt = JSON.stringify(asked.body);
  const other = { activityId: made.body.activity.id };
  hostile = JSON.stringify((await service.query('get_receipt', other)).body);
  policy = `log ${(await service.enclave.logCheckpoint(undefined)).key}\nquorum none\n`;
  await service.close();
});

test(`the verifier has at most ${maximumLines} lines, and no part of the service`, () => {
  const sources = sourcesOfVerifier(root);
  const lines = [...sources.values()].reduce((sum, text) => sum + text.split('\n').length, 0);
  assert.ok(lines <= maximumLines, `${lines} lines`);
  for (const path of sources.keys()) assert.match(path, /^src\/(receipts|core\/log)\//);
});

/** Writes the package into a folder. Returns a function that runs its command on a receipt. */
async function installed(t: TestContext) {
  const folder = temporaryDirectory();
  t.after(folder.remove);
  const { manifest, files } = await verifierPackage(root);
  assert.equal(manifest.name, '@keywright/receipts');
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), bytes);
  }
  return (given: string) => {
    writeFileSync(join(folder.path, 'receipt.json'), given);
    writeFileSync(join(folder.path, 'policy.txt'), policy);
    const words = ['bin/keywright-receipt.js', 'receipt.json', 'policy.txt'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder.path });
    return { status, out: String(stdout), err: String(stderr) };
  };
}

test('the package verifies a receipt where nothing else of the project is', async (t) => {
  const run = await installed(t);
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

test('the package and the page show hidden characters of a receipt as codes', async (t) => {
  const run = await installed(t);
  const page = await verifierPage(root);
  const [, script = ''] = /<script type="module">([\s\S]*)<\/script>/.exec(page) ?? [];
  const good = run(hostile);
  assert.equal(good.status, 0, good.err);
  const shown = await runPage(script, { receipt: hostile, policy });
  const log = 'example.org/\u009b2J';
  const foreign = receipt.replaceAll(/keywright\/[0-9a-f-]+\/1/g, log);
  const bad = run(foreign);
  assert.match(bad.err, /does not name the log example.org\/\\u\{9b\}2J/);
  const refused = await runPage(script, { receipt: foreign, policy });
  for (const text of [good.out, shown.facts, bad.err, refused.outcome]) {
    assert.doesNotMatch(text, /[^\n\P{C}]/u);
    assert.match(text, /\\u\{9b\}/);
  }
  for (const text of [good.out, shown.facts]) assert.match(text, /\\u\{a\}\\u\{d\}/);
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
