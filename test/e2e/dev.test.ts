// `keywright dev` starts a service with demo data.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { p256 } from '@noble/curves/nist.js';
import { encryptOtpCodeToBundle } from '@turnkey/crypto';
import { TurnkeyClient } from '@turnkey/http';
import { base64url, hex, utf8 } from '../../src/core/base/bytes.ts';
import { type ApiKeyPair, newApiKey, stamper, timestampMs } from './clients.ts';
import { type DevService, devInVain, killDevOnce, startDev } from './dev_service.ts';
import { temporaryDirectory, until } from './service.ts';

const clientOf = ({ baseUrl }: DevService, key: ApiKeyPair) =>
  new TurnkeyClient({ baseUrl }, stamper(key));

const rootClient = (dev: DevService) => clientOf(dev, dev.credentials('root-credentials'));

/** The content of the demo, without ids and times; every service has an onboarding proxy. */
async function demoOf(dev: DevService) {
  const { organizationId } = dev.credentials('root-credentials');
  const client = rootClient(dev);
  const { users } = await client.getUsers({ organizationId });
  const { wallets } = await client.getWallets({ organizationId });
  const { policies } = await client.getPolicies({ organizationId });
  const accounts = await Promise.all(
    wallets.map(({ walletId }) => client.getWalletAccounts({ organizationId, walletId })),
  );
  const { activities } = await client.getActivities({
    organizationId,
    filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'],
  });
  return {
    users: namesOf(users.map(({ userName }) => userName)),
    wallets: namesOf(wallets.map(({ walletName }) => walletName)),
    policies: namesOf(policies.map(({ policyName }) => policyName)),
    addresses: accounts.flatMap(({ accounts: list }) => list.map(({ address }) => address)).sort(),
    waiting: activities,
  };
}

function namesOf(all: readonly string[]): readonly string[] {
  return all.filter((name) => !name.startsWith('Onboarding proxy')).sort();
}

const signIn = (dev: DevService, user: string, publicKey: string) =>
  dev.ask('/dev/sign-in', { method: 'POST', body: JSON.stringify({ user, publicKey }) });

const folder = temporaryDirectory();
const dev = await startDev(folder);
const { organizationId } = dev.credentials('root-credentials');

test('it prints at most eight lines, and the files and addresses in them exist', async () => {
  assert.ok(dev.lines.length <= 8, dev.lines.join('\n'));
  const [, keyFile = ''] = /^key file +(\S+)$/m.exec(dev.lines.join('\n')) ?? [];
  assert.equal(statSync(join(folder, keyFile)).mode & 0o777, 0o600);
  const [, printed = ''] = /^organization +(\S+)$/m.exec(dev.lines.join('\n')) ?? [];
  assert.equal(printed, organizationId);
  assert.equal((await dev.ask('/dev/inbox')).status, 200);
});

test('the demo has people, two wallets, four policies and a waiting approval', async () => {
  const { users, wallets, policies, waiting, addresses } = await demoOf(dev);
  assert.deepEqual(users, ['Root user', 'alice', 'bob', 'carol']);
  assert.deepEqual(wallets, ['everyday', 'treasury']);
  assert.equal(policies.length, 4);
  assert.equal(addresses.length, 4);
  assert.equal(waiting.length, 1);
  const client = rootClient(dev);
  const warned = await fetch(`${dev.baseUrl}/public/v1/query/get_policy_warnings`, {
    method: 'POST',
    ...(await stampedBody(client, { organizationId })),
  });
  assert.deepEqual(await warned.json(), { warnings: [] });
});

test('a browser becomes one of the demo people and votes', async () => {
  const { people } = await (await dev.ask('/dev/people')).json();
  const names = people.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['Root user', 'alice', 'bob', 'carol']);
  for (const user of ['alice', 'Root user']) {
    const key = newApiKey();
    const answer = await signIn(dev, user, key.apiPublicKey);
    assert.equal(answer.status, 200, await answer.clone().text());
    const { userId } = await answer.json();
    const browser = clientOf(dev, key);
    assert.deepEqual(
      await browser.getWhoami({ organizationId }).then((found) => [found.userId, found.username]),
      [userId, user],
    );
  }
  const bob = newApiKey();
  await signIn(dev, 'bob', bob.apiPublicKey);
  const [waiting] = (await demoOf(dev)).waiting;
  assert(waiting !== undefined);
  assert.equal(waiting.canApprove, true);
  const approved = await clientOf(dev, bob).approveActivity({
    type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { fingerprint: waiting.fingerprint },
  });
  assert.equal(approved.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  const { activity } = await rootClient(dev).getActivity({
    organizationId,
    activityId: waiting.id,
  });
  assert.equal(activity.votes.length, 2);
  assert.match(activity.result.signTransactionResult?.signedTransaction ?? '', /^02f8/);
});

