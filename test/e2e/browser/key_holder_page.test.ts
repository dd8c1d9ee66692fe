// A passkey with the PRF extension holds the key of an organization: it creates the key, and unseals the
// organization after a restart, in a real browser. Its secret reaches no other process in the clear.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { runIn } from '../../cli/terminal.ts';
import { testsThatNeed } from '../../support/tests_that_need.ts';
import { type RunningService, startService, temporaryDirectory } from '../service.ts';
import { missingBrowser } from './browser.ts';
import { done, enter, openAuthenticator, prfOf } from './holder_pages.ts';

const { test } = testsThatNeed(missingBrowser);
const folder = temporaryDirectory();

/** Runs a command. `act` works in the page that the command opens, with the code of the terminal. */
async function run(
  service: RunningService,
  words: string,
  act?: (url: string, code: string, interrupt: () => void) => Promise<void>,
) {
  const interrupt = new AbortController();
  let printed = '';
  let acting: Promise<void> | undefined;
  const ran = await runIn(folder, [...words.split(' '), '--json'], {
    environment: {
      KEYWRIGHT_DATA_DIR: '.',
      KEYWRIGHT_URL: service.baseUrl,
      XDG_CONFIG_HOME: join(folder, 'config'),
    },
    signal: interrupt.signal,
    err: (text) => {
      printed += text;
    },
    openBrowser: async (url) => {
      const [, code = ''] = /Code: (\w{10})$/m.exec(printed) ?? [];
      acting = act?.(url, code, () => interrupt.abort());
      acting?.catch(() => interrupt.abort());
    },
  });
  await acting;
  return { ...ran, err: printed };
}

/** Evaluates the PRF of the passkey in a derivation, as the page does. */
const secretIn = (page: Page, derivation: string): Promise<Uint8Array> => {
  const [, , , credential = '', salt = ''] = derivation.split('$');
  return prfOf(page, salt, credential);
};

test('a passkey creates the key of an organization, and unseals it after a restart', async (t) => {
  const { browser, page, sent, complaints } = await openAuthenticator();
  t.after(() => browser.close());
  let service = await startService({ dataDirectory: folder });
  t.after(() => service.stop());
  const must = async (
    ...call: Parameters<typeof run> extends [unknown, ...infer R] ? R : never
  ) => {
    const { code, out, err } = await run(service, ...call);
    assert.equal(code, 0, `keywright ${call[0]}: ${err}`);
    return JSON.parse(out);
  };
  const signed = () => must('sign message hello --with shop/ethereum');
  await must('wallet create shop');
  const before = await signed();

  await must('org key create treasurer --passkey --yes', async (url, code) => {
    await enter(page, url, code === '00000000' ? '11111111' : '00000000');
    await page.getByText('The code is wrong.').waitFor();
    await enter(page, url, code);
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByRole('button', { name: 'Use the passkey for the first time' }).click();
    await done(page);
  });
  assert.deepEqual(await signed(), before);

  await service.stop();
  service = await startService({ dataDirectory: folder });
  const sealed = await run(service, 'sign message hello --with shop/ethereum');
  assert.match(sealed.err, /is sealed: a holder of its key unseals it/);
  await must('org unseal', async (url, code) => {
    await enter(page, url, code);
    await page.getByText('treasurer', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Use the passkey' }).click();
    await done(page);
  });
  assert.deepEqual(await signed(), before);

  const { organizationKey } = await must('org key show');
  const [{ type, derivation }] = organizationKey.holders;
  assert.equal(type, 'KEY_HOLDER_TYPE_PASSKEY');
  const secret = Buffer.from(await secretIn(page, derivation));
  assert.equal(secret.length, 32);
  const { stdout, stderr } = service.output();
  const database = readFileSync(join(folder, 'keywright.sqlite'));
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    const text = secret.toString(encoding);
    for (const seen of [...sent, stdout, stderr]) assert(!seen.includes(text), encoding);
    assert(!database.includes(text), encoding);
  }
  assert(!database.includes(secret));
  assert.equal(sent.filter((body) => body.includes('encryptedSecret')).length, 2);
  // The browser logs an error for the answer to the wrong code.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('403')),
    [],
  );

  const clerk = await run(service, 'org holder add clerk --passkey', async (url, code) => {
    await enter(page, url, code);
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByRole('button', { name: 'Use the passkey for the first time' }).click();
    await done(page);
  });
  assert.equal(clerk.code, 0, clerk.err);
  await must('org seal');
  const unnamed = await run(service, 'org unseal');
  assert.match(unnamed.err, /matches 0 of the holders: treasurer, clerk/);
  // Each holder has a passkey of its own, also in one authenticator.
  for (const holder of ['treasurer', 'clerk']) {
    await must(`org unseal --holder ${holder}`, async (url, code) => {
      await enter(page, url, code);
      await page.getByRole('button', { name: 'Use the passkey' }).click();
      await done(page);
    });
    assert.deepEqual(await signed(), before);
    await must('org seal');
  }
});

test('an authenticator without the PRF extension cannot become a holder', async (t) => {
  const { browser, page } = await openAuthenticator(false);
  t.after(() => browser.close());
  const service = await startService({ dataDirectory: temporaryDirectory() });
  t.after(() => service.stop());
  const { code, err } = await run(
    service,
    'org key create treasurer --passkey --yes',
    async (url, typed) => {
      await enter(page, url, typed);
      await page.getByRole('button', { name: 'Create the passkey' }).click();
      await page.getByText('This authenticator lacks the PRF extension.').waitFor();
      assert(await page.getByRole('button', { name: 'Create the passkey' }).isEnabled());
    },
  );
  assert.notEqual(code, 0, err);
});
