// Screens with much content: sub-organizations, messages, labelled addresses, a waiting authorization and a
// secret from a file, in both themes and at three widths.

import { apiKey, connect } from '../../src/client/index.ts';
import { before, dashboardOfThisFile, dialogOpened, goTo, leaveDialog, test } from './dashboard.ts';
import { lookAtEach, type Sight } from './sights.ts';

const dashboard = await dashboardOfThisFile();
const names = [
  'Branch in Lisbon',
  'a-name-without-a-space-that-is-as-long-as-names-may-be-'.repeat(4),
];

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const clientOf = async (name: string) => {
    const of = credentials(name);
    return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  };
  const [root, alice] = [await clientOf('root-credentials'), await clientOf('alice')];
  for (const subOrganizationName of names) {
    await root.submit('create_sub_organization', {
      subOrganizationName,
      rootUsers: [
        {
          userName: 'erin',
          userEmail: 'erin@example.com',
          apiKeys: [],
          authenticators: [],
          oauthProviders: [],
        },
      ],
      rootQuorumThreshold: 1,
    });
  }
  await root.submit('create_address_label', {
    label: 'a_label_as_long_as_labels_may_be'.repeat(2),
    addresses: [
      { address: '0x000000000000000000000000000000000000dEaD', name: 'Burn address' },
      { address: 'So11111111111111111111111111111111111111112', name: names[1] ?? '' },
    ],
  });
  for (const contact of ['alice@example.com', 'bob@example.com']) {
    await root.submit('init_otp', { otpType: 'OTP_TYPE_EMAIL', contact, appName: 'Example' });
  }
  await root.submit('create_policy', {
    policyName: 'two sign payloads',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'SIGN_RAW_PAYLOAD'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const { wallets } = await root.query('list_wallets');
  const treasury = wallets.find(({ walletName }) => walletName === 'treasury');
  const { accounts } = await root.query('list_wallet_accounts', {});
  const account = accounts.find(
    ({ walletId, curve }) => walletId === treasury?.walletId && curve === 'CURVE_SECP256K1',
  );
  await alice.ask('sign_raw_payload', {
    signWith: account?.address ?? '',
    payload: JSON.stringify({
      address: '0x63C0c19a282a1B52b07dD5a65b58948A07DAE32B',
      chainId: 0,
      nonce: 7,
    }),
    encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  });
});

const sights: readonly Sight[] = [
  {
    what: 'authorization to approve',
    reach: async (page) => {
      await goTo(page, 'Approvals');
      const approval = page.getByRole('article', {
        name: /^Sign message or data requested by alice$/,
      });
      await approval.getByText(/^Lets the code at 0x63[Cc]0/).waitFor();
      await approval.getByText(/can move everything that the account owns/).waitFor();
      await approval.getByRole('button', { name: 'Approve' }).waitFor();
    },
  },
  {
    what: 'approval to a labelled address',
    reach: async (page) => {
      await page.getByText(/in your address book as Burn address \(a_label/).waitFor();
    },
  },
  {
    what: 'address book',
    reach: async (page) => {
      await goTo(page, 'Address book');
      const table = page.getByRole('table', { name: 'Address book' });
      await table.getByRole('row', { name: /Burn address/ }).waitFor();
    },
  },
  {
    what: 'remove an address',
    reach: async (page) => {
      await page.getByRole('button', { name: /^Remove 0x0000/ }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'add an address',
    reach: async (page) => {
      await leaveDialog(page);
      await page.getByRole('button', { name: 'Add address' }).click();
      await dialogOpened(page);
    },
  },
  {
    what: 'organizations',
    reach: async (page) => {
      await leaveDialog(page);
      await goTo(page, 'Sub-organizations');
      await page.getByRole('link', { name: 'Branch in Lisbon' }).waitFor();
    },
  },
  {
    what: 'organization',
    reach: async (page) => {
      await page.getByRole('link', { name: 'Branch in Lisbon' }).click();
      await page
        .getByRole('table', { name: 'Users' })
        .getByRole('row', { name: /^erin/ })
        .waitFor();
    },
  },
  {
    what: 'inbox with messages',
    reach: async (page) => {
      await goTo(page, 'Inbox');
      await page.getByText('bob@example.com').first().waitFor();
    },
  },
  {
    what: 'import wallet from a file',
    reach: async (page) => {
      await goTo(page, 'Wallets');
      await page.getByRole('button', { name: 'Import wallet' }).click();
      await page.getByLabel('Or from a file').setInputFiles({
        name: 'shop.sealed.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{"kind": "sealed"}'),
      });
      await page.getByLabel('Passphrase').waitFor();
    },
  },
];

test('each filled screen at every width, in both themes', async () => {
  await lookAtEach(await dashboard.openAs('Root user', { path: 'approvals' }), sights);
});