test('sign-in refuses strangers, unknown names and keys', async () => {
  const { apiPublicKey: publicKey } = newApiKey();
  const body = JSON.stringify({ user: 'alice', publicKey });
  const url = `${dev.baseUrl}/dev/sign-in`;
  assert.equal((await fetch(url, { method: 'POST', body })).status, 404);
  assert.equal((await fetch(`${dev.baseUrl}/dev/people`)).status, 404);
  for (const headers of [{ origin: 'https://evil.example' }, { 'x-forwarded-for': '192.0.2.1' }]) {
    const refused = await dev.ask('/dev/sign-in', { method: 'POST', body, headers });
    assert.equal(refused.status, 404);
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
  }
  const unknown = await signIn(dev, 'mallory', publicKey);
  assert.equal(unknown.status, 400);
  assert.match((await unknown.json()).message, /`user`.*`alice`, `bob`, `carol`/);
  for (const wrong of ['', '02', `05${'11'.repeat(32)}`, `02${'zz'.repeat(32)}`]) {
    assert.equal((await signIn(dev, 'alice', wrong)).status, 400, wrong);
  }
  // This key is well-formed, but no point of the curve, so the service rejects it.
  assert.equal((await signIn(dev, 'alice', `02${'ff'.repeat(32)}`)).status, 400);
  for (const text of ['', '{', '[]', '{"user":1}']) {
    assert.equal((await dev.ask('/dev/sign-in', { method: 'POST', body: text })).status, 400);
  }
});

test('every answer states that the service is in development mode', async () => {
  const answers = await Promise.all([
    fetch(`${dev.baseUrl}/health/live`),
    fetch(`${dev.baseUrl}/nowhere`),
    fetch(`${dev.baseUrl}/public/v1/query/whoami`, { method: 'POST', body: '{}' }),
    fetch(`${dev.baseUrl}/%`),
    dev.ask('/dev/inbox'),
  ]);
  for (const answer of answers) {
    assert.equal(answer.headers.get('x-keywright-development'), 'true', answer.url);
  }
});

