// A gateway that misrepresents an approval, or alters a file of the page, cannot obtain an approval.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { apiKey, connect } from '../../src/client/index.ts';
import {
  alterAnswers,
  before,
  dashboardOfThisFile,
  patiently,
  signInAs,
  test,
} from './dashboard.ts';

const dashboard = await dashboardOfThisFile();

type ReportedActivity = {
  readonly activity: {
    intent: Record<string, Record<string, unknown>>;
    votes: Record<string, unknown>[];
  };
};

/** The page of the root user that most tests share. */
let rootPage: Page;
/** Stops the alterations of the previous test. */
let pass: (() => Promise<void>) | undefined;
before(async () => {
  rootPage = await dashboard.openAs('Root user', { isHostile: true, path: 'users' });
});

/** Loads the page of the root user at a path while the gateway alters the answers to one query. */
async function pageWith<Answer>(
  path: string,
  query: string,
  change: (answer: Answer) => void,
): Promise<Page> {
  await pass?.();
  pass = await alterAnswers(rootPage, `query/${query}`, change);
  await rootPage.goto(`${dashboard.origin()}/dashboard/${path}`);
  return rootPage;
}

/** Loads the approvals while the gateway alters the reported activity. */
const approvalsWith = (change: (answer: ReportedActivity) => void): Promise<Page> =>
  pageWith('approvals', 'get_activity', change);

async function assertNotApprovable(page: Page, reason: RegExp): Promise<void> {
  const alert = page.getByRole('alert').filter({ hasText: /^Do not approve/ });
  await alert.filter({ hasText: reason }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
}

test('an altered intent is detected', async () => {
  const page = await approvalsWith(({ activity }) => {
    const [intent] = Object.values(activity.intent);
    assert(intent !== undefined);
    intent['unsignedTransaction'] = String(intent['unsignedTransaction']).replace('dead', 'beef');
  });
  await assertNotApprovable(page, /different content .*unsignedTransaction/);
});

test('a message that does not match its fingerprint is detected', async () => {
  const page = await approvalsWith(({ activity }) => {
    const [vote] = activity.votes;
    assert(vote !== undefined);
    vote['message'] = String(vote['message']).replace('dead', 'beef');
  });
  await assertNotApprovable(page, /./);
});

test('a signature by another key is detected', async () => {
  const page = await approvalsWith(({ activity }) => {
    const [vote] = activity.votes;
    assert(vote !== undefined);
    const { apiPublicKey } = dashboard.service().credentials('bob');
    vote['publicKey'] = apiPublicKey;
  });
  await assertNotApprovable(page, /signed/);
});

test('a name with invisible or direction-changing characters shows them', async () => {
  const page = await approvalsWith(({ activity }) => {
    const [vote] = activity.votes;
    assert(vote !== undefined);
    vote['user'] = { ...(vote['user'] as object), userName: 'al\u202eice' };
  });
  await page
    .getByRole('article', { name: 'Sign transaction requested by al\\u{202e}ice' })
    .waitFor();
});

test('a module with an additional byte does not run', async () => {
  const page = await dashboard.open({ isHostile: true });
  await page.route('**/assets/administration-*.js', async (route) => {
    const response = await route.fetch(patiently);
    await route.fulfill({ response, body: `${await response.text()}\n` });
  });
  await signInAs(page, 'Root user');
  const refused = page.waitForEvent('console', (message) => /integrity/.test(message.text()));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click();
  await refused;
  await page.locator('main').getByRole('alert').waitFor();
  assert.equal(await page.getByRole('heading', { level: 1, name: 'Users' }).count(), 0);
});

test('an injected script does not run', async () => {
  const page = await dashboard.open({ isHostile: true });
  const violated = page.evaluate<string>(
    `new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective), { once: true });
      const script = document.createElement('script');
      try { script.textContent = 'globalThis.ran = true'; } catch { resolve('trusted-types'); }
      document.body.append(script);
    })`,
  );
  assert.match(await violated, /script-src|trusted-types|require-trusted-types-for/);
  assert.equal(await page.evaluate('globalThis.ran'), undefined);
});

/** Returns an article of the root user's approvals while the gateway alters the answers to one query. */
async function articleWith(
  query: string,
  change: (answer: Record<string, Record<string, unknown>[]>) => void,
  what: RegExp,
) {
  const page = await pageWith('approvals', query, change);
  return page.getByRole('article', { name: what });
}

test('an account with the key of another account explains no transaction', async () => {
  const approval = await articleWith(
    'list_wallet_accounts',
    ({ accounts = [] }) => {
      const [first, other] = accounts.filter(({ curve }) => curve === 'CURVE_SECP256K1');
      assert(first !== undefined && other !== undefined);
      [first['publicKey'], other['publicKey']] = [other['publicKey'], first['publicKey']];
    },
    /^Sign transaction/,
  );
  await approval.getByText('This transaction cannot be read here.').waitFor();
  assert.equal(await approval.getByText('0.5 ETH').count(), 0);
});

test('a name of an account from the service does not appear in the signed content', async () => {
  const approval = await articleWith(
    'list_wallet_accounts',
    ({ accounts = [] }) => {
      for (const account of accounts) account['name'] = 'Vitalik, trusted';
    },
    /^Sign transaction/,
  );
  await approval.getByText('from treasury / Vitalik, trusted').waitFor();
  await approval.getByText(/^Names and earlier payments come from the service/).waitFor();
  const signed = approval.getByRole('group', { name: 'What will be signed' });
  await signed.getByText(/^Fees for gas are at most/).waitFor();
  assert.equal(await signed.getByText('Vitalik').count(), 0);
});

test('an address with the key of another account has no QR code and no copy button', async () => {
  const page = await pageWith<{ accounts: Record<string, unknown>[] }>(
    'wallets',
    'list_wallet_accounts',
    ({ accounts }) => {
      // Alters all Ethereum addresses to the same one; other addresses still belong to their keys.
      for (const account of accounts) {
        if (account['addressFormat'] === 'ADDRESS_FORMAT_ETHEREUM') {
          account['address'] = '0x1111111111111111111111111111111111111111';
        }
      }
    },
  );
  await page.getByRole('link', { name: 'treasury' }).click();
  const [altered, whole] = ['Ethereum', 'Solana'].map((kind) =>
    page.getByRole('article', { name: new RegExp(`^${kind}`) }).first(),
  );
  assert(altered !== undefined && whole !== undefined);
  await altered
    .getByRole('alert')
    .filter({ hasText: /^Address does not belong to this key\. Do not pay to it/ })
    .waitFor();
  await whole.getByText('Derived in this page from the public key').waitFor();
  const ways = (article: Locator) =>
    Promise.all([
      article.getByRole('img', { name: /^QR code/ }).count(),
      article.getByRole('button', { name: 'Copy address' }).count(),
    ]);
  assert.deepEqual(await ways(altered), [0, 0]);
  assert.deepEqual(await ways(whole), [1, 1]);
  await page.getByText(/does not show who holds the private key/).waitFor();
});

test('an address that does not belong to its private key has no copy button', async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const of = credentials('root-credentials');
  const root = connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  const { privateKeys } = await root.submit('create_private_keys', {
    privateKeys: ['ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR', 'ADDRESS_FORMAT_TRON'].map(
      (format, i) => ({
        privateKeyName: `swapped ${i}`,
        curve: 'CURVE_SECP256K1' as const,
        addressFormats: ['ADDRESS_FORMAT_XRP' as const, format as 'ADDRESS_FORMAT_TRON'],
        privateKeyTags: [],
      }),
    ),
  });
  for (const { privateKeyId, addresses } of privateKeys) {
    const other = privateKeys.find((each) => each.privateKeyId !== privateKeyId);
    const page = await pageWith<{ privateKey: { addresses: { address: string }[] } }>(
      `private-keys/${privateKeyId}`,
      'get_private_key',
      ({ privateKey }) => {
        const [, last] = privateKey.addresses;
        assert(last !== undefined);
        // An address of the same format that belongs to another existing key.
        last.address =
          last.address === addresses[1]?.address ? (other?.addresses[0]?.address ?? '') : '';
      },
    );
    await page
      .getByRole('alert')
      .filter({ hasText: /^Address does not belong/ })
      .waitFor();
    await page.getByText('Derived in this page from the public key').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Copy address' }).count(), 1);
  }
});

