// The first hour of a new user, with the package alone: installed from its archive without a network, in an
// empty folder. The numbers are the steps of that hour. Steps in the dashboard are done here with the
// command line or the API, as their titles say.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { Turnkey } from '@turnkey/sdk-server';
import { hashMessage, serializeSignature } from 'viem';
import { verifyWebhook, webhookKeys } from '../../src/client/webhooks.ts';
import { portOf } from '../../src/gateway/base/both_families.ts';
import { startDevOf } from '../e2e/dev_service.ts';
import { temporaryDirectory, until } from '../e2e/service.ts';
import { installedService } from './packed.ts';

const { launcher } = await installedService();
/** The folder in which the new user works. */
const stranger = temporaryDirectory();
const home = temporaryDirectory();
/** Ends a command that waits for an answer that never comes. */
const longestMs = 120_000;

const environment = { PATH: process.env['PATH'], HOME: home, TERM: 'xterm' };

type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** Runs the words after `keywright`, without a terminal. */
function run(words: readonly string[], input = ''): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: stranger, env: environment, timeout: longestMs };
    const child = execFile(
      process.execPath,
      [launcher, ...words],
      options,
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), out: stdout, err: stderr });
      },
    );
    child.stdin?.end(input);
  });
}

/** Runs the words, and requires that they succeed. */
async function done(words: readonly string[], input = ''): Promise<Ran> {
  const ran = await run(words, input);
  assert.equal(ran.code, 0, `keywright ${words.join(' ')}: ${ran.err}`);
  return ran;
}

const json = async (...words: readonly string[]) =>
  JSON.parse((await done([...words, '--json'])).out);

/** Starts a command that runs until it is ended. */
function begin(words: readonly string[], program = process.execPath, first = [launcher]) {
  const child = spawn(program, [...first, ...words], { cwd: stranger, env: environment });
  after(() => child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code);
  return { child, ended, out: () => out, err: () => err };
}

/** Starts a command in a pseudo-terminal of `script` from util-linux. */
const beginInTerminal = (words: readonly string[]) => {
  const typed = [process.execPath, launcher, ...words].map((word) => `'${word}'`).join(' ');
  return begin(['-qefc', typed, '/dev/null'], 'script', []);
};