test('webhooks arrive in the inbox, verified, and as a page', async () => {
  type Delivery = { eventType: string; verified: boolean; body: { status: string; type: string } };
  const deliveries = async (): Promise<readonly Delivery[]> =>
    (await (await dev.ask('/dev/webhooks')).json()).deliveries;
  await until('the event of the payment arrives', async () =>
    (await deliveries()).some(({ body }) => body.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED'),
  );
  for (const { eventType, verified } of await deliveries()) {
    assert.deepEqual([eventType, verified], ['ACTIVITY_UPDATES', true]);
  }
  const count = (await deliveries()).length;
  const forged = await fetch(`${dev.baseUrl}/dev/webhooks`, { method: 'POST', body: '{}' });
  assert.equal(forged.status, 400);
  assert.ok((await deliveries()).length >= count);
  assert.ok((await deliveries()).every(({ body }) => body.type !== undefined));
  const page = await dev.ask('/dev/webhooks', { headers: { accept: 'text/html,*/*;q=0.8' } });
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(await page.text(), /<h1>Webhook deliveries<\/h1>.*signature verified/s);
});

test('a user signs in by a code in the inbox', async () => {
  const root = dev.credentials('root-credentials');
  const proxy = async (path: string, body: object) => {
    const answer = await fetch(`${dev.baseUrl}/v1/${path}`, {
      method: 'POST',
      headers: { 'x-auth-proxy-config-id': root.authProxyConfigId },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return answer.json();
  };
  const contact = 'carol@example.com';
  const { otpId, otpEncryptionTargetBundle: bundle } = await proxy('otp_init_v2', {
    otpType: 'OTP_TYPE_EMAIL',
    contact,
  });
  const messages = async () => (await (await dev.ask('/dev/inbox')).json()).messages;
  await until('the mail is there', async () => (await messages()).length > 0);
  const [{ to, text }] = await messages();
  assert.equal(to, contact);
  const code = /^([0-9A-Z]{6,9})$/m.exec(text)?.[1] ?? assert.fail(text);
  const key = newApiKey();
  const signer = JSON.parse(bundle).enclaveQuorumPublic;
  const encryptedOtpBundle = await encryptOtpCodeToBundle(code, bundle, key.apiPublicKey, signer);
  const { verificationToken } = await proxy('otp_verify_v2', { otpId, encryptedOtpBundle });
  const body = JSON.stringify({
    type: 'ACTIVITY_TYPE_STAMP_LOGIN',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { publicKey: key.apiPublicKey },
  });
  const stamp = {
    scheme: 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN',
    publicKey: key.apiPublicKey,
    publicKeyAttestation: verificationToken,
    signature: hex(p256.sign(utf8(body), Uint8Array.fromHex(key.apiPrivateKey), { format: 'der' })),
  };
  const login = await fetch(`${dev.baseUrl}/public/v1/submit/stamp_login`, {
    method: 'POST',
    headers: { 'X-Stamp-Attested': base64url(utf8(JSON.stringify(stamp))) },
    body,
  });
  assert.equal(login.status, 200, await login.text());
  const { username } = await clientOf(dev, key).getWhoami({ organizationId });
  assert.equal(username, 'carol');
});

test('a second start on the folder is refused while the first runs', async () => {
  const { code, stderr } = await devInVain(folder, '--port', '0');
  assert.notEqual(code, 0);
  assert.match(stderr, /in use by another process/);
  const fresh = await devInVain(folder, '--port', '0', '--fresh');
  assert.match(fresh.stderr, /in use by another process/);
  assert.equal((await fetch(`${dev.baseUrl}/health/ready`)).status, 200);
});

test('the next start on another port has the same demo, and a reset creates a new one', async () => {
  const before = await demoOf(dev);
  await dev.stop();
  writeFileSync(join(folder, '.keywright', 'mine.txt'), 'my text');
  const again = await startDev(folder);
  assert.notEqual(again.baseUrl, dev.baseUrl);
  assert.deepEqual(await demoOf(again), before);
  assert.equal(again.credentials('root-credentials').baseUrl, again.baseUrl);
  const alice = again.credentials('alice');
  const { username } = await clientOf(again, alice).getWhoami({ organizationId });
  assert.equal(username, 'alice');
  await rootClient(again).createUserTag({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { userTagName: 'moved', userIds: [] },
  });
  await until('the endpoint has moved with the port', async () => {
    const { deliveries } = await (await again.ask('/dev/webhooks')).json();
    return JSON.stringify(deliveries).includes('"moved"');
  });
  await again.stop();

  const reset = await startDev(folder, '--reset');
  const after = await demoOf(reset);
  assert.notEqual(reset.credentials('root-credentials').organizationId, organizationId);
  assert.equal(after.waiting.length, 1);
  assert.notDeepEqual(after.addresses, before.addresses);
  assert.equal(readFileSync(join(folder, '.keywright', 'mine.txt'), 'utf8'), 'my text');
  await reset.stop();
});

test('the same seed gives the same addresses, and another seed others', async () => {
  const seed = join(temporaryDirectory(), 'demo.seed');
  writeFileSync(seed, 'the same seed everywhere');
  const addresses: (readonly string[])[] = [];
  const place = temporaryDirectory();
  for (const flags of [
    ['--seed', seed],
    ['--fresh', `--seed=${seed}`],
  ]) {
    const seeded = await startDev(place, ...flags);
    const demo = await demoOf(seeded);
    assert.deepEqual(demo.wallets, ['everyday', 'treasury']);
    assert.equal(demo.waiting.length, 1);
    addresses.push(demo.addresses);
    await seeded.stop();
  }
  assert.deepEqual(addresses[0], addresses[1]);
  writeFileSync(seed, 'another seed, elsewhere');
  const refused = await devInVain(place, '--port', '0', '--seed', seed);
  assert.match(refused.stderr, /created from another seed: add --fresh/);
  const other = await startDev(temporaryDirectory(), '--seed', seed);
  assert.notDeepEqual((await demoOf(other)).addresses, addresses[0]);
  await other.stop();
});

test('the next start completes a killed one', async () => {
  const stateOf = (place: string): { steps?: Record<string, { activity?: object }> } => {
    try {
      return JSON.parse(readFileSync(join(place, '.keywright', 'development.json'), 'utf8'));
    } catch {
      return {};
    }
  };
  for (const step of ['people', 'treasury', 'payment that waits']) {
    const place = temporaryDirectory();
    await killDevOnce(place, () => stateOf(place).steps?.[step] !== undefined);
    const completed = await startDev(place);
    const { users, wallets, policies, waiting } = await demoOf(completed);
    assert.deepEqual(
      [users.length, wallets.length, policies.length, waiting.length],
      [4, 2, 4, 1],
      step,
    );
    await completed.stop();
  }
});

test('without the demo there is only the root user', async () => {
  const empty = await startDev(temporaryDirectory(), '--no-demo');
  assert.deepEqual(await demoOf(empty), {
    users: ['Root user'],
    wallets: [],
    policies: [],
    addresses: [],
    waiting: [],
  });
  const { people } = await (await empty.ask('/dev/people')).json();
  assert.equal(people.length, 1);
  const key = newApiKey();
  assert.equal((await signIn(empty, 'Root user', key.apiPublicKey)).status, 200);
  await empty.stop();
});

test('it refuses other listen addresses, and folders that it did not create', async () => {
  const place = temporaryDirectory();
  const elsewhere = await devInVain(place, '--host', '0.0.0.0');
  assert.equal(elsewhere.code, 2);
  assert.match(elsewhere.stderr, /KEYWRIGHT_HOST: keywright dev only listens on loopback/);
  assert.deepEqual(readdirSync(place), []);
  writeFileSync(join(place, 'root.key'), 'somebody else’s');
  const refused = await devInVain(place, '--data-dir', '.', '--fresh');
  assert.match(refused.stderr, /has data that keywright dev did not create/);
  assert.deepEqual(readdirSync(place), ['root.key']);
  const noSeed = await devInVain(place, '--seed', 'missing');
  assert.match(noSeed.stderr, /does not exist: make one with: openssl rand/);
});

async function stampedBody(client: TurnkeyClient, body: object) {
  const text = JSON.stringify(body);
  const { stampHeaderName, stampHeaderValue } = await client.stamper.stamp(text);
  return { body: text, headers: { [stampHeaderName]: stampHeaderValue } };
}
