// States of a page: refused, offline and back, another language, keyboard only, signed out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { apiKey, connect } from '../../src/client/index.ts';
import { until } from '../e2e/service.ts';
import {
  dashboardOfThisFile,
  focused,
  goTo,
  leaveDialog,
  openGoTo,
  signInAs,
  test,
} from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

test('16: a refused activity shows which clause was false', async () => {
  const page = await dashboard.shared('Root user');
  const { baseUrl: url } = dashboard.service();
  const credentials = dashboard.service().credentials('alice');
  const { organizationId } = credentials;
  const alice = connect({ url, organizationId, stamp: await apiKey(credentials) });
  await goTo(page, 'Activities');
  const submitted = await alice.ask('create_user_tag', { userTagName: 'mine', userIds: [] });
  assert.equal(submitted.outcome, 'refused');
  // The page updates without a reload.
  await page
    .getByRole('row', { name: /^Create user tag .*refused/ })
    .getByRole('link')
    .click();
  const decision = page.getByRole('region', { name: 'Decision' });
  await decision.getByRole('table', { name: 'Policies' }).waitFor();
  const row = decision.getByRole('row', { name: /^carol creates wallets/ });
  assert.match((await row.textContent()) ?? '', /Allow.*not met/);
});

test('the download contains the filtered activities, one a line', async () => {
  const page = await dashboard.shared('Root user');
  await goTo(page, 'Activities');
  const { baseUrl: url } = dashboard.service();
  const credentials = dashboard.service().credentials('root-credentials');
  const { organizationId } = credentials;
  const root = connect({ url, organizationId, stamp: await apiKey(credentials) });
  const linesOf = async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as NDJSON' }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'activities.ndjson');
    const text = readFileSync(await download.path(), 'utf8');
    assert(text.endsWith('\n'));
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const all = await linesOf();
  const known: string[] = [];
  for await (const { id } of root.pages('list_activities')) known.push(id);
  assert.deepEqual(
    all.map(({ id }) => id),
    known,
  );
  assert(all.every(({ intent, votes }) => intent !== undefined && votes.length > 0));
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Waiting');
  const waiting = await linesOf();
  assert.deepEqual(
    waiting.map(({ status }) => status),
    ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
  );
});

test('the search of activities finds names, amounts and ids, and a cleared search shows all rows', async () => {
  const page = await dashboard.shared('Root user');
  await goTo(page, 'Activities');
  const table = page.getByRole('table', { name: 'Activities' });
  const rows = table.getByRole('row').filter({ has: page.getByRole('rowheader') });
  const field = page.getByRole('searchbox', { name: 'Name, amount, ID or address' });
  const search = async (text: string) => {
    await field.fill('');
    await field.pressSequentially(text);
    assert.equal(await field.inputValue(), text);
    await field.press('Enter');
  };
  await rows.nth(5).waitFor();
  const all = await rows.count();
  // Between two results the table has no rows at all.
  const onlyRowsWith = async (pattern: RegExp) => {
    let texts: string[] = [];
    await until(
      `all rows have ${pattern}`,
      async () => {
        texts = await rows.allTextContents();
        return texts.length > 0 && texts.every((text) => pattern.test(text));
      },
      { seen: () => `: ${texts.join('\n')}` },
    );
  };
  for (const text of ['TREASury', '0.5 ETH', 'create polic']) {
    await search(text);
    await onlyRowsWith(new RegExp(text, 'i'));
    const found = await rows.count();
    assert(found > 0 && found < all, `${found} of ${all} rows have ${text}`);
  }
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  const root = connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  const { wallets } = await root.query('list_wallets');
  const { walletId = '' } = wallets.find(({ walletName }) => walletName === 'treasury') ?? {};
  // The service finds the activities that name the wallet or sign with its account.
  await search(walletId);
  await onlyRowsWith(/Create wallet “treasury”|Sign transaction 0\.5 ETH/);
  assert.equal(await rows.count(), 2);
  await search('no line has this');
  await page.getByText('No activity fits these filters.').waitFor();
  await field.fill('');
  await until('all rows are back', async () => (await rows.count()) === all);
});

test('the title of a page in the background counts waiting approvals', async () => {
  const page = await dashboard.shared('Root user');
  await page.getByRole('region', { name: 'Waiting' }).getByText('1 approval waits').waitFor();
  const looks = (isHidden: boolean) =>
    page.evaluate(`(() => {
      Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    })()`);
  const titleIs = (title: RegExp) =>
    until(`the title is ${title}`, async () => title.test(await page.title()));
  await titleIs(/^Overview · /);
  await looks(true);
  await titleIs(/^\(1\) Overview · .+ · Keywright$/);
  await goTo(page, 'Wallets');
  await titleIs(/^\(1\) Wallets · .+ · Keywright$/);
  await looks(false);
  await titleIs(/^Wallets · .+ · Keywright$/);
});

test('33: a user stays signed in while the service is away and back', async () => {
  const page = await dashboard.openAs('alice');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.context().setOffline(true);
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Wallets' })
    .click();
  const away = page.getByRole('alert').filter({ hasText: 'The service does not answer' });
  await away.first().waitFor();
  await page.context().setOffline(false);
  await away.first().waitFor({ state: 'detached' });
  await goTo(page, 'Overview');
  await goTo(page, 'Wallets');
  await page.getByRole('table', { name: 'Wallets' }).waitFor();
});

