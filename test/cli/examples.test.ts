// Runs every example of every command in one folder with `keywright dev`, in a meaningful order. For examples
// that do not run here, the file names the test that runs them.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { serializeTransaction } from 'viem';
import { loadAll } from '../../src/cli/commands.ts';
import { startDev } from '../e2e/dev_service.ts';
import { createSoftwareAuthenticator } from '../support/software_authenticator.ts';
import { folderOfTests, type Ran, runIn } from './terminal.ts';

/** The id in examples; it is replaced by that of an activity or an organization. */
const shownId = '01a205ac-48e3-74b0-9a8f-4777ece305a4';

type Typed = {
  /** The text of the example. */
  readonly example: string;
  /** The answer of a person to a question. */
  readonly answer?: string;
  readonly input?: string;
  /** The id that replaces the one of the example. */
  readonly id?: () => string;
  /** Exit code; 0 if absent. */
  readonly code?: number;
};
type Step = string | Typed | (() => void | Promise<void>);

const elsewhere: Readonly<Record<string, string>> = {
  'org seal': 'test/e2e/sealed_organization.test.ts',
  'org unseal': 'test/e2e/sealed_organization.test.ts',
  'org unseal --holder treasurer --passphrase-file passphrase.txt':
    'test/e2e/sealed_organization.test.ts',
  'org key show': 'test/e2e/sealed_organization.test.ts',
  'org key create treasurer': 'test/e2e/sealed_organization.test.ts',
  'org holder add deputy': 'test/e2e/sealed_organization.test.ts',
  'org holder add clerk --passkey': 'test/e2e/browser/key_holder_page.test.ts',
  'org holder remove deputy': 'test/e2e/sealed_organization.test.ts',
  'backup --to backup': 'test/e2e/backup.test.ts',
  'restore --verify backup': 'test/e2e/backup.test.ts',
  'restore --from backup --data-dir restored --root-key-file data/root.key':
    'test/e2e/backup.test.ts',
  "restore accept --reason 'the disk of the first machine failed' --data-dir restored --root-key-file data/root.key":
    'test/e2e/backup.test.ts',
  'key-holder --keys keys.json --socket /run/keywright-keys/holder.sock':
    'test/e2e/external_keys.test.ts',
  'key create treasury --external 04…': 'test/e2e/external_keys.test.ts',
  'migrate check .': 'test/cli/migrate_check.test.ts',
  'migrate plan --from hosted': 'test/cli/migrate_run.test.ts',
  'migrate plan --from hosted --keys': 'test/cli/migrate_keys.test.ts',
  'migrate run --from hosted --reviewed sha256:0f1e2d3c': 'test/cli/migrate_run.test.ts',
  'migrate run --from hosted --dry-run': 'test/cli/migrate_keys.test.ts',
  'migrate run --from hosted --keys --reviewed sha256:0f1e2d3c': 'test/cli/migrate_keys.test.ts',
  'migrate verify --from hosted': 'test/cli/migrate_run.test.ts',
  mcp: 'test/cli/mcp.test.ts',
  'eth-signer shop/ethereum --port 9000': 'test/cli/eth_signer.test.ts',
  'eth-signer shop/ethereum --node http://127.0.0.1:8545': 'test/cli/eth_signer.test.ts',
  'ssh-agent deploy --socket agent.sock': 'test/cli/ssh_agent.test.ts',
  "mcp --tools 'list_*' --tools get_wallet": 'test/cli/mcp.test.ts',
  dev: 'test/e2e/dev.test.ts',
  'dev --fresh --port 9000': 'test/e2e/dev.test.ts',
  'dev --seed demo.seed': 'test/e2e/dev.test.ts',
  enclave: 'test/e2e/two_users.test.ts',
  serve: 'test/gateway/serve.test.ts',
  keys: 'test/gateway/serve.test.ts',
  unseal: 'test/e2e/root_key.test.ts',
  'unseal --data-dir /var/lib/keywright': 'test/e2e/root_key.test.ts',
  'root-key init': 'test/e2e/root_key.test.ts',
  'root-key wrap': 'test/e2e/root_key.test.ts',
  'root-key unwrap': 'test/e2e/root_key.test.ts',
  'root-key rewrap': 'test/e2e/rewrapped_key.test.ts',
  'root-key split --threshold 3 --recipients operators.txt': 'test/cli/root_key_shares.test.ts',
  'root-key rotate --yes': 'test/e2e/rotated_root_key.test.ts',
  'root-key rotate --online': 'test/e2e/rotated_online.test.ts',
  'root-key init --shares 2 --threshold 2 --recipient age1… --recipient age1…':
    'test/e2e/unseal_shares.test.ts',
  'root-key split --threshold 2 --recipients new.txt --from root-key-shares --identities identities.txt --to new-shares':
    'test/e2e/unseal_shares.test.ts',
  'unseal share share-1.age --identity identity.txt --url https://keys.example.com':
    'test/e2e/unseal_shares.test.ts',
  'unseal share share-1.age --passkey --url https://keys.example.com':
    'test/e2e/browser/operator_passkeys.test.ts',
  'root-key passkey': 'test/e2e/browser/operator_passkeys.test.ts',
  'root-key combine --passkeys 3 --to recovered.key': 'test/e2e/browser/operator_passkeys.test.ts',
  'root-key combine --identities identities.txt --to recovered.key':
    'test/cli/root_key_shares.test.ts',
  'export organization 01890f3e-3b5c-7cc0-98c4-dc0c0c07398f --to exit.age --recipients recipients.txt':
    'test/export/export.test.ts',
  'archive --before 2026-01-31 --to archive': 'test/cli/archive.test.ts',
  'archive verify archive': 'test/cli/archive.test.ts',
  'archive import archive': 'test/cli/archive.test.ts',
  'serve --port 9000 --data-dir /var/lib/keywright': 'test/gateway/serve.test.ts',
  'dashboard --url https://keys.example': 'test/dashboard/apart.test.ts',
  'dashboard verify https://keys.example': 'test/dashboard/apart.test.ts',
  'dashboard verify https://keys.example --release-key release.pub --signature integrity.json.sig':
    'test/dashboard/apart.test.ts',
  login: 'test/cli/login_without_key.test.ts',
  'login --email carol@example.com': 'test/cli/login_without_key.test.ts',
  'activity watch': 'test/cli/activity.test.ts',
  'activity watch --status waiting --json': 'test/cli/activity.test.ts',
  'webhook listen --forward-to http://localhost:3000/': 'test/cli/webhooks.test.ts',
  'webhook listen --replay 41- --endpoint shop --forward-to http://localhost:3000/':
    'test/cli/webhooks.test.ts',
  'wallet balances shop/ethereum': 'test/cli/wallet.test.ts',
  'wallet balances shop --chain eip155:8453': 'test/cli/wallet.test.ts',
  'verify proof proofs.json': 'test/cli/verify.test.ts',
  'audit --trust policy.txt': 'test/cli/verify_receipt.test.ts',
  'audit --trust policy.txt --since audit.json': 'test/cli/verify_receipt.test.ts',
  'verify receipt receipt.json --trust policy.txt': 'test/cli/verify_receipt.test.ts',
  'evidence --activity 01890f3e-3b5c-7cc0-98c4-dc0c0c07398f --out evidence.tar':
    'test/cli/evidence.test.ts',
  'evidence --from 2026-01-01 --to 2026-02-01 --out january.tar': 'test/cli/evidence.test.ts',
  'verify evidence evidence.tar --trust policy.txt': 'test/cli/evidence.test.ts',
  'witness --trust policy.txt --state witness.json --name example.org/witness':
    'test/receipts/witness.test.ts',
  'verify proof proofs.json --boot-proof boot.json --key 04…': 'test/cli/verify.test.ts',
  'verify webhook delivery.http': 'test/cli/verify.test.ts',
  'verify webhook delivery.json --keys jwks.json': 'test/cli/verify.test.ts',
  'webhook verify delivery.json --keys jwks.json': 'test/cli/verify.test.ts',
};

