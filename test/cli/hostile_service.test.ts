// A hostile service, or a colleague with a hostile name, that tries to control the terminal and to alter
// commands that users paste.

import assert from 'node:assert/strict';
import { createECDH, createSign } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { boundedFetch } from '../../src/cli/service/bounded_fetch.ts';
import { newKey } from '../../src/cli/service/new_key.ts';
import { deliveriesAfter } from '../../src/cli/webhooks/deliveries.ts';
import { apiKey, connect } from '../../src/client/index.ts';
import { fingerprintOf } from '../../src/client/requests.ts';
import { folderOfTests, runIn } from './terminal.ts';

type Answer = {
  readonly status?: number;
  readonly body: object | ((sent: string) => Promise<object>);
};

const organizationId = '01a205ac-48e3-74b0-9a8f-4777ece305a4';
const id = '01a205ac-48e3-74b0-9a8f-4777ece305a5';
const hostile = '\u001b[2J\u009b2J\u202e\r\n';
const shown = '\\u{1b}[2J\\u{9b}2J\\u{202e}\\u{d}\\u{a}';

let answers: Readonly<Record<string, Answer>> = {};
let redirectsTo: string | undefined;
const server = createServer((request, response) => {
  if (redirectsTo !== undefined) {
    response.writeHead(307, { location: redirectsTo }).end();
    return;
  }
  void text(request).then(async (sent) => {
    const name = request.url?.split('/').at(-1) ?? '';
    const { status = 200, body } = answers[name] ?? { status: 404, body: {} };
    const answer = typeof body === 'function' ? await body(sent) : body;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());

const folder = folderOfTests();
const key = await newKey();
const keyFile = join(folder, 'key.json');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
writeFileSync(keyFile, JSON.stringify({ ...key, organizationId, baseUrl }), { mode: 0o600 });

async function run(words: readonly string[], given: Readonly<Record<string, Answer>>) {
  answers = given;
  const ran = await runIn(folder, [...words, '--credentials', keyFile]);
  for (const printed of [ran.out, ran.err]) {
    assert.doesNotMatch(printed.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u);
  }
  return ran;
}

test('an error about members of the request cannot write to the terminal', async () => {
  const details = [{ fieldViolations: [{ field: hostile, description: hostile }] }];
  const body = { message: hostile, turnkeyErrorCode: 'REQUEST_INVALID', details };
  const { code, err } = await run(['whoami'], { whoami: { status: 400, body } });
  assert.equal(code, 6);
  assert(err.includes(`  ${shown}: ${shown}\n`), err);
});

test('a clause of a decision cannot write to the terminal', async () => {
  const clauses = [{ clause: hostile, failure: { position: -1, message: hostile } }];
  const policy = { policyId: id, policyName: hostile, effect: hostile, outcome: hostile, clauses };
  const decision = { message: hostile, policies: [policy] };
  const votes = [{ createdAt: { seconds: '0' }, userName: hostile, selection: '', decision }];
  const body = { activityId: hostile, status: hostile, votes };
  const { code, out } = await run(['activity', 'explain', id], { explain_activity: { body } });
  assert.equal(code, 0);
  assert(out.includes(`    ${shown}: ${shown}\n`), out);
});

/** A failed policy in a decision. */
const failedPolicy = {
  policyId: id,
  policyName: 'payments',
  effect: 'EFFECT_ALLOW',
  outcome: 'OUTCOME_ERROR',
  clauses: [{ clause: 'condition', failure: { position: 2, message: 'there is no eth' } }],
};
const decided = { outcome: 'WAIT', reason: 'R', message: 'why', policies: [failedPolicy] };

/** Results that policies decided, by their exit codes, with the answers of the operation. */
const ends: Readonly<Record<number, Answer>> = {
  3: {
    body: async (sent) => {
      const fingerprint = await fingerprintOf(sent);
      const status = 'ACTIVITY_STATUS_CONSENSUS_NEEDED';
      return {
        activity: { id, fingerprint, status, type: JSON.parse(sent).type },
        decision: decided,
      };
    },
  },
  4: {
    status: 403,
    body: { message: 'no', turnkeyErrorCode: 'X', details: [{ ...decided, activityId: id }] },
  },
};

for (const [code, end] of Object.entries(ends)) {
  for (const [how, explanation] of Object.entries<Answer>({
    'is refused': { status: 403, body: { message: 'not for you' } },
    'is not known': { status: 404, body: {} },
    'is another document': { body: { votes: 'none', now: { voters: [null] } } },
    'names times and users that are none': {
      body: {
        votes: [{ counts: true, countsUntil: { seconds: hostile } }],
        now: { voters: [{ canApprove: true, userName: 1 }] },
      },
    },
  })) {
    test(`a command that ends with ${code} does so, with its decision, if the explanation ${how}`, async () => {
      const { code: ended, err } = await run(['wallet', 'create', 'shop'], {
        create_wallet: end,
        explain_activity: explanation,
      });
      assert.equal(ended, Number(code), err);
      assert.match(err, /^ {2}policy payments \(ALLOW\): ERROR\n {4}condition: there is no eth$/m);
      assert.match(err, new RegExp(`^next: .*keywright activity (approve|explain) ${id}`, 'm'));
    });
  }
}

test('a command waits at most five seconds for an explanation', async (t) => {
  // Node can mock this timer, but its types do not contain it yet.
  t.mock.timers.enable({ apis: ['AbortSignal.timeout' as 'setTimeout'] });
  const requested = Promise.withResolvers<void>();
  const running = run(['wallet', 'create', 'shop'], {
    create_wallet: ends[4] ?? assert.fail(),
    explain_activity: {
      body: () => {
        requested.resolve();
        return new Promise(() => {});
      },
    },
  });
  await requested.promise;
  t.mock.timers.tick(5_000);
  const { code, err } = await running;
  assert.equal(code, 4, err);
  assert.match(err, /condition: there is no eth/);
});

test('a decision of another form causes no internal error', async () => {
  for (const policies of [[1], [null], [{}], [{ policyId: 1, clauses: [null] }]]) {
    const body = { message: 'no', turnkeyErrorCode: 'X', details: [{ policies, activityId: id }] };
    const { code, err } = await run(['wallet', 'create', 'shop'], {
      create_wallet: { status: 403, body },
    });
    assert([4, 9].includes(code), err);
  }
});

test('parsed documents are unchanged, and cannot write to the terminal', async () => {
  const body = { username: `${hostile}\u{e0001}\u{f0000}\ud800 é 👍 \\u202e` };
  for (const words of [
    ['whoami', '--json'],
    ['api', 'whoami'],
    ['api', 'whoami', '--json'],
  ]) {
    const { out } = await run(words, { whoami: { body } });
    assert.equal(JSON.parse(out).username, body.username);
    assert.match(out, /é 👍/);
  }
});

test('an approver sees the name of the signer, and no text of the service overwrites it', async () => {
  const type = `ACTIVITY_TYPE_SIGN${hostile}`;
  const message = JSON.stringify({ type, organizationId, timestampMs: '0', parameters: {} });
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    ...jwkOf(key),
  };
  const signature = createSign('sha256').update(message).sign({ key: jwk, format: 'jwk' }, 'hex');
  const vote = {
    userId: id,
    user: { userName: hostile },
    selection: hostile,
    createdAt: { seconds: '0' },
    message,
    signature,
    publicKey: key.apiPublicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  };
  const fingerprint = await fingerprintOf(message);
  const first = { ...vote, userId: organizationId, user: { userName: 'trusted' }, message: '' };
  const activity = { id, type, fingerprint, status: hostile, votes: [first, vote] };
  const { code, out, err } = await run(['activity', 'show', id], {
    get_activity: { body: { activity } },
  });
  assert.equal(code, 0, err);
  assert(out.startsWith(`Sign${shown.toLowerCase()} requested by ${shown}`), out);
});

test('the next command contains nothing else that a shell would run', async () => {
  const bad = "$(touch owned)';touch owned";
  const status = 'ACTIVITY_STATUS_CONSENSUS_NEEDED';
  const body = async (sent: string) => {
    const { type } = JSON.parse(sent);
    return { activity: { id: bad, fingerprint: await fingerprintOf(sent), status, type } };
  };
  const { code, err } = await run(['wallet', 'create', 'shop'], { create_wallet: { body } });
  assert.equal(code, 3, err);
  const word = "'$(touch owned)'\\'';touch owned'";
  assert(err.includes(`keywright activity approve ${word} --fingerprint sha256:`), err);
});

test('the name of a wallet without accounts cannot write to the terminal', async () => {
  const wallet = { walletId: id, walletName: hostile };
  const { code, err } = await run(['wallet', 'account', 'list', id], {
    list_wallets: { body: { wallets: [wallet] } },
    list_wallet_accounts: { body: { accounts: [] } },
  });
  assert.equal(code, 0, err);
  const word = String.raw`$'\033[2J\302\2332J\342\200\256\015\012'`;
  assert(err.includes(`account add ${word} ethereum`), err);
});

test('only the key of a user who may exist is stored', async () => {
  for (const [status, isKept] of [
    [500, true],
    [400, false],
    [403, false],
  ] as const) {
    for (const words of [
      ['create', 'dave'],
      ['key', 'add', id],
    ]) {
      const file = join(folder, `${status}_${words[0]}.json`);
      const failed: Answer = { status, body: { message: 'failed' } };
      await run(['user', ...words, '--key-file', file], {
        whoami: { body: { userId: id } },
        list_users: { body: { users: [{ userId: id, userName: 'dave' }] } },
        create_users: failed,
        create_api_keys: failed,
      });
      assert.equal(existsSync(file), isKept, file);
    }
  }
});

test('a malformed lifetime creates no key', async () => {
  for (const words of [
    ['create', 'dave'],
    ['key', 'add', id],
  ]) {
    const file = join(folder, `lifetime_${words[0]}.json`);
    const typed = ['user', ...words, '--key-file', file, '--expires', 'soon'];
    const { code } = await run(typed, {
      list_users: { body: { users: [{ userId: id, userName: 'dave' }] } },
    });
    assert.equal(code, 2);
    assert(!existsSync(file), file);
  }
});

test('a reported completion after a vote against the activity is not trusted', async () => {
  const waiting = await waitingActivity();
  const done = {
    ...waiting,
    status: 'ACTIVITY_STATUS_COMPLETED',
    result: { createWalletResult: {} },
  };
  const { code, err } = await run(
    ['activity', 'reject', id, '--fingerprint', waiting.fingerprint],
    {
      get_activity: { body: { activity: waiting } },
      reject_activity: { body: { activity: done } },
    },
  );
  assert.equal(code, 9, err);
  assert.match(err, /is reported as done in the answer to a rejection/);
});

test('an address is searched in at most ten thousand accounts', async () => {
  let pages = 0;
  const account = { walletId: id, path: 'm', curve: 'CURVE_SECP256K1', addressFormat: '' };
  const { code, err } = await run(['sign', 'message', 'hello', '--with', 'T'.repeat(34)], {
    list_wallets: { body: { wallets: [] } },
    list_private_keys: { body: { privateKeys: [] } },
    list_wallet_accounts: {
      body: async () => {
        pages += 1;
        const accounts = Array.from({ length: 100 }, (_, row) => ({
          ...account,
          address: 't'.repeat(34),
          walletAccountId: `${pages}-${row}`,
        }));
        return { accounts };
      },
    },
  });
  assert.deepEqual([code, pages], [5, 100], err);
  assert.match(err, /None of the first 10000 accounts has the address T+\./);
});

test('a list with circular pages ends', async () => {
  let pages = 0;
  const { code, err } = await run(['secret', 'list'], {
    list_secrets: {
      body: async () => {
        pages += 1;
        const secrets = Array.from({ length: 100 }, (_, row) => ({
          secretId: `${pages % 2}${row}`,
        }));
        return { secrets };
      },
    },
  });
  assert.equal(code, 9, err);
  assert(pages <= 1_001, `${pages} pages were read`);
});

/** Starts a service whose answers never end. */
async function endlessService() {
  const endless = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const write = (): void => {
      while (response.write(' '.repeat(1_000_000)));
      response.once('drain', write);
    };
    write();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  after(() => endless.close());
  const { port } = endless.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, end: () => endless.closeAllConnections() };
}

test('an endless answer is read up to its bound', async () => {
  const { url, end } = await endlessService();
  const answer = await boundedFetch(url);
  await assert.rejects(answer.text(), /longer than 67108864 bytes/);
  end();
});

test('public documents are read up to 1 MiB: health, keys, and the inbox', async () => {
  const { url, end } = await endlessService();
  const delivery = join(folder, 'delivery.json');
  const headers = {
    'x-service-signature-key-id': 'a',
    'x-service-timestamp': '1',
    'x-service-event-id': 'b',
    'x-service-signature-algorithm': 'ed25519',
    'x-service-signature-version': 'v1',
  };
  writeFileSync(delivery, JSON.stringify({ headers, body: '{}' }));
  for (const words of [
    ['doctor', '--url', url, '--credentials', keyFile],
    ['inbox', '--from', url],
    ['verify', 'webhook', delivery, '--url', url, '--credentials', keyFile],
  ]) {
    const { code, err } = await runIn(folder, words);
    assert.equal(code, 8, err);
    assert.match(err, /longer than 1048576 bytes/);
  }
  end();
});

test('an inbox without messages in its answer causes no internal error', async () => {
  for (const body of [[], { messages: 1 }, { messages: [1, null, { text: { a: 1 } }] }]) {
    answers = { inbox: { body } };
    const { code, err } = await runIn(folder, ['inbox', '--from', `${baseUrl}/inbox`]);
    assert(code === 0 || code === 8, err);
  }
});

test('a malformed key set ends the verification without an internal error', async () => {
  answers = { jwks: { body: { keys: 'none' } } };
  const delivery = join(folder, 'delivery.json');
  const words = ['verify', 'webhook', delivery, '--url', baseUrl, '--credentials', keyFile];
  const { code, err } = await runIn(folder, words);
  assert.equal(code, 8, err);
  assert.match(err, /does not return the keys of its deliveries: the key set holds no keys/);
});

test('repeated deliveries do not count as new ones', async () => {
  const delivery = { sequence: '1', eventId: id, eventType: 'X', createdAt: { seconds: '0' } };
  answers = { list_webhook_deliveries: { body: { deliveries: [delivery, delivery] } } };
  const client = connect({ url: baseUrl, organizationId, stamp: await apiKey(key) });
  const taken: string[] = [];
  const taking = async () => {
    const { signal } = new AbortController();
    for await (const { sequence } of deliveriesAfter(client, id, '0', signal)) taken.push(sequence);
  };
  await assert.rejects(taking, /repeats deliveries/);
  assert.deepEqual(taken, ['1']);
});

test('a redirect ends the command', async () => {
  let requests = 0;
  const other = createServer((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  after(() => other.close());
  const to = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  redirectsTo = to;
  const { code } = await run(['whoami'], {});
  const login = await runIn(folder, ['login', '--url', baseUrl, '--email', 'a@example.com']);
  redirectsTo = undefined;
  assert.equal(code, 8);
  assert.equal(login.code, 8, login.err);
  assert.equal(requests, 0);
});

/** Returns a waiting activity as signed by its submitter. */
async function waitingActivity() {
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const message = JSON.stringify({ type, organizationId, timestampMs: '0', parameters: {} });
  const jwk = { kty: 'EC', crv: 'P-256', ...jwkOf(key) };
  const signature = createSign('sha256').update(message).sign({ key: jwk, format: 'jwk' }, 'hex');
  const vote = {
    userId: id,
    user: { userName: 'dave' },
    createdAt: { seconds: '0' },
    message,
    signature,
    publicKey: key.apiPublicKey,
    selection: 'VOTE_SELECTION_APPROVED',
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  };
  const fingerprint = await fingerprintOf(message);
  const status = 'ACTIVITY_STATUS_CONSENSUS_NEEDED';
  return { id, type, fingerprint, status, organizationId, votes: [vote] };
}

/** Returns a private key as a JSON Web Key (RFC 7518). */
function jwkOf({ apiPrivateKey }: { readonly apiPrivateKey: string }) {
  const agreement = createECDH('prime256v1');
  agreement.setPrivateKey(apiPrivateKey, 'hex');
  const point = agreement.getPublicKey();
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString('base64url'),
  );
  return { x, y, d: Buffer.from(apiPrivateKey, 'hex').toString('base64url') };
}
