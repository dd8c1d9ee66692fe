// Step 27 of the first hour, and the other settings.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { before, dashboardOfThisFile, goTo, test } from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

let page: Page;
before(async () => {
  page = await dashboard.openAs('Root user', { path: 'settings' });
  await goTo(page, 'Settings');
});

const region = (name: string) => page.getByRole('region', { name, exact: true });
const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text });
const button = (name: string) => page.getByRole('button', { name, exact: true });

test('27: trying a root quorum of two shows the result, and warns of a lockout by one lost key', async () => {
  const quorum = region('Root quorum');
  await quorum.getByText(/^Users with a single credential: .*Root user/).waitFor();
  await quorum.getByRole('button', { name: 'Change' }).click();
  await quorum.getByRole('checkbox', { name: 'alice' }).check();
  await quorum.getByRole('spinbutton', { name: 'Threshold' }).fill('3');
  await quorum.getByRole('button', { name: 'Dry run', disabled: true }).waitFor();
  await quorum.getByRole('spinbutton', { name: 'Threshold' }).fill('2');
  await quorum.getByRole('button', { name: 'Dry run' }).click();
  await quorum.getByRole('status').waitFor();
  await quorum.getByText(/^The keys of any 2 of Root user and alice suffice/).waitFor();
  await quorum.getByText(/^One lost key locks the organization out/).waitFor();
  await quorum.getByRole('button', { name: 'Cancel' }).click();
  await quorum.getByText('1 of 1').waitFor();
});

test('a root quorum of one of two is saved', async () => {
  const quorum = region('Root quorum');
  await quorum.getByRole('button', { name: 'Change' }).click();
  await quorum.getByRole('checkbox', { name: 'alice' }).check();
  await quorum.getByRole('button', { name: 'Save' }).click();
  await status(/^Done/).waitFor();
  await quorum.getByText('1 of 2').waitFor();
  await quorum.getByText(/^2 members would have to lose/).waitFor();
});

test('a feature is set and removed', async () => {
  await button('Set a feature').click();
  const dialog = page.getByRole('dialog', { name: 'Set a feature' });
  await dialog.getByRole('combobox', { name: 'Feature' }).selectOption('Origins of passkeys');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('https://app.example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = region('Features').getByRole('row', { name: /^Origins of passkeys/ });
  await row.getByText('https://app.example.com').waitFor();
  await row.getByRole('button', { name: /^Remove feature/ }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Remove feature Origins of passkeys' });
  await confirm.getByRole('textbox').fill('Origins of passkeys');
  await confirm.getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
});

test('an allowlist of addresses is set, and one that locks its author out is rejected with a sentence', async () => {
  const allowlist = region('IP allowlist');
  await allowlist.getByText('Requests from every address').waitFor();
  await button('Change the allowlist').click();
  const dialog = page.getByRole('dialog', { name: 'Change the allowlist' });
  const networks = dialog.getByRole('textbox', { name: 'Networks' });
  await networks.fill('192.0.2.0/24 office');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog
    .getByRole('alert')
    .or(dialog.getByRole('region', { name: 'Decision' }))
    .first()
    .waitFor();
  await networks.fill('192.0.2.0/24 office\n127.0.0.1/32 this machine\n::1/128');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await allowlist.getByRole('row', { name: '127.0.0.1/32 this machine' }).waitFor();
  await button('Remove the allowlist').click();
  const confirm = page.getByRole('alertdialog', { name: 'Remove the allowlist' });
  await confirm.getByRole('textbox').fill('IP allowlist');
  await confirm.getByRole('button', { name: 'Remove' }).click();
  await allowlist.getByText('Requests from every address').waitFor();
});

test('the onboarding proxy is changed, disabled and enabled', async () => {
  const proxy = region('Onboarding proxy');
  await button('Change the proxy').click();
  const dialog = page.getByRole('dialog', { name: 'Change the proxy' });
  const origins = dialog.getByRole('textbox', { name: 'Origins' });
  await origins.fill(`https://app.example.com\n${dashboard.origin()}`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await proxy.getByText('https://app.example.com').waitFor();
  await button('Disable the proxy').click();
  const confirm = page.getByRole('alertdialog', { name: 'Disable the proxy' });
  await confirm.getByRole('textbox').fill('Onboarding proxy');
  await confirm.getByRole('button', { name: 'Disable' }).click();
  await proxy.getByText(/^Off: users cannot sign up/).waitFor();
  await proxy.getByRole('button', { name: 'Enable' }).click();
  await button('Disable the proxy').waitFor();
});

test('a session profile is made', async () => {
  await button('New session profile').click();
  const dialog = page.getByRole('dialog', { name: 'New session profile' });
  await dialog.getByRole('textbox', { name: 'Session profile name' }).fill('reads');
  assert.equal(await dialog.getByRole('textbox', { name: 'Scope' }).inputValue(), 'false');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await region('Sessions')
    .getByRole('row', { name: /^reads/ })
    .waitFor();
});

test('the page shows the pinned keys of the service, and reports others', async () => {
  const keys = region('Service keys');
  await keys.getByRole('row', { name: /^signer .* the same$/ }).waitFor();
  assert.equal(await keys.getByRole('alert').count(), 0);
  await page.evaluate(`(() => {
    const name = Object.keys(localStorage).find((each) => each.startsWith('keywright.serviceKeys.'));
    const pinned = JSON.parse(localStorage.getItem(name));
    localStorage.setItem(name, JSON.stringify({ ...pinned, signer: '04' + '11'.repeat(64) }));
  })()`);
  await page.reload();
  await keys.getByRole('alert').filter({ hasText: 'keys that differ' }).waitFor();
  await button('Pin the published keys').click();
  await keys.getByRole('alert').waitFor({ state: 'detached' });
});

test('the page shows its version and the digest of its import map', async () => {
  const about = region('About');
  await about.getByText(/^sha256-[\w+/]{43}=$/).waitFor();
  const answer = await page.request.get(`${dashboard.origin()}/dashboard/`);
  const shown = await about.getByText(/^sha256-/).textContent();
  const policy = answer.headers()['content-security-policy'] ?? '';
  assert(policy.includes(`'${shown}'`), policy);
});
