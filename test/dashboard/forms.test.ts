// Every form of the page copies the same request that it sends. The table lists the forms of each source
// file; a form without an entry fails the test. Forms with a secret or key of the page are not copied.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pairingWords } from '../../src/cli/login/pairing.ts';
import { apiKey, connect } from '../../src/client/index.ts';
import {
  before,
  copied,
  dashboardOfThisFile,
  dialogOpened,
  focused,
  goTo,
  leaveDialog,
  test,
} from './dashboard.ts';

const dashboard = await dashboardOfThisFile();
const folder = join(import.meta.dirname, '../../dashboard');

/** Opens a form. The second member is the operation that it sends, or `notCopyable`. */
type Walk = readonly [reach: (page: Page) => Promise<unknown>, sends: string];
const notCopyable = 'not copied';

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click();

/** Opens a dialog of a screen by its button. */
const dialog = (screen: string, name: string | RegExp) => async (page: Page) => {
  await goTo(page, screen);
  await press(page, name);
  await dialogOpened(page);
};

/** Opens a dialog on the screen of a listed thing. */
const ofThing = (screen: string, thing: string, name: string | RegExp) => async (page: Page) => {
  await goTo(page, screen);
  await page.getByRole('link', { name: thing, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: thing }).waitFor();
  await press(page, name);
  await dialogOpened(page);
};

const write = async (page: Page, name: string, text: string) => {
  const box = page.getByRole('textbox', { name, exact: true });
  await box.click();
  await focused(box);
  await page.keyboard.insertText(text);
};