const folder = folderOfTests();
const dev = await startDev(folder);
const file = (name: string) => join(folder, name);
const write = (name: string, text: string) => writeFileSync(file(name), text, { mode: 0o600 });

async function type(step: Typed): Promise<Ran> {
  const words = step.example.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  const typed = words.map((word) => (word === shownId ? (step.id?.() ?? word) : word));
  // Files are relative to the current folder of a user; files of the project are relative to its clone.
  const placed = typed.map((word) => (isFile(word) ? file(word) : word));
  return runIn(folder, placed, {
    input: step.input ?? '',
    ...(step.answer === undefined ? {} : { ask: async () => step.answer ?? '' }),
  });
}

const isFile = (word: string): boolean =>
  /^[\w/-]+\.(json|txt|hex|sealed)$/.test(word) && !word.startsWith('examples/');

async function typeWell(step: Typed): Promise<Ran> {
  const ran = await type(step);
  assert.equal(ran.code, step.code ?? 0, `keywright ${step.example}: ${ran.err}${ran.out}`);
  return ran;
}

let waiting = '';
let rejected = '';
let suborganization = '';
const typedData = {
  types: {
    EIP712Domain: [{ name: 'name', type: 'string' }],
    Note: [{ name: 'text', type: 'string' }],
  },
  primaryType: 'Note',
  domain: { name: 'Example' },
  message: { text: 'hello' },
};
const payment = serializeTransaction({
  type: 'eip1559',
  chainId: 1,
  nonce: 0,
  to: '0x0000000000000000000000000000000000000001',
  value: 1n,
  gas: 21_000n,
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
});

