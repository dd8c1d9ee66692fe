// The recovery tool opens an archive with passkeys alone, in a real browser and without a service: one
// passkey is the recipient of the archive, another one the holder of the organization key.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { recoveryToolOf } from '../../../tools/packages/recovery_tool.ts';
import { runIn } from '../../cli/terminal.ts';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { startService, temporaryDirectory } from '../service.ts';
import { missingBrowser } from './browser.ts';
import { done, enter, openAuthenticator } from './holder_pages.ts';

const { test } = testsThatNeed(missingBrowser);
const folder = temporaryDirectory();
const file = (name: string): string => join(folder, name);

/** Runs the recovery tool. `act` receives a function that opens its page in a browser. */
async function recover(words: string, act: (open: (page: Page) => Promise<void>) => Promise<void>) {
  const child: ChildProcess = spawn(process.execPath, ['recover.mjs', ...words.split(' ')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const address = await new Promise<RegExpExecArray>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
      const shown = /^Open (\S+) in a browser on this machine\. Code: (\w{10})$/m.exec(err);
      if (shown !== null) resolve(shown);
    });
    ended.then(() => reject(new Error(err)), reject);
  });
  try {
    const [, url = '', code = ''] = address;
    await act((page) => enter(page, url, code));
    const [status] = await ended;
    return { status, out, err };
  } finally {
    child.kill();
  }
}

const click = (page: Page, name: string) => page.getByRole('button', { name }).click();

test('passkeys alone open an archive of a sealed organization, without a service', async (t) => {
  const [owner, treasurer] = await Promise.all([openAuthenticator(), openAuthenticator()]);
  t.after(() => Promise.all([owner.browser.close(), treasurer.browser.close()]));
  writeFileSync(file('recover.mjs'), await recoveryToolOf(join(import.meta.dirname, '../../..')));

  const made = await recover('--new-passkey', async (open) => {
    await open(owner.page);
    await click(owner.page, 'Create the passkey');
    await click(owner.page, 'Use the passkey for the first time');
    await done(owner.page);
  });
  assert.equal(made.status, 0, made.err);
  assert.match(made.out, /^# passkey [\w-]+\nage1[0-9a-z]{58}\n$/);
  writeFileSync(file('recipients.txt'), made.out);

  const service = await startService({ dataDirectory: folder });
  t.after(() => service.stop());
  const run = async (words: string, act?: (url: string, code: string) => Promise<void>) => {
    let printed = '';
    let acting: Promise<void> | undefined;
    const ran = await runIn(folder, [...words.split(' '), '--json'], {
      environment: {
        KEYWRIGHT_DATA_DIR: '.',
        KEYWRIGHT_URL: service.baseUrl,
        XDG_CONFIG_HOME: file('config'),
      },
      err: (text) => {
        printed += text;
      },
      openBrowser: async (url) => {
        acting = act?.(url, /Code: (\w{10})$/m.exec(printed)?.[1] ?? '');
      },
    });
    await acting;
    assert.equal(ran.code, 0, `keywright ${words}: ${printed}${ran.err}`);
    return JSON.parse(ran.out);
  };
  await run('wallet create shop');
  const { wallets } = await run('wallet list');
  await run('org key create treasurer --passkey --yes', async (url, code) => {
    await enter(treasurer.page, url, code);
    await click(treasurer.page, 'Create the passkey');
    await click(treasurer.page, 'Use the passkey for the first time');
    await done(treasurer.page);
  });
  const { organizationId } = await run('whoami');
  await service.stop();
  const exports = `export organization ${organizationId} --to exit.age --recipients recipients.txt`;
  await run(`${exports} --data-dir ${folder}`);

  const skipped = await recover('--archive exit.age --passkey', async (open) => {
    const { page } = owner;
    await open(page);
    await page.getByText('Use the passkey of a recipient of the archive.').waitFor();
    assert(await page.getByRole('button', { name: 'Continue without it' }).isHidden());
    await click(page, 'Use the passkey');
    await page.getByText(/^Use the passkey of a key holder of /).waitFor();
    await click(page, 'Continue without it');
    await done(page);
  });
  assert.equal(skipped.status, 1, skipped.err);
  assert.match(skipped.out, /the passkey of no holder of the organization key opened it/);

  const opened = await recover('--archive exit.age --passkey --to recovered', async (open) => {
    await open(treasurer.page);
    await click(treasurer.page, 'Use the passkey');
    await treasurer.page.getByText(/no recipient of this archive\. Use another/).waitFor();
    await open(owner.page);
    await click(owner.page, 'Use the passkey');
    await owner.page.getByText(/^Use the passkey of a key holder of /).waitFor();
    await open(treasurer.page);
    await click(treasurer.page, 'Use the passkey');
    await done(treasurer.page);
  });
  assert.equal(opened.status, 0, opened.err + opened.out);
  assert.match(opened.out, /all match the archive/);
  const lines = readFileSync(file('recovered/keys.ndjson'), 'utf8').trimEnd().split('\n');
  const keys = lines.map((line) => JSON.parse(line));
  const { id, seed, entropy } = keys.find(({ kind }) => kind === 'wallet');
  assert.equal(id, wallets[0].walletId);
  assert.match(entropy, /^[0-9a-f]{32}$/);
  for (const { sent, complaints } of [owner, treasurer]) {
    assert(!sent.some((body) => body.includes(seed) || body.includes(entropy)));
    assert.deepEqual(complaints, []);
  }
});
