// Every screen and dialog, in both themes and at three widths: nothing that axe finds, nothing that scrolls
// sideways, and a picture of it.

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

test('each screen and dialog at every width, in both themes', async () => {
  await lookAtEach(await dashboard.open(), sights);
});
