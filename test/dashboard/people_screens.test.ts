// The screens of users and settings, with their dialogs, in both themes and at three widths.

import type { Page } from 'playwright-core';
import {
  dashboardOfThisFile,
  dialogOpened,
  focused,
  goTo,
  leaveDialog,
  test,
} from './dashboard.ts';
import { lookAtEach, type Sight } from './sights.ts';

const dashboard = await dashboardOfThisFile();

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click();
const open = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page);
  await dialogOpened(page);
};
/** Closes the open dialog, and opens another one. */
const instead = (name: string | RegExp) => async (page: Page) => {
  await leaveDialog(page);
  await open(name)(page);
};

const sights: readonly Sight[] = [
  {
    what: 'users',
    reach: async (page) => {
      await goTo(page, 'Users');
      await page.getByRole('table', { name: 'Users' }).waitFor();
      // Waits for the last text, because the table may be wider than the page while the rows load.
      await page.getByText('API key that does not expire').first().waitFor();
    },
  },
  { what: 'new user', reach: open('New user') },
  { what: 'new tag', reach: instead('New tag') },
  {
    what: 'user',
    reach: async (page) => {
      await leaveDialog(page);
      await page.getByRole('link', { name: 'alice' }).click();
      await page.getByRole('table', { name: 'What this user can do alone' }).waitFor();
    },
  },
  { what: 'add an API key', reach: open('Add an API key') },
  { what: 'add a passkey', reach: instead('Add a passkey') },
  { what: 'change user', reach: instead('Change user') },
  { what: 'delete user', reach: instead('Delete user') },
  { what: 'delete an API key', reach: instead(/^Delete API key/) },
  {
    what: 'new MFA policy',
    reach: async (page) => {
      await instead('New MFA policy')(page);
      await page.getByText('Copy as …').click();
      await page.getByRole('checkbox', { name: 'a code by text message' }).check();
      const condition = page.getByRole('textbox', { name: 'Condition' });
      await condition.click();
      await focused(condition);
      await page.keyboard.insertText("activity.action == 'EXPORT'");
      await page.getByText(/for these steps: 1/).waitFor();
    },
  },
  {
    what: 'import wallet',
    reach: async (page) => {
      await leaveDialog(page);
      await goTo(page, 'Wallets');
      await open('Import wallet')(page);
    },
  },
  {
    what: 'export wallet',
    reach: async (page) => {
      await leaveDialog(page);
      await page.getByRole('link', { name: 'treasury' }).click();
      await press('Export wallet')(page);
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    what: 'recovery phrase',
    reach: async (page) => {
      await page.getByRole('radio', { name: 'Show here' }).check();
      await press('Export')(page);
      await page.getByRole('textbox', { name: 'Recovery phrase' }).waitFor();
    },
  },
  { what: 'delete wallet', reach: instead('Delete wallet') },
  {
    what: 'no private keys',
    reach: async (page) => {
      await leaveDialog(page);
      await goTo(page, 'Private keys');
      await page.getByText('No private keys yet.').or(page.getByRole('table')).waitFor();
    },
  },
  { what: 'import private key', reach: open('Import private key') },
  { what: 'new private key', reach: instead('New private key') },
  {
    what: 'private key',
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'Private key name' }).fill('deploy');
      await press('Create')(page);
      await page.getByRole('heading', { level: 1, name: 'deploy' }).waitFor();
      await page.getByRole('img').first().waitFor();
    },
  },
  { what: 'delete private key', reach: open('Delete private key') },
  {
    what: 'private keys',
    reach: async (page) => {
      await page.getByRole('checkbox').check();
      await page.getByRole('textbox', { name: /^Type/ }).fill('deploy');
      await leaveDialog(page);
      await goTo(page, 'Private keys');
      await page.getByRole('table').waitFor();
    },
  },
  {
    what: 'no secrets',
    reach: async (page) => {
      await goTo(page, 'Secrets');
      await page.getByText('No secrets yet.').or(page.getByRole('table')).waitFor();
    },
  },
  { what: 'import secret', reach: open('Import secret') },
  {
    what: 'secrets',
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'Secret name' }).fill('token');
      await page.getByRole('textbox', { name: 'Text' }).fill('swordfish');
      await page.getByRole('textbox', { name: 'Properties' }).fill('env=production');
      await press('Import')(page);
      await page.getByRole('row', { name: 'token' }).waitFor();
    },
  },
  {
    what: 'settings',
    reach: async (page) => {
      await goTo(page, 'Settings');
      await page.getByRole('row', { name: /^signer/ }).waitFor();
    },
  },
  {
    what: 'root quorum',
    reach: async (page) => {
      await press('Change')(page);
      await page.getByRole('checkbox', { name: 'alice' }).check();
      await page.getByRole('spinbutton', { name: 'Threshold' }).fill('2');
      await press('Dry run')(page);
      await page.getByText(/^One lost key/).waitFor();
    },
  },
  { what: 'set a feature', reach: open('Set a feature') },
  { what: 'change the allowlist', reach: instead('Change the allowlist') },
  { what: 'change the proxy', reach: instead('Change the proxy') },
  { what: 'disable the proxy', reach: instead('Disable the proxy') },
  { what: 'new session profile', reach: instead('New session profile') },
  {
    what: 'pair',
    reach: async (page) => {
      await leaveDialog(page);
      const query = `publicKey=02${'ab'.repeat(32)}&name=keywright+on+laptop&expirationSeconds=7200`;
      await page.goto(`${dashboard.origin()}/dashboard/#/pair?${query}`);
      await page
        .locator('.words')
        .filter({ hasText: /^(\w+ ){2}\w+$/ })
        .waitFor();
    },
  },
  {
    what: 'sign in by code',
    reach: async (page) => {
      await press('Account')(page);
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await press('Sign in with an e-mail code')(page);
      await page.getByRole('textbox', { name: 'E-mail address' }).fill('bob@example.com');
      await press('Continue')(page);
      await page.getByRole('textbox', { name: 'Code' }).waitFor();
    },
  },
];

test('each screen and dialog of people at every width, in both themes', async () => {
  await lookAtEach(await dashboard.openAs('Root user', { path: 'users' }), sights);
});
