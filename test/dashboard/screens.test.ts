// Every screen and dialog, in both themes and at three widths: no axe violation, no sideways scrolling, and a
// picture.

import assert from 'node:assert/strict';
import {
  dashboardOfThisFile,
  dialogOpened,
  goTo,
  leaveDialog,
  openGoTo,
  signInAs,
  test,
} from './dashboard.ts';
import { lookAtEach, type Sight } from './sights.ts';

const dashboard = await dashboardOfThisFile();

const sights: readonly Sight[] = [
  { what: 'sign in', reach: async (page) => page.getByText('Demo people').waitFor() },
  {
    what: 'overview',
    reach: async (page) => {
      await signInAs(page, 'Root user');
      await page.getByRole('link', { name: 'Review' }).waitFor();
      await page.getByRole('table').waitFor();
    },
  },
  {
    what: 'account menu',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    what: 'shortcuts',
    reach: async (page) => {
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'go to',
    reach: async (page) => {
      await leaveDialog(page);
      await openGoTo(page);
      await page.keyboard.type('every');
      await page.getByRole('option', { name: /^everyday/ }).waitFor();
    },
  },
  {
    what: 'approvals',
    reach: async (page) => {
      await leaveDialog(page);
      await goTo(page, 'Approvals');
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await page.getByText('two of three sign with treasury').waitFor();
      await page.getByText('(never paid before)').waitFor();
    },
  },
  {
    what: 'activities',
    reach: async (page) => {
      await goTo(page, 'Activities');
      await page.getByRole('table').waitFor();
    },
  },
  {
    what: 'activity',
    reach: async (page) => {
      await page.getByRole('link', { name: 'Sign transaction' }).click();
      await page.getByRole('table', { name: 'Policies' }).first().waitFor();
    },
  },
  {
    what: 'wallets',
    reach: async (page) => {
      await goTo(page, 'Wallets');
      await page.getByRole('table').waitFor();
    },
  },
  {
    what: 'new wallet',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New wallet' }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'wallet',
    reach: async (page) => {
      await leaveDialog(page);
      await page.getByRole('link', { name: 'treasury' }).click();
      await page.getByRole('img').first().waitFor();
    },
  },
  {
    what: 'new account',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New account' }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'sign a message',
    reach: async (page) => {
      await leaveDialog(page);
      await page.getByRole('button', { name: 'Sign a message' }).click();
      await dialogOpened(page);
    },
  },
];

/** Lists of the demo organization, and a text that each shows once its names are read. */
const lists = [
  ['Overview', '0.5 ETH to 0x0000…dEaD'],
  ['Approvals', '(never paid before)'],
  ['Activities', '0.5 ETH to 0x0000…dEaD'],
  ['Wallets', 'treasury'],
  ['Private keys', 'No private keys yet.'],
  ['Secrets', 'No secrets yet.'],
  ['Address book', 'No addresses yet.'],
  ['Policies', 'Allows signing with the wallet everyday, if alice or bob approves.'],
  ['Webhooks', 'Webhook inbox of keywright dev'],
  ['Users', 'API key that does not expire'],
  ['Sub-organizations', 'No sub-organizations yet.'],
] as const;

const id = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i;

/** Things of the demo organization, whose ids stand behind “Details”. */
const things = [
  ['Wallets', 'treasury'],
  ['Users', 'alice'],
  ['Webhooks', 'Webhook inbox of keywright dev'],
] as const;

test('each screen and dialog at every width, in both themes', async () => {
  const page = await dashboard.open();
  await lookAtEach(page, sights);
  await leaveDialog(page);
  for (const [screen, text] of lists) {
    await goTo(page, screen);
    await page.getByRole('main').getByText(text).first().waitFor();
    const shown = await page.getByRole('main').innerText();
    assert.doesNotMatch(shown, id, `${screen} shows an id`);
  }
  for (const [screen, name] of things) {
    await goTo(page, screen);
    await page.getByRole('main').getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText('Details', { exact: true }).first().waitFor();
    const shown = await page.getByRole('main').innerText();
    assert.doesNotMatch(shown, id, `${name} shows an id`);
  }
});