test('the first hour', async (hour) => {
  const step = (title: string, todo: () => Promise<void>) => hour.test(title, todo);
  const dev = await startDevOf(launcher, stranger);
  const root = dev.credentials('root-credentials');
  const asDave = ['--credentials', 'dave.json'];
  const helloWithShop = ['sign', 'message', 'hello', '--with', 'shop/ethereum'];
  let signature = '';
  let refusedId = '';
  let waitingId = '';

  await step(
    '1 keywright dev greets in at most eight lines, with the page on localhost',
    async () => {
      assert(dev.lines.length <= 8, dev.lines.join('\n'));
      const addresses = dev.lines.join(' ').match(/https?:\/\/[^\s/]+/g) ?? [];
      const hosts = addresses.map((address) => new URL(address).hostname);
      assert.deepEqual(hosts, ['localhost', 'localhost', '127.0.0.1']);
      const page = await fetch(`${dev.baseUrl}/dashboard/`);
      assert.match(await page.text(), /<!doctype html>/i);
    },
  );

  await step('8 a wallet with two accounts is made (by the command line)', async () => {
    const kinds = ['--account', 'ethereum', '--account', 'solana'];
    const { addresses } = await json('wallet', 'create', 'shop', ...kinds);
    assert.equal(addresses.length, 2);
    const shown = await done(['wallet', 'address', 'shop/ethereum', '--qr']);
    assert(shown.out.includes(addresses[0]), shown.out);
  });

  await step('9 a message is signed (by the API)', async () => {
    const { accounts } = await json('wallet', 'account', 'list', 'shop');
    const turnkey = new Turnkey({
      apiBaseUrl: dev.baseUrl,
      defaultOrganizationId: root.organizationId,
      apiPublicKey: root.apiPublicKey,
      apiPrivateKey: root.apiPrivateKey,
    });
    const { r, s, v } = await turnkey.apiClient().signRawPayload({
      signWith: accounts[0].address,
      payload: hashMessage('hello'),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
    signature = serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: Number(v) });
  });

  await step('10 keywright login prints a link, and says who it is once it is let in', async () => {
    const login = beginInTerminal(['login', '--url', dev.baseUrl, '--profile', 'mine']);
    await until('it waits', () => /Waiting for ten minutes/.test(login.out()));
    const shown = login.out();
    assert.match(shown, /http:\/\/\S+\/dashboard\/#\/pair\?publicKey=0[23][0-9a-f]{64}&/);
    assert.match(shown, /requires the fourth: [a-z]+ [a-z]+ [a-z]+ [a-z]+\r?$/m);
    const [, key = ''] = /--public-key (0[23][0-9a-f]{64})/.exec(shown) ?? [];
    // Replaces the button "Let it in" by a command in another terminal.
    await done(['user', 'key', 'add', 'Root user', '--public-key', key, '--expires', '1h']);
    assert.equal(await login.ended, 0, login.out());
    assert.match(login.out(), /User\S* .*Root user/);
    const keyFile = join(home, '.config', 'keywright', 'keys', 'mine.json');
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  });

  await step(
    '11 wallet list shows the wallet and those of the demo, with the ids of the API',
    async () => {
      const { out } = await done(['wallet', 'list']);
      for (const name of ['shop', 'everyday', 'treasury']) assert.match(out, new RegExp(name));
      const { wallets } = await json('api', 'list_wallets');
      for (const { walletId } of wallets) assert(out.includes(walletId), walletId);
    },
  );

  await step('12 sign message makes the signature of step 9', async () => {
    const signed = await json(...helloWithShop);
    assert.equal(signed.signature, signature);
  });

  await step('13 verify message believes it, and not with one digit changed', async () => {
    const signed = await json(...helloWithShop);
    const verified = await done(['verify', 'message', '--json'], JSON.stringify(signed));
    assert.equal(JSON.parse(verified.out).verified, true);
    const digit = signature.at(10) === '0' ? '1' : '0';
    const changed = `${signature.slice(0, 10)}${digit}${signature.slice(11)}`;
    const forged = JSON.stringify({ ...signed, signature: changed });
    assert.equal((await run(['verify', 'message', '--json'], forged)).code, 9);
  });

  await step('14 user create makes a user whose key is in a file of its owner', async () => {
    await done(['user', 'create', 'dave', '--key-file', 'dave.json']);
    assert.equal(statSync(join(stranger, 'dave.json')).mode & 0o777, 0o600);
    assert.match((await done(['whoami', ...asDave])).out, /dave/);
  });

  await step('15 that user is refused, with the sentence and each policy', async () => {
    const { code, err } = await run([...helloWithShop, ...asDave]);
    assert.equal(code, 4, err);
    assert.match(err, /^keywright: \S.*/);
    assert.match(err, /alice and bob sign with everyday/);
    refusedId = /activity explain (\S+)/.exec(err)?.[1] ?? assert.fail(err);
  });

  await step('16 the activity says which clause was false (by the command line)', async () => {
    const { out } = await done(['activity', 'explain', refusedId]);
    assert.match(out, /alice and bob sign with everyday/);
    assert.match(out, /condition: false/i);
  });

  const { walletId } = (await json('api', 'list_wallets')).wallets.find(
    ({ walletName }: { walletName: string }) => walletName === 'shop',
  );

  await step(
    '17 a wrong field is refused with its place, offline (by the command line)',
    async () => {
      const policy = { policyName: 'shop', effect: 'EFFECT_ALLOW', condition: 'wallet.nam == "x"' };
      const file = {
        policies: [policy],
        users: [],
        rootQuorum: { userIds: [], threshold: 1 },
        cases: [],
      };
      writeFileSync(join(stranger, 'slip.json'), JSON.stringify(file));
      const { code, err } = await run(['policy', 'check', 'slip.json']);
      assert.equal(code, 6, err);
      assert.match(err, /condition/);
    },
  );

  await step(
    '22 policies are pulled, edited, compared and simulated; nothing is stored',
    async () => {
      const pulled = JSON.parse((await done(['policy', 'pull'])).out);
      const before = await json('policy', 'list');
      const added = {
        policyName: 'two sign with shop',
        effect: 'EFFECT_ALLOW',
        condition: `activity.action == 'SIGN' && wallet.id == '${walletId}'`,
        consensus: 'approvers.count() >= 2',
      };
      const file = { ...pulled, policies: [...pulled.policies, added] };
      writeFileSync(join(stranger, 'policies.json'), JSON.stringify(file));
      const { out } = await run(['policy', 'diff', 'policies.json']);
      assert.match(out, /two sign with shop/);
      const simulated = await json('policy', 'simulate', 'policies.json');
      const flip = simulated.flips.find(
        ({ activityId }: { activityId: string }) => activityId === refusedId,
      );
      assert.deepEqual([flip?.was, flip?.wouldBe], ['REFUSE', 'WAIT'], JSON.stringify(simulated));
      assert.deepEqual(await json('policy', 'list'), before);
    },
  );

  await step('19 the policy is saved (by the command line)', async () => {
    await done(['policy', 'apply', 'policies.json', '--yes']);
    assert.match((await done(['policy', 'list'])).out, /two sign with shop/);
  });

  await step('20 now it waits, and says who may approve and what they type', async () => {
    const { code, err } = await run([...helloWithShop, ...asDave]);
    assert.equal(code, 3, err);
    const [, id = '', fingerprint] =
      /keywright activity approve (\S+) --fingerprint (sha256:[0-9a-f]{64})/.exec(err) ?? [];
    assert.ok(fingerprint, err);
    waitingId = id;
    const explained = await done(['activity', 'explain', id]);
    assert.match(explained.out, /^May still approve: .*Root user/m);
  });

  await step(
    '21 a terminal that watches has a line, and one that waits the signature',
    async () => {
      const watching = begin(['activity', 'watch']);
      await until('it watches', () => /Watching/.test(watching.err()));
      const waiting = begin([
        'sign',
        'message',
        'again',
        '--with',
        'shop/ethereum',
        ...asDave,
        '--wait',
      ]);
      await until('it waits', () => /waits for approval/.test(waiting.err()));
      const [, id = ''] = /Activity (\S+) waits/.exec(waiting.err()) ?? [];
      const { fingerprint } = await json('activity', 'show', id);
      // In the dashboard a click approves; here a terminal does, by the first eight digits.
      const approving = beginInTerminal(['activity', 'approve', id]);
      await until('it asks', () => /first eight digits/.test(approving.out()));
      assert.match(approving.out(), /requested by dave/);
      approving.child.stdin.write(`${fingerprint.replace('sha256:', '').slice(0, 8)}\n`);
      assert.equal(await approving.ended, 0, approving.out());
      assert.equal(await waiting.ended, 0, waiting.err());
      assert.match(waiting.out(), /0x[0-9a-f]{130}/);
      await until('it is told', () => new RegExp(`done +${id}`).test(watching.out()));
      watching.child.kill('SIGINT');
      assert.equal(await watching.ended, 130);
      assert.equal((await run(['activity', 'reject', waitingId])).code, 10, 'nobody confirms it');
    },
  );

  await step('23 webhook listen hands an event on, its signature verified', async () => {
    const taken = Promise.withResolvers<{ headers: Headers; body: string }>();
    const receiver = createServer((request, response) => {
      void text(request).then((body) => {
        response.writeHead(202).end();
        taken.resolve({ headers: new Headers(request.headers as Record<string, string>), body });
      });
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    after(() => receiver.close());
    const to = `http://127.0.0.1:${portOf(receiver.address())}/`;
    const listening = begin(['webhook', 'listen', '--forward-to', to]);
    await until('it listens', () => /Listening/.test(listening.err()));
    await done(['wallet', 'create', 'told']);
    await verifyWebhook(await taken.promise, webhookKeys(dev.baseUrl));
    await until('it is shown', () => /signature verified .*202/.test(listening.out()));
    listening.child.kill('SIGINT');
    assert.equal(await listening.ended, 130);
  });

  await step('25 a user with an e-mail address logs in by the code in the inbox', async () => {
    const words = ['login', '--email', 'carol@example.com', '--url', dev.baseUrl];
    const login = begin([...words, '--profile', 'carol']);
    let code: string | undefined;
    await until('the code is there', async () => {
      const { out } = await run(['inbox', '--json']);
      const { messages } = JSON.parse(out);
      const mail = messages.find(({ to }: { to: string }) => to === 'carol@example.com');
      code = /^([0-9A-Z]{6,9})$/m.exec(mail?.text ?? '')?.[1];
      return code !== undefined;
    });
    login.child.stdin.end(`${code}\n`);
    assert.equal(await login.ended, 0, login.err());
    assert.match((await done(['whoami'])).out, /carol/);
    await done(['profile', 'use', 'mine']);
  });

  await step('26 a wallet leaves in a file and comes back under another name', async () => {
    await done(['export', 'wallet', 'shop', '--to', 'shop.json', '--yes']);
    assert.equal(statSync(join(stranger, 'shop.json')).mode & 0o777, 0o600);
    const again = await run(['export', 'wallet', 'shop', '--to', 'shop.json', '--yes']);
    assert.equal(again.code, 7, 'a file is never written over');
    await done(['import', 'wallet', 'copy', '--from', 'shop.json']);
    const addressesOf = async (name: string) =>
      (await json('wallet', 'account', 'list', name)).accounts.map(
        ({ address }: { address: string }) => address,
      );
    assert.deepEqual(await addressesOf('copy'), await addressesOf('shop'));
  });

  await step(
    '29 any operation can be called, and its help has a sentence for each member',
    async () => {
      const { users } = await json('api', 'list_users');
      assert(users.length >= 5);
      const { out } = await done(['api', 'create_user_tag', '--help']);
      assert.match(out, /--user-tag-name/);
      assert.match(out, /Name of the .*tag/i);
    },
  );

  await step(
    '32 doctor is green; against a wrong address, mode or key that line is red',
    async () => {
      const green = await done(['doctor', '--credentials', '.keywright/root-credentials.json']);
      assert.doesNotMatch(green.out, /failed|wrong/i);
      const nowhere = await run([
        'doctor',
        '--credentials',
        'dave.json',
        '--url',
        'http://127.0.0.1:1',
      ]);
      assert.equal(nowhere.code, 8, nowhere.out);
      writeFileSync(join(stranger, 'open.json'), readFileSync(join(stranger, 'dave.json')), {
        mode: 0o644,
      });
      const open = await run(['doctor', '--credentials', 'open.json']);
      assert.equal(open.code, 2, open.out);
      assert.match(`${open.out}${open.err}`, /chmod 600/);
      assert(existsSync(join(stranger, 'dave.json')));
    },
  );

  await step('35 an unmodified public client signs with the wallet', async () => {
    const { apiPublicKey, apiPrivateKey } = root;
    const client = new Turnkey({
      apiBaseUrl: dev.baseUrl,
      apiPublicKey,
      apiPrivateKey,
      defaultOrganizationId: root.organizationId,
    }).apiClient();
    const { wallets } = await client.getWallets();
    const shop = wallets.find(({ walletName }) => walletName === 'shop');
    const { accounts } = await client.getWalletAccounts({ walletId: shop?.walletId ?? '' });
    const { r } = await client.signRawPayload({
      signWith: accounts[0]?.address ?? '',
      payload: hashMessage('hello'),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    });
    assert.equal(`0x${r}`, signature.slice(0, 66));
  });

  await dev.stop();
});
