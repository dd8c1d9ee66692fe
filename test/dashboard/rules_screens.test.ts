// The screens of rules and tools, with their dialogs, in both themes and at three widths.

import { apiKey, connect } from '../../src/client/index.ts';
import { typedData } from '../e2e/typed_data.ts';
import {
  before,
  dashboardOfThisFile,
  dialogOpened,
  focused,
  goTo,
  leaveDialog,
  test,
} from './dashboard.ts';
import { lookAtEach, type Sight } from './sights.ts';

const dashboard = await dashboardOfThisFile();

// Submits a policy change and typed data that wait for the root user.
before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const clientOf = async (name: string) => {
    const of = credentials(name);
    return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  };
  const [root, alice] = [await clientOf('root-credentials'), await clientOf('alice')];
  await root.submit('create_policy', {
    policyName: 'two change policies',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'POLICY' || activity.kind == 'SIGN_RAW_PAYLOAD'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const { policies } = await root.query('list_policies');
  const { policyId = '' } =
    policies.find(({ policyName }) => policyName === 'only the root quorum exports') ?? {};
  await alice.ask('update_policy', {
    policyId,
    policyName: 'exports',
    policyCondition: "activity.action == 'EXPORT' &&\n  wallet.label == 'treasury'",
  });
  const { accounts } = await root.query('list_wallet_accounts', {});
  const { wallets } = await root.query('list_wallets');
  const treasury = wallets.find(({ walletName }) => walletName === 'treasury');
  const account = accounts.find(
    ({ walletId, curve }) => walletId === treasury?.walletId && curve === 'CURVE_SECP256K1',
  );
  await alice.ask('sign_raw_payload', {
    signWith: account?.address ?? '',
    payload: JSON.stringify(typedData),
    encoding: 'PAYLOAD_ENCODING_EIP712',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  });
});

const sights: readonly Sight[] = [
  {
    what: 'approvals of changes',
    reach: async (page) => {
      await goTo(page, 'Approvals');
      await page.getByText(/^Changes the policy “only the root quorum exports”/).waitFor();
      const typed = page.getByRole('article', { name: /^Sign message or data/ });
      await typed.getByText('Typed data: Mail for Ether Mail.').waitFor();
      // The first approval is open; closed ones show only their sentence.
      if ((await typed.getByRole('button', { expanded: false }).count()) > 0) {
        await typed.getByRole('button', { name: /^Sign message or data/ }).click();
      }
      // An open approval also shows the signer.
      await typed
        .getByRole('term')
        .filter({ hasText: /^Signing account$/ })
        .waitFor();
      await page.getByText('two of three sign with treasury').first().waitFor();
    },
  },
  {
    what: 'policies',
    reach: async (page) => {
      await goTo(page, 'Policies');
      await page.getByRole('table').waitFor();
      await page.getByRole('img', { name: /^Users and the wallets/ }).waitFor();
    },
  },
  {
    what: 'policy map as a table',
    reach: async (page) => {
      await page.getByText('As a table').click();
      const map = page.getByRole('table', { name: 'Who can sign with what' });
      await map.getByRole('row', { name: /^alice treasury with votes/ }).waitFor();
    },
  },
  {
    what: 'policy',
    reach: async (page) => {
      await page.getByRole('link', { name: /^two of three/ }).click();
      await page.getByRole('textbox', { name: 'Condition' }).waitFor();
    },
  },
  {
    what: 'policy tried',
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'Consensus' }).click();
      await focused(page.getByRole('textbox', { name: 'Consensus' }));
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('true');
      await page.getByRole('button', { name: 'Try against past activities' }).click();
      await page.getByRole('table', { name: 'What would have happened' }).waitFor();
    },
  },
  {
    what: 'policy with a problem',
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'Condition' }).click();
      await focused(page.getByRole('textbox', { name: 'Condition' }));
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('activity.knd ');
      await page.getByRole('list', { name: 'Problems' }).waitFor();
    },
  },
  {
    what: 'try one request',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Try one request' }).click();
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    what: 'delete policy',
    reach: async (page) => {
      await leaveDialog(page);
      await page.getByRole('button', { name: 'Delete policy' }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'new policy',
    reach: async (page) => {
      await leaveDialog(page);
      await goTo(page, 'Policies');
      await page.getByRole('button', { name: 'New policy' }).click();
      await page.getByRole('textbox', { name: 'Condition' }).click();
      await focused(page.getByRole('textbox', { name: 'Condition' }));
      await page.keyboard.type('activity.ki');
      await page.getByRole('option', { name: 'kind' }).waitFor();
    },
  },
  {
    what: 'webhooks',
    reach: async (page) => {
      await leaveDialog(page);
      await goTo(page, 'Webhooks');
      await page.getByRole('table').waitFor();
    },
  },
  {
    what: 'new endpoint',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New endpoint' }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'webhook',
    reach: async (page) => {
      await leaveDialog(page);
      await page.getByRole('table').getByRole('link').click();
      await page.getByRole('table', { name: 'Deliveries' }).waitFor();
      await page.getByRole('button', { name: 'Try on past events' }).click();
      await page.getByText(/past events match/).waitFor();
    },
  },
  {
    what: 'redeliver',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Redeliver' }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'delete endpoint',
    reach: async (page) => {
      await leaveDialog(page);
      await page.getByRole('button', { name: 'Delete endpoint' }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'delivery',
    reach: async (page) => {
      await leaveDialog(page);
      await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').first().click();
      await page.getByText(/^Signature verified/).waitFor();
    },
  },
  {
    what: 'no organizations',
    reach: async (page) => {
      await goTo(page, 'Sub-organizations');
      await page.getByText('No sub-organizations yet.').waitFor();
    },
  },
  {
    what: 'new organization',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New sub-organization' }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'api explorer',
    reach: async (page) => {
      await leaveDialog(page);
      await goTo(page, 'API explorer');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('region', { name: 'Answer' }).getByText('Root user').waitFor();
    },
  },
  {
    what: 'api explorer with a list',
    reach: async (page) => {
      await page.getByRole('combobox', { name: 'Operation' }).selectOption('create_wallet');
      await page.getByRole('textbox', { name: 'Derivation path' }).waitFor();
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    what: 'inbox',
    reach: async (page) => {
      await goTo(page, 'Inbox');
      await page.getByText('No messages yet.').waitFor();
    },
  },
];

test('each screen and dialog of rules and tools at every width, in both themes', async () => {
  await lookAtEach(await dashboard.openAs('Root user', { path: 'approvals' }), sights);
});
