// The first hour of a new user in a browser, step by step. Tests find elements by role and name.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { until } from '../e2e/service.ts';
import {
  addPasskey,
  before,
  dashboardOfThisFile,
  focused,
  goTo,
  leaveDialog,
  signInAs,
  test,
} from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

let page: Page;
before(async () => {
  page = await dashboard.open();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const boxOf = async (what: Locator) => (await what.boundingBox()) ?? assert.fail('it is shown');
const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text });

test('2: the address of the service leads to a sign-in with the demo people', async () => {
  await heading('Sign in').waitFor();
  assert.equal(new URL(page.url()).pathname, '/dashboard/');
  const people = page.getByRole('group', { name: 'Demo people' });
  await people.getByRole('button').nth(3).waitFor();
  assert.equal(await people.getByRole('button').count(), 4);
  await page.getByRole('banner').getByText('Development').waitFor();
});

test('3: the root user sees next steps and a waiting approval', async () => {
  await signInAs(page, 'Root user');
  await heading('Overview').waitFor();
  await page.getByRole('region', { name: 'Next steps' }).waitFor();
  await page.getByRole('region', { name: 'Waiting' }).getByText('1 approval waits').waitFor();
  await until('the title names the screen and the organization', async () =>
    /^Overview · .+ · Keywright$/.test(await page.title()),
  );
});

test('4 and 5: a new passkey signs in without another prompt', async () => {
  await addPasskey(page);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading('Sign in').waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await heading('Overview').waitFor();
  await page.reload();
  await heading('Overview').waitFor();
});

test('6 and 7: an approval shows the signed content, and a passkey approves it', async () => {
  await goTo(page, 'Activities');
  await page
    .getByRole('row', { name: /^Sign transaction/ })
    .getByRole('link')
    .click();
  await page.getByRole('link', { name: 'Review' }).click();
  const approval = page.getByRole('article', { name: /^Sign transaction requested by alice$/ });
  const content = approval.getByRole('group', { name: 'What will be signed' });
  await content.getByText(/^Fees for gas are at most/).waitFor();
  // The headline above names amount, payer and recipient.
  assert.equal(await content.getByText('0.5 ETH').count(), 0);
  await approval
    .getByText(
      /^0\.5 ETH\s*Chain: Sepolia \(test network\)\s*from treasury \/ account 1\s*to 0x0000…dEaD/,
    )
    .getByText('(never paid before)')
    .waitFor();
  for (const term of ['Comparison code', 'Requested by', 'Policy', 'Approvals', 'Expires']) {
    await approval
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${term}$`) })
      .waitFor();
  }
  await approval.getByText('two of three sign with treasury').waitFor();
  await approval.getByRole('button', { name: 'Approve with a passkey' }).click();
  await status(/^Done/).waitFor();
  await page.getByText('Nothing waits for you.').waitFor();
  await goTo(page, 'Activities');
  await page
    .getByRole('row', { name: /^Sign transaction/ })
    .getByRole('link')
    .click();
  const votes = page.getByRole('table', { name: 'Votes' });
  await votes.getByRole('row').nth(2).waitFor();
  assert.equal(await votes.getByRole('row').count(), 3);
  await page
    .getByRole('region', { name: 'Result' })
    .getByText('signedTransaction')
    .first()
    .waitFor();
  await goTo(page, 'Overview');
  const today = page.getByRole('region', { name: 'Today' });
  await today.getByText('1 payment today.').waitFor();
  await today.getByRole('link', { name: '0.5 ETH to 0x0000…dEaD' }).waitFor();
});

test('8: a new wallet has two addresses with QR codes', async () => {
  await goTo(page, 'Wallets');
  await page.getByRole('button', { name: 'New wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'New wallet' });
  await dialog.getByRole('textbox', { name: 'Wallet name' }).fill('shop');
  await dialog.getByRole('checkbox', { name: 'Solana' }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await status(/^Done/).waitFor();
  await heading('shop').waitFor();
  const [toast, main] = [await boxOf(status(/^Done/)), await boxOf(page.getByRole('main'))];
  assert(toast.x + toast.width <= main.x, 'the message covers no content');
  const codes = page.getByRole('img', { name: /^QR code of / });
  await codes.nth(1).waitFor();
  assert.equal(await codes.count(), 2);
});

test('9: a message is signed, and verified in the page', async () => {
  await page.getByRole('button', { name: 'Sign a message' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign a message' });
  for (const kind of [/^Ethereum/, /^Solana/]) {
    const label = await dialog.getByRole('option', { name: kind }).textContent();
    await dialog.getByRole('combobox', { name: 'Sign with' }).selectOption(label);
    await dialog.getByRole('textbox', { name: 'Message' }).fill('hello');
    await dialog.getByRole('button', { name: 'Sign', exact: true }).click();
    await dialog.getByText(/^Verified/).waitFor();
  }
  await leaveDialog(page);
  await focused(page.getByRole('button', { name: 'Sign a message' }));
});