test('with a misreported policy, the signed content stays, and the page names the source of the rest', async () => {
  const { baseUrl: url, credentials } = dashboard.service();
  const clientOf = async (name: string) => {
    const of = credentials(name);
    return connect({ url, organizationId: of.organizationId, stamp: await apiKey(of) });
  };
  const [root, alice] = [await clientOf('root-credentials'), await clientOf('alice')];
  await root.submit('create_policy', {
    policyName: 'two change policies',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'POLICY'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  const { policies } = await root.query('list_policies');
  const carols = policies.find(({ policyName }) => policyName === 'carol creates wallets');
  assert(carols !== undefined);
  const { policyId } = carols;
  const change = await alice.ask('update_policy', { policyId, policyConsensus: 'true' });
  assert.equal(change.outcome, 'waiting');

  const approval = await articleWith(
    'list_policies',
    (answer) => {
      for (const policy of answer['policies'] ?? []) {
        if (policy['policyId'] !== policyId) continue;
        policy['policyName'] = 'harmless';
        policy['consensus'] = 'true';
      }
    },
    /^Update policy requested by alice$/,
  );
  const group = approval.getByRole('group', { name: 'What will change' });
  const ends = `${policyId.slice(0, 4)}…${policyId.slice(-4)}`;
  await group.getByText(`Changes the policy “harmless” (${ends}).`).waitFor();
  await group.getByRole('columnheader', { name: 'Now (reported by the service)' }).waitFor();
  const row = group.getByRole('row', { name: /^Consensus/ });
  await row
    .getByRole('cell')
    .last()
    .filter({ hasText: /^true$/ })
    .waitFor();

  const page = await approvalsWith(({ activity }) => {
    const [intent] = Object.values(activity.intent);
    if (intent?.['policyConsensus'] !== undefined) intent['policyConsensus'] = 'false';
  });
  const alert = page.getByRole('alert').filter({ hasText: /^Do not approve/ });
  await alert.filter({ hasText: /different content .*policyConsensus/ }).waitFor();
  const approvable = page.getByRole('button', { name: /^Approve/ });
  await page
    .getByRole('article', { name: /^Sign transaction/ })
    .and(page.getByRole('article').filter({ has: approvable }))
    .waitFor();
  assert.equal(await approvable.count(), 1);
});