test('the key of a session is not extractable, and signing out deletes it', async () => {
  const page = await dashboard.openAs('bob');
  const readPrivateKey = `new Promise((resolve, reject) => {
    const opening = indexedDB.open('keywright');
    opening.onerror = reject;
    opening.onsuccess = () => {
      const reading = opening.result.transaction('sessions').objectStore('sessions').get('session');
      reading.onsuccess = () => { opening.result.close(); resolve(reading.result?.privateKey?.extractable ?? 'none'); };
    };
  })`;
  await until('the session is stored', async () => (await page.evaluate(readPrivateKey)) === false);
  // The pinned keys of the service are public. `waitForFunction` would evaluate a text, which the policy of
  // the page forbids.
  await page.evaluate(`new Promise((known) => {
    const look = () => (localStorage.length > 0 ? known() : requestAnimationFrame(look));
    look();
  })`);
  const names = await page.evaluate(
    'Object.keys(localStorage).concat(Object.keys(sessionStorage))',
  );
  const { organizationId } = dashboard.service().credentials('bob');
  assert.deepEqual(names, [`keywright.serviceKeys.${organizationId}`]);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await until(
    'the session is deleted',
    async () => (await page.evaluate(readPrivateKey)) === 'none',
  );
});

test('a key file is read in the page and starts a session; another file is rejected with a sentence', async () => {
  const page = await dashboard.open();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  const credentials = dashboard.service().credentials('root-credentials');
  const file = (content: object) => ({
    name: 'key.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  });
  await page.getByLabel('API key file').setInputFiles(file({ organizationId: 'x' }));
  await page.getByRole('alert').filter({ hasText: 'not an API key file' }).waitFor();
  await page.getByLabel('API key file').setInputFiles(file(credentials));
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  assert(sent.every((body) => !body.includes(credentials.apiPrivateKey)));
});

test('every text comes from the catalogue, and texts 40 % longer break no layout', async () => {
  const page = await dashboard.open({ width: 320, path: '?locale=pseudo' });
  await page.getByRole('button', { name: /Root user/ }).waitFor();
  const texts = `(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { parentElement, data } = walker.currentNode;
      if (data.trim() !== '' && !parentElement.closest('noscript, script')) found.push(data);
    }
    return found;
  })()`;
  const shown = (await page.evaluate(texts)) as readonly string[];
  assert(shown.length > 8);
  assert.deepEqual(
    shown.filter((text) => !/^⟦.*⟧$/s.test(text)),
    [],
  );
  const wide = async () =>
    Number(await page.evaluate('document.documentElement.scrollWidth')) > 320;
  assert.equal(await wide(), false);
  await page.getByRole('button', { name: /Root user/ }).click();
  await page.getByRole('table').waitFor();
  assert.equal(await wide(), false);
});

test('the keyboard reaches a wallet, and dialogs return the focus', async () => {
  const page = await dashboard.open({ width: 320, theme: 'dark' });
  await signInAs(page, 'carol');
  const dialog = await openGoTo(page);
  await page.keyboard.type('treas');
  await dialog.getByRole('option', { name: /^treasury/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'treasury' }).waitFor();
  await focused(page.getByRole('heading', { level: 1, name: 'treasury' }));
  await page.getByRole('button', { name: 'New account' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New account' }).waitFor();
  await leaveDialog(page);
  await focused(page.getByRole('button', { name: 'New account' }));
});

test('a page in the background notifies of new waiting approvals if its user allowed it', async () => {
  const page = await dashboard.openAs('Root user', { path: 'approvals' });
  await page.addInitScript(`
    globalThis.notices = [];
    globalThis.Notification = class extends EventTarget {
      static permission = 'default';
      static async requestPermission() { return (this.permission = 'granted'); }
      constructor(title) { super(); notices.push(title); }
    };
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
  `);
  await page.reload();
  await page.getByRole('article', { name: /^Sign transaction/ }).waitFor();
  const { baseUrl: url, credentials } = dashboard.service();
  const clientOf = async (name: string) => {
    const of = credentials(name);
    return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  };
  const [root, alice] = [await clientOf('root-credentials'), await clientOf('alice')];
  const { activities } = await root.query('list_activities', {
    filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
  });
  const { intent } = await root.activity(activities[0]?.id ?? '');
  const ask = async () => {
    const { outcome } = await alice.ask('sign_transaction', intent as never);
    assert.equal(outcome, 'waiting');
  };
  const notices = () => page.evaluate<readonly string[]>('notices');
  const articles = page.getByRole('article', { name: /^Sign transaction/ });
  await ask();
  await articles.nth(1).waitFor();
  assert.deepEqual(await notices(), [], 'nobody has allowed it');
  const allow = page.getByRole('button', { name: 'Notify me in the background' });
  await allow.click();
  await allow.waitFor({ state: 'detached' });
  await ask();
  await articles.nth(2).waitFor();
  await until('the browser notifies', async () => (await notices()).length > 0);
  assert.deepEqual(await notices(), ['1 approval begins to wait for you.']);
});

test('a service without the log says that an activity has no receipt', async () => {
  const page = await dashboard.openAs('Root user', { path: 'activities' });
  await page.getByRole('table').getByRole('link').first().click();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByRole('button', { name: 'Download receipt' }).click();
  await receipt
    .getByRole('alert')
    .getByText(/^the log does not have activity/i)
    .waitFor();
});