/** The forms of each file below `app/`. A file without walks draws the form of another file. */
const forms: Readonly<Record<string, readonly Walk[]>> = {
  'address_book/address_dialogs.tsx': [
    [
      async (page) => {
        await dialog('Address book', 'Add address')(page);
        await write(page, 'Label', 'exchanges');
        await write(page, 'Address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
      },
      'create_address_label',
    ],
    [dialog('Address book', /^Remove 0x5aAeb/), 'update_address_label'],
    [dialog('Address book', 'Delete label empty_label'), 'delete_address_label'],
  ],
  'custody/delete_held.tsx': [],
  'custody/export_dialog.tsx': [],
  'policies/policy_form.tsx': [],
  'organizations/new_organization.tsx': [
    [dialog('Sub-organizations', 'New sub-organization'), notCopyable],
  ],
  'pair/pair.tsx': [
    [
      async (page) => {
        const query = `publicKey=02${'ab'.repeat(32)}&name=laptop&expirationSeconds=7200`;
        await page.goto(`${dashboard.origin()}/dashboard/#/pair?${query}`);
        await page
          .locator('.words')
          .filter({ hasText: /^(\w+ ){2}\w+$/ })
          .waitFor();
        const [, , , fourth = ''] = (await pairingWords(`02${'ab'.repeat(32)}`)).split(' ');
        await write(page, 'Fourth word', fourth);
      },
      'create_api_keys',
    ],
  ],
  'policies/new_policy.tsx': [
    [
      async (page) => {
        await goTo(page, 'Policies');
        await press(page, 'New policy');
        await write(page, 'Condition', "activity.kind == 'CREATE_USERS'");
      },
      'create_policy',
    ],
  ],
  'policies/policy.tsx': [
    [
      async (page) => {
        await goTo(page, 'Policies');
        await page.getByRole('link', { name: 'copied policy' }).click();
        await write(page, 'Notes', 'Changed.');
      },
      'update_policy',
    ],
    [ofThing('Policies', 'copied policy', 'Delete policy'), 'delete_policy'],
  ],
  'private_keys/export_private_key.tsx': [
    [ofThing('Private keys', 'copied key', 'Export private key'), notCopyable],
  ],
  'private_keys/import_private_key.tsx': [
    [dialog('Private keys', 'Import private key'), notCopyable],
  ],
  'private_keys/new_private_key.tsx': [
    [dialog('Private keys', 'New private key'), 'create_private_keys'],
  ],
  'private_keys/private_key.tsx': [
    [ofThing('Private keys', 'copied key', 'Delete private key'), 'delete_private_keys'],
  ],
  'secrets/import_secret.tsx': [
    [
      async (page) => {
        await dialog('Secrets', 'Import secret')(page);
        await assertCopiesNothing(page);
        // The other forms of this screen use this secret.
        await page.getByRole('textbox', { name: 'Secret name' }).fill('copied secret');
        await page.getByRole('textbox', { name: 'Text' }).fill('swordfish');
        await press(page, 'Import');
        await page.getByRole('row', { name: /^copied secret/ }).waitFor();
        await press(page, 'Import secret');
        await dialogOpened(page);
      },
      notCopyable,
    ],
  ],
  'secrets/export_secret.tsx': [[dialog('Secrets', 'Export secret copied secret'), notCopyable]],
  'secrets/secrets.tsx': [[dialog('Secrets', 'Delete secret copied secret'), 'delete_secrets']],
  'settings/features.tsx': [
    [dialog('Settings', 'Set a feature'), 'set_organization_feature'],
    [dialog('Settings', 'Remove feature Codes by text message'), 'remove_organization_feature'],
  ],
  'settings/ip_allowlist.tsx': [
    [dialog('Settings', 'Change the allowlist'), 'set_ip_allowlist'],
    [dialog('Settings', 'Remove the allowlist'), 'remove_ip_allowlist'],
  ],
  'settings/onboarding_proxy.tsx': [
    [dialog('Settings', 'Change the proxy'), 'update_auth_proxy_config'],
    [dialog('Settings', 'Disable the proxy'), 'disable_auth_proxy'],
  ],
  'settings/root_quorum.tsx': [
    [
      async (page) => {
        await goTo(page, 'Settings');
        await press(page, 'Change');
        await page.getByRole('checkbox', { name: 'alice' }).check();
      },
      'update_root_quorum',
    ],
  ],
  'settings/session_profiles.tsx': [
    [dialog('Settings', 'New session profile'), 'create_session_profile'],
  ],
  'users/add_api_key.tsx': [[ofThing('Users', 'bob', 'Add an API key'), notCopyable]],
  'users/add_passkey.tsx': [[ofThing('Users', 'bob', 'Add a passkey'), notCopyable]],
  'users/change_user.tsx': [[ofThing('Users', 'bob', 'Change user'), 'update_user']],
  'users/credential_tables.tsx': [[ofThing('Users', 'bob', /^Delete API key/), 'delete_api_keys']],
  'users/mfa_policy.tsx': [
    [
      async (page) => {
        await ofThing('Users', 'bob', 'New MFA policy')(page);
        await write(page, 'Condition', 'true');
        await page.getByRole('checkbox', { name: 'an API key', exact: true }).check();
      },
      'create_mfa_policy',
    ],
  ],
  'users/new_user.tsx': [
    [
      async (page) => {
        await dialog('Users', 'New user')(page);
        await assertCopiesNothing(page);
        await page.getByRole('checkbox', { name: /^Create an API key/ }).uncheck();
      },
      'create_users',
    ],
  ],
  'users/tag_dialogs.tsx': [
    [dialog('Users', 'New tag'), 'create_user_tag'],
    [dialog('Users', 'Delete tag copied tag'), 'delete_user_tags'],
  ],
  'users/user.tsx': [[ofThing('Users', 'bob', 'Delete user'), 'delete_users']],
  'wallets/delete_wallet.tsx': [
    [ofThing('Wallets', 'treasury', 'Delete wallet'), 'delete_wallets'],
  ],
  'wallets/export_wallet.tsx': [[ofThing('Wallets', 'treasury', 'Export wallet'), notCopyable]],
  'wallets/import_wallet.tsx': [[dialog('Wallets', 'Import wallet'), notCopyable]],
  'wallets/sign_message.tsx': [
    [ofThing('Wallets', 'treasury', 'Sign a message'), 'sign_raw_payload'],
  ],
  'wallets/wallet.tsx': [[ofThing('Wallets', 'treasury', 'New account'), 'create_wallet_accounts']],
  'wallets/wallets.tsx': [[dialog('Wallets', 'New wallet'), 'create_wallet']],
  'webhooks/new_endpoint.tsx': [[dialog('Webhooks', 'New endpoint'), 'create_webhook_endpoint']],
  'webhooks/redeliver.tsx': [
    [ofThing('Webhooks', 'copied endpoint', 'Redeliver'), 'redeliver_webhook_events'],
  ],
  'webhooks/webhook.tsx': [
    [ofThing('Webhooks', 'copied endpoint', 'Delete endpoint'), 'delete_webhook_endpoint'],
  ],
};

/** Forms that change nothing: they search, try, or sign in. The explorer has its own copy buttons. */
const changeNothing = [
  'activities/narrow.tsx',
  'organizations/organizations.tsx',
  'policies/try_request.tsx',
  'sign_in/email_code.tsx',
  'webhooks/filter_trial.tsx',
];

/** Components that draw the form of another file. */
const drawsForm = /<(?:Form|Confirm|DeleteHeld|ExportDialog|PolicyForm|RequestDialog)$/gm;

before(async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  const root = connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  await root.submit('create_user_tag', { userTagName: 'copied tag', userIds: [] });
  await root.submit('create_address_label', {
    label: 'copied_label',
    addresses: [{ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
  });
  await root.submit('create_address_label', { label: 'empty_label', addresses: [] });
  await root.submit('create_private_keys', {
    privateKeys: [
      {
        privateKeyName: 'copied key',
        curve: 'CURVE_SECP256K1',
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
        privateKeyTags: [],
      },
    ],
  });
  await root.submit('create_policy', {
    policyName: 'copied policy',
    effect: 'EFFECT_ALLOW',
    condition: 'false',
    notes: '',
  });
  await root.submit('create_webhook_endpoint', {
    name: 'copied endpoint',
    url: 'http://127.0.0.1:9/',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES' }],
  });
  await root.submit('set_ip_allowlist', {
    enabled: false,
    rules: [{ cidr: '192.0.2.0/24' }],
    onEvaluationError: 'ALLOW',
  });
  await root.submit('set_organization_feature', { name: 'FEATURE_NAME_SMS_AUTH', value: '' });
});

/** Returns the open form, in a dialog or on the screen. */
const openForm = (page: Page) => page.locator('dialog[open] form.form, main form.form').last();

async function assertCopiesNothing(page: Page): Promise<void> {
  const form = openForm(page);
  await form.locator('button[type=submit]').waitFor();
  assert.equal(await form.getByText('Copy as …').count(), 0);
}

/** Fills in each empty required field, and the name to confirm. */
async function fillRequired(page: Page): Promise<void> {
  const form = openForm(page);
  for (const field of await form.locator(':is(input, textarea):required').all()) {
    const isNumber = (await field.getAttribute('type')) === 'number';
    if ((await field.inputValue()) === '') await field.fill(isNumber ? '3600' : 'copied');
  }
  const confirm = form.getByRole('textbox', { name: /^Type .* to confirm$/ });
  if ((await confirm.count()) === 0) return;
  const label = await form
    .locator('label')
    .filter({ hasText: /^Type .* to confirm$/ })
    .textContent();
  await confirm.fill(/^Type (.*) to confirm$/.exec(label ?? '')?.[1] ?? '');
}

/** Returns the request that the form sends, and blocks it. */
async function sentBy(page: Page, act: () => Promise<void>) {
  const { promise, resolve } = Promise.withResolvers<{
    readonly path: string;
    readonly parameters: unknown;
  }>();
  await page.route('**/public/v1/submit/*', async (route) => {
    const { parameters } = JSON.parse(route.request().postData() ?? '{}');
    resolve({ path: new URL(route.request().url()).pathname, parameters });
    const json = { code: 3, message: 'stopped by the test', details: [] };
    await route.fulfill({ status: 400, json });
  });
  await act();
  const sent = await promise;
  await page.getByText('stopped by the test').first().waitFor();
  await page.unroute('**/public/v1/submit/*');
  return sent;
}

test('the table lists each form of the sources, and forms outside of it change nothing', () => {
  const found = globSync('app/**/*.tsx', { cwd: folder }).map((path) => {
    const source = readFileSync(join(folder, path), 'utf8');
    return {
      file: path.slice('app/'.length),
      drawn: source.match(drawsForm)?.length ?? 0,
      own: source.match(/<form$/gm)?.length ?? 0,
      writes: source.includes('useWrite('),
    };
  });
  assert.deepEqual(
    found
      .filter(({ own }) => own > 0)
      .map(({ file }) => file)
      .sort(),
    changeNothing,
  );
  assert(
    found.every(({ own, writes }) => own === 0 || !writes),
    'they change nothing',
  );
  const drawing = found.filter(({ drawn }) => drawn > 0);
  assert.deepEqual(drawing.map(({ file }) => file).sort(), Object.keys(forms).sort());
  // Files without walks draw the form of another file.
  const counted = drawing.filter(({ file }) => forms[file]?.length !== 0);
  assert.deepEqual(
    counted.map(({ file, drawn }) => [file, drawn]),
    counted.map(({ file }) => [file, forms[file]?.length]),
  );
});

test('each form without a secret or key of the page copies the request that it sends', async () => {
  const page = await dashboard.openAs('Root user', { path: 'address-book' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const [reach, sends] of Object.values(forms).flat()) {
    await reach(page);
    if (sends === notCopyable) {
      await assertCopiesNothing(page);
    } else {
      await fillRequired(page);
      const form = openForm(page);
      await form.getByText('Copy as …').click();
      await form.getByRole('button', { name: 'Copy as CLI' }).click();
      const command = await copied(page, new RegExp(`^keywright api ${sends} `));
      const [, parameters = ''] = /<<'END'\n(.*)\nEND$/s.exec(command) ?? [];
      const sent = await sentBy(page, () => form.locator('button[type=submit]').click());
      assert.equal(sent.path, `/public/v1/submit/${sends}`);
      assert.deepEqual(sent.parameters, JSON.parse(parameters), sends);
    }
    await leaveDialog(page);
  }
});
