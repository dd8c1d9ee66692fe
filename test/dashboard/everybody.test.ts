// Accessibility of every screen: keyboard, another language, right-to-left text, forced colours and enlarged
// text.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { apiKey, connect } from '../../src/client/index.ts';
import { assertNotWider, dashboardOfThisFile, focused, openGoTo, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

/** Returns the addresses of all screens in the navigation. */
async function screensOf(page: Page): Promise<readonly string[]> {
  const links = page
    .getByRole('navigation', { includeHidden: true })
    .getByRole('link', { includeHidden: true });
  await links.first().waitFor({ state: 'attached' });
  const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  assert(found.length >= 9, `${found}`);
  return found.flatMap((href) => href ?? []);
}

/** Opens a screen by its link, visible or not, and waits until its content is loaded. */
async function openScreen(page: Page, href: string): Promise<void> {
  const link = page.locator(`nav a[href="${href}"]`);
  const name = (await link.textContent())?.trim() ?? '';
  await link.dispatchEvent('click', { button: 0 });
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await page.locator('main .loading').first().waitFor({ state: 'detached' });
}

test('the skip link is the first stop of the keyboard, and leads past the navigation', async () => {
  const page = await dashboard.openAs('Root user');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.keyboard.press('Tab');
  await focused(page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
  await focused(page.getByRole('main'));
  await page.keyboard.press('Tab');
  await page.locator('main :focus').waitFor();
});

test('“Go to” finds screens, policies and ids by keyboard', async () => {
  const page = await dashboard.shared('Root user');
  const go = async (text: string, found: RegExp) => {
    const dialog = await openGoTo(page);
    await page.keyboard.insertText(text);
    await dialog.getByRole('option').first().filter({ hasText: found }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  };
  await go('API expl', /^API explorer/);
  await page.getByRole('heading', { level: 1, name: 'API explorer' }).waitFor();
  await go('two of three', /^two of three sign/);
  await page.getByRole('heading', { level: 1, name: 'two of three sign with treasury' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? assert.fail();
  await go(id, /^two of three sign/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  const root = connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  const { accounts } = await root.query('list_wallet_accounts', {});
  const { address, walletId } = accounts[0] ?? assert.fail();
  const { wallet } = await root.query('get_wallet', { walletId });
  await go(address.slice(0, 12), new RegExp(`^${address}`));
  await page.getByRole('heading', { level: 1, name: wallet.walletName }).waitFor();
});

test('a policy is written by keyboard, and no editor traps the focus', async () => {
  const page = await dashboard.openAs('Root user', { path: 'policies/new', width: 320 });
  // Wait for the editors, which load after the fields and after the focus of the screen has moved.
  await page.getByRole('textbox', { name: 'Time' }).waitFor();
  await page.getByRole('textbox', { name: 'Notes' }).focus();
  const names: string[] = [];
  for (let stop = 0; stop < 3; stop += 1) {
    await page.keyboard.press('Tab');
    names.push(
      await page.evaluate<string>(
        `(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).getAttribute('aria-label')`,
      ),
    );
    await page.keyboard.type('true ');
    await page.keyboard.press('Escape');
  }
  assert.deepEqual(names, ['Condition', 'Consensus', 'Time']);
  await page.keyboard.press('Shift+Tab');
  await page.getByRole('list', { name: 'Warnings' }).waitFor();
});

test('in a language with 40 % longer texts, every text comes from the catalogue and fits', async () => {
  const page = await dashboard.open({ width: 320, path: '?locale=pseudo' });
  await page.getByRole('button', { name: /Root user/ }).click();
  for (const href of await screensOf(page)) {
    await openScreen(page, href);
    await assertNotWider(page, href);
    // The explorer shows titles from the schemas, which are not translated.
    if (href.includes('/api')) continue;
    const foreign = await page
      .locator('main :is(button, h2, label, legend, dt, thead th)')
      .evaluateAll((all) =>
        all
          .map((each) => each.textContent?.trim() ?? '')
          .filter((text) => text !== '' && !text.startsWith('⟦')),
      );
    assert.deepEqual(foreign, [], href);
  }
});

test('in right-to-left text every screen is mirrored and fits', async () => {
  const page = await dashboard.shared('Root user');
  for (const href of await screensOf(page)) {
    await openScreen(page, href);
    await page.evaluate('document.documentElement.dir = "rtl"');
    const left = async (role: 'navigation' | 'main') =>
      (await page.getByRole(role).first().boundingBox())?.x ?? 0;
    assert((await left('navigation')) > (await left('main')), href);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await assertNotWider(page, `${href} from right to left`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
});

test('at 200 % every screen fits, whether the page or its text is enlarged', async () => {
  const page = await dashboard.shared('Root user');
  for (const href of await screensOf(page)) {
    await openScreen(page, href);
    // A page of 1,280 px at 200 % is 640 px wide.
    await page.setViewportSize({ width: 640, height: 450 });
    await assertNotWider(page, `${href} at 200 %`);
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    await assertNotWider(page, `${href} with text of 200 %`);
    await page.evaluate('document.documentElement.style.fontSize = ""');
    await page.setViewportSize({ width: 1280, height: 900 });
  }
});

test('in forced colours the current item, each state and the focus have a border', async () => {
  const page = await dashboard.openAs('Root user', { path: 'activities' });
  await page.emulateMedia({ forcedColors: 'active' });
  const style = (selector: string, property: string) =>
    page.evaluate(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`,
    );
  for (const selector of ['nav a[aria-current]', 'tbody .badge']) {
    await page.locator(selector).first().waitFor();
  }
  assert.equal(await style('nav a[aria-current]', 'borderTopStyle'), 'solid');
  assert.equal(await style('tbody .badge', 'borderTopStyle'), 'solid');
  await page.keyboard.press('Tab');
  await page.locator(':focus-visible').first().waitFor();
  assert.notEqual(await style(':focus-visible', 'outlineStyle'), 'none');
});
