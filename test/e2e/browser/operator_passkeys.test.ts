// Passkeys of operators hold the shares of the root key: they open a sealed service and combine the shares,
// in a real browser. No secret of a passkey reaches another process in the clear.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityToRecipient } from 'age-encryption';
import type { Page } from 'playwright-core';
import { identityOfPasskey, identitySalt } from '../../../tools/recover/passkey_secret.ts';
import { runIn } from '../../cli/terminal.ts';
import { freePort } from '../../support/free_port.ts';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { launch, temporaryDirectory, until } from '../service.ts';
import { missingBrowser } from './browser.ts';
import { done, enter, openAuthenticator, prfOf } from './holder_pages.ts';

const { test } = testsThatNeed(missingBrowser);
const folder = temporaryDirectory();
const dataDirectory = join(folder, 'data');

/** Runs a command. Each page that it opens is used by the next of the people. */
async function run(words: string, ...people: readonly ((url: string, code: string) => unknown)[]) {
  let printed = '';
  const acting: unknown[] = [];
  const interrupt = new AbortController();
  const ran = await runIn(folder, [...words.split(' '), '--json'], {
    environment: { KEYWRIGHT_DATA_DIR: dataDirectory, XDG_CONFIG_HOME: join(folder, 'config') },
    signal: interrupt.signal,
    err: (text) => {
      printed += text;
    },
    openBrowser: async (url) => {
      const code = /Code: (\w{10})$/.exec(printed.trimEnd())?.[1] ?? '';
      const used = Promise.resolve(people[acting.length]?.(url, code));
      used.catch(() => interrupt.abort());
      acting.push(used);
    },
  });
  await Promise.all(acting);
  assert.equal(acting.length, people.length, `keywright ${words}: ${printed}`);
  return { ...ran, err: printed };
}

const must = async (...call: Parameters<typeof run>) => {
  const { code, out, err } = await run(...call);
  assert.equal(code, 0, `keywright ${call[0]}: ${err}`);
  return JSON.parse(out);
};

const creating = (page: Page) => async (url: string, code: string) => {
  await enter(page, url, code);
  await page.getByText('Create a passkey that opens a share of the root key').waitFor();
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  await page.getByRole('button', { name: 'Use the passkey for the first time' }).click();
  await done(page);
};

const using = (page: Page, purpose: string | RegExp) => async (url: string, code: string) => {
  await enter(page, url, code);
  await page.getByText(purpose).waitFor();
  await page.getByRole('button', { name: 'Use the passkey' }).click();
  await done(page);
};

test('passkeys of two operators open a sealed service, and combine and split its key', async (t) => {
  const people = await Promise.all([openAuthenticator(), openAuthenticator()]);
  t.after(() => Promise.all(people.map(({ browser }) => browser.close())));
  const [alice, bob] = people.map(({ page }) => page) as [Page, Page];

  const first = await must('root-key passkey', creating(alice));
  const second = await must('root-key passkey', creating(bob));
  // The recovery tool derives the same recipient.
  const secrets = await Promise.all(
    [alice, bob].map((page) => prfOf(page, Buffer.from(identitySalt).toString('base64'))),
  );
  assert.deepEqual(
    [first.recipient, second.recipient],
    await Promise.all(secrets.map((secret) => identityToRecipient(identityOfPasskey(secret)))),
  );
  const recipients = `--recipient ${first.recipient} --recipient ${second.recipient}`;
  await must(`root-key init --shares 2 --threshold 2 ${recipients} --to shares`);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = { KEYWRIGHT_PORT: String(port), KEYWRIGHT_ROOT_KEY_PROVIDER: 'shares' };
  const service = launch({ dataDirectory, environment });
  t.after(() => service.child.kill('SIGKILL'));
  const health = async () => (await fetch(`${url}/health/ready`)).status;
  let statement = '';
  await until('the enclave waits for shares', async () => {
    const response = await fetch(`${url}/unseal`);
    if (response.ok) ({ statement } = JSON.parse(await response.text()));
    return response.ok;
  });
  const { sourcesDigest } = JSON.parse(statement);
  const unseal = (share: number) =>
    `unseal share shares/share-${share}.age --passkey --url ${url} --sources-digest ${sourcesDigest}`;
  const opens = 'Open a share of the root key';

  // Without the right statement, no passkey is asked for.
  const other = await run(unseal(1).replace(sourcesDigest, 'ab'.repeat(32)));
  assert.match(other.err, /the enclave states the sources [0-9a-f]{64}, not (ab)+/);
  const wrong = await run(unseal(1), using(bob, opens));
  assert.match(wrong.err, /no passkey that was used opens \S+share-1\.age/);
  assert.equal((await must(unseal(1), using(alice, opens))).given, 1);
  assert.equal((await must(unseal(2), using(bob, opens))).given, 2);
  await until('the service is ready', async () => (await health()) === 200);

  const combine = 'root-key combine --from shares --to recovered.key --passkeys 2';
  const both = [using(alice, /passkey 1 of 2/), using(bob, /passkey 2 of 2/)] as const;
  const twice = await run(combine, both[0], using(alice, /passkey 2 of 2/));
  assert.notEqual(twice.code, 0);
  assert(!existsSync(join(folder, 'recovered.key')));
  assert.equal((await must(combine, ...both)).shares, 2);
  const rootKey = readFileSync(join(folder, 'recovered.key'));
  assert.equal(rootKey.length, 32);

  writeFileSync(join(folder, 'operators.txt'), `${second.recipient}\n${first.recipient}\n`);
  await must(
    'root-key split --threshold 2 --recipients operators.txt --from shares --to again --passkeys 2',
    ...both,
  );
  await must(combine.replace('shares', 'again').replace('recovered', 'same'), ...both);
  assert.deepEqual(readFileSync(join(folder, 'same.key')), rootKey);

  for (const secret of [...secrets, rootKey]) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const text = Buffer.from(secret).toString(encoding);
      const { stdout, stderr } = service.output();
      for (const seen of [...people.flatMap(({ sent }) => sent), stdout, stderr]) {
        assert(!seen.includes(text), encoding);
      }
    }
  }
  assert.deepEqual(
    people.flatMap(({ complaints }) => complaints),
    [],
  );
});

test('an option for passkeys excludes a file of identities', async () => {
  const share = await run('unseal share a.age --passkey --identity b.txt');
  assert.match(share.err, /give one of --identity and --passkey/);
  assert.match((await run('unseal share a.age')).err, /give one of --identity and --passkey/);
  const both = await run('root-key combine --identities a.txt --passkeys 2');
  assert.match(both.err, /give one of --identities and --passkeys/);
  assert.match((await run('root-key combine')).err, /give one of --identities and --passkeys/);
  assert.match((await run('root-key combine --passkeys two')).err, /--passkeys/);
});