const story: readonly Step[] = [
  'version',
  'completion bash',
  'api',
  'api create_user_tag --help',
  'status',
  'doctor',
  'whoami',
  'profile list',
  'inbox',
  () => {
    mkdirSync(file('data'), { mode: 0o700 });
    copyFileSync(file('.keywright/root-credentials.json'), file('data/root-credentials.json'));
    copyFileSync(file('.keywright/root-credentials.json'), file('ops.json'));
  },
  'login --with data/root-credentials.json',
  'login --with ops.json --profile ops --expires 8h',
  () => {
    write('passphrase.txt', 'correct horse battery staple\n');
  },
  'root-key init --to elsewhere.sealed --passphrase-file passphrase.txt',
  'login --with ops.json --profile sealed --new-passphrase-file passphrase.txt',
  'passphrase ops.json --new-passphrase-file passphrase.txt',
  'passphrase ops.json --remove --key-passphrase-file passphrase.txt',
  'profile use ops',
  'user list',
  'user show alice',
  'user create dave --key-file dave.json',
  'api create_user_tag --user-tag-name ops',
  'user tag dave --add ops',
  'api list_users --json',
  'user key list alice',
  'user key add alice --key-file alice2.json --expires 90d',
  async () => {
    const words = ['user', 'key', 'add', 'alice', '--key-file', file('old.json')];
    const added = await runIn(folder, [...words, '--name', 'Old key']);
    assert.equal(added.code, 0, added.err);
  },
  { example: "user key remove alice 'Old key'", answer: 'Old key' },
  async () => {
    const laptop = createSoftwareAuthenticator({ seed: 'alice' }).register({});
    const userId = (await runIn(folder, ['user', 'show', 'alice', '--quiet'])).out.trim();
    const authenticators = [{ authenticatorName: 'Laptop', ...laptop }];
    const words = ['api', 'create_authenticators', '--params', '-'];
    const added = await runIn(folder, words, { input: JSON.stringify({ userId, authenticators }) });
    assert.equal(added.code, 0, added.err);
  },
  'user passkey list alice',
  { example: 'user passkey remove alice Laptop', answer: 'Laptop' },
  async () => {
    const left = await runIn(folder, ['user', 'passkey', 'list', 'alice', '--quiet']);
    assert.deepEqual([left.code, left.out], [0, '']);
  },
  { example: 'user delete dave', answer: 'dave' },
  'org show',
  'org list',
  "org rename 'Example Ltd'",
  'org quorum show',
  "org quorum set 'Root user' alice --threshold 2 --dry-run",
  'org feature list',
  'org feature set otp-email-auth',
  'user create erin --email erin@example.com --key-file erin.json',
  async () => {
    await runIn(folder, ['user', 'delete', 'erin', '--yes']);
  },
  {
    example: 'org feature remove otp-email-auth',
    answer: 'FEATURE_NAME_OTP_EMAIL_AUTH',
  },
  'org create customer-1',
  async () => {
    suborganization = (await runIn(folder, ['org', 'list', '--quiet'])).out.trim();
  },
  {
    example: `org delete --organization ${shownId}`,
    id: () => suborganization,
    answer: 'customer-1',
  },
  'wallet create shop',
  'wallet account add shop solana',
  'wallet account add shop ethereum --number 7',
  'wallet list',
  'wallet list --quiet',
  'wallet show shop',
  'wallet account list shop',
  'wallet account list shop --quiet',
  async () => {
    const other = ['wallet', 'create', 'plain'];
    assert.equal((await runIn(folder, other)).code, 0);
    // With only one matching account, the name of the wallet suffices.
    await runIn(folder, ['wallet', 'delete', 'shop', '--without-export', '--yes']);
    assert.equal((await runIn(folder, ['wallet', 'create', 'shop'])).code, 0);
  },
  'wallet address shop',
  'wallet address shop/ethereum --qr',
  'wallet address shop/ethereum --quiet',
  'sign message hello --with shop',
  'sign message hello --with shop/ethereum',
  async () => {
    const words = ['sign', 'message', 'hello', '--with', 'shop', '--json'];
    write('signature.json', (await runIn(folder, words)).out);
    write('permit.json', JSON.stringify(typedData));
    write('payment.hex', payment);
  },
  'verify message signature.json',
  {
    example: 'verify message --json',
    get input() {
      return readFileSync(file('signature.json'), 'utf8');
    },
  },
  'sign typed-data permit.json --with shop',
  { example: 'sign typed-data - --with shop/ethereum --json', input: JSON.stringify(typedData) },
  'sign payload 68656c6c6f --with shop/ethereum --hash keccak256',
  'sign transaction payment.hex --with shop --dry-run',
  'sign transaction payment.hex --with shop',
  { example: 'export wallet shop --to shop.json', answer: 'shop' },
  { example: 'export wallet shop --to shop.txt --phrase', answer: 'shop' },
  { example: 'wallet delete shop', answer: 'shop' },
  'import wallet shop --from shop.json',
  { example: 'wallet delete shop --without-export', answer: 'shop' },
  {
    example: 'import wallet shop --from - --account ethereum --account solana',
    get input() {
      return readFileSync(file('shop.txt'), 'utf8');
    },
  },
  { example: 'sign message - --with shop/solana --json', input: 'hello' },
  'sign payload hello --encoding text --with shop/solana',
  async () => {
    await runIn(folder, ['wallet', 'delete', 'treasury', '--without-export', '--yes']);
  },
  'wallet create treasury --account ethereum --account solana',
  'key create deploy',
  'key create relay --kind solana',
  'key create tokens --curve p256',
  'key list',
  'key list --quiet',
  'key show deploy',
  { example: 'export key deploy --to deploy.json', answer: 'deploy' },
  { example: 'export key deploy --to deploy.hex --hex', answer: 'deploy' },
  { example: 'key delete deploy', answer: 'deploy' },
  'import key deploy --from deploy.json',
  { example: 'key delete deploy --without-export', answer: 'deploy' },
  () =>
    write('id.json', JSON.stringify([...Keypair.fromSeed(new Uint8Array(32).fill(3)).secretKey])),
  { example: 'import key payer --from id.json', answer: 'payer' },
  () => write('token.txt', 'a token'),
  'import secret api-token --from token.txt',
  'secret list',
  'secret list --quiet',
  'secret show api-token',
  { example: 'export secret api-token --to token.txt', answer: 'api-token', code: 7 },
  { example: 'secret delete api-token', answer: 'api-token' },
  { example: 'import secret api-token --from - --property env=production', input: 'a token' },
  async () => {
    await runIn(folder, ['key', 'delete', 'relay', '--without-export', '--yes']);
  },
  { example: 'import key relay --from - --kind solana', input: '11'.repeat(32) },
  "address add exchanges 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --name 'Kraken deposit'",
  'address list',
  'address remove exchanges 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  { example: 'address delete exchanges', answer: 'exchanges' },
  'policy list',
  "policy create 'two approve' --consensus 'approvers.count() >= 2'",
  "policy show 'two approve'",
  "policy edit 'two approve' --consensus 'approvers.count() >= 3'",
  'policy pull',
  async () => {
    const pulled = await runIn(folder, ['policy', 'pull']);
    write('policies.json', pulled.out);
  },
  'policy diff policies.json',
  'policy map',
  'policy map --svg',
  'policy simulate policies.json',
  'policy apply policies.json --dry-run',
  'policy apply policies.json',
  'policy check examples/policies/approvals.json',
  'policy test examples/policies/approvals.json',
  { example: "policy delete 'two approve'", answer: 'two approve' },
  'activity list',
  'activity list --status waiting',
  async () => {
    const list = await runIn(folder, ['activity', 'list', '--status', 'waiting', '--quiet']);
    waiting = list.out.split('\n')[0] ?? '';
    rejected = waiting;
  },
  { example: `activity show ${shownId}`, id: () => waiting },
  { example: `activity explain ${shownId}`, id: () => waiting },
  { example: `policy explain ${shownId}`, id: () => waiting },
  { example: `activity reject ${shownId}`, id: () => rejected, code: 10 },
  { example: `activity approve ${shownId}`, id: () => waiting, code: 10 },
  'webhook list',
  // The service looks up the name, which has no address.
  { example: 'webhook create shop --to https://shop.example/hooks', code: 6 },
  {
    example:
      'webhook create approvers --to https://hooks.slack.com/services/… --format slack --waiting',
    code: 6,
  },
  async () => {
    assert.equal((await runIn(folder, ['webhook', 'create', 'shop'])).code, 0);
  },
  'webhook deliveries shop --after 40',
  { example: 'webhook redeliver shop --range 41-57', code: 6 },
  'webhook update shop --pause',
  { example: 'webhook delete shop', answer: 'shop' },
  'webhook rotate-key --yes',
  () => write('body.json', '{}'),
  'stamp body.json',
  'logout --profile ops --keep',
  async () => {
    assert.equal((await runIn(folder, ['profile', 'use', 'default'])).code, 0);
  },
  'logout',
  async () => {
    const words = ['login', '--with', file('ops.json'), '--profile', 'ops'];
    assert.equal((await runIn(folder, words)).code, 0);
  },
  'profile remove ops',
];

test('every example runs here, or has the name of the test that runs it', async () => {
  const all = (await loadAll()).flatMap(({ examples }) => examples.map(({ type: text }) => text));
  const typed = story.flatMap((step) =>
    typeof step === 'function' ? [] : [typeof step === 'string' ? step : step.example],
  );
  const named = [...typed, ...Object.keys(elsewhere)];
  assert.deepEqual(
    all.filter((example) => !named.includes(example)),
    [],
    'these examples are typed nowhere',
  );
  assert.deepEqual(
    named.filter((example) => !all.includes(example)),
    [],
    'these are no examples any more',
  );
});

test('the test file of an example contains its first word and its options', () => {
  for (const [example, path] of Object.entries(elsewhere)) {
    const text = readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8');
    const words = example.split(' ').filter((word, i) => i === 0 || word.startsWith('--'));
    for (const word of words) assert(text.includes(word), `${path} lacks ${word} of ${example}`);
  }
});

test('the examples do what their descriptions say', async () => {
  for (const step of story) {
    if (typeof step === 'function') await step();
    else await typeWell(typeof step === 'string' ? { example: step } : step);
  }
  await dev.stop();
});
