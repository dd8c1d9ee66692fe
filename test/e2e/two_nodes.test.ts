// Two nodes serve the same organizations from one PostgreSQL database.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { verifyAppProofSignature } from '@turnkey/crypto';
import {
  canStartPostgres,
  newDatabase,
  runOn,
  startPostgresServer,
} from '../store/postgres_server.ts';
import {
  accountParameters,
  createAddress,
  createWallet,
  httpClient,
  timestampMs,
  walletBody,
} from './clients.ts';
import { type RunningService, startInVain, startService, until } from './service.ts';
import {
  type Answer,
  type Customer,
  newCustomer,
  nodeDirectory,
  post,
  type StampedRequest,
  signatureOf,
  stampSignature,
  startNodes,
  wroteCredentials,
} from './two_nodes.ts';

if (canStartPostgres) {
  const server = await startPostgresServer();
  after(() => server.remove());
  const databaseUrl = await newDatabase(server.url);
  const nodes = await startNodes(databaseUrl);
  const [first, second] = nodes;
  after(() => Promise.all(nodes.map((node) => node.stop())));
  const { organizationId } = first.credentials;

  test('two concurrent first starts create one organization, and one of them its credentials', async () => {
    for (const round of [0, 1, 2]) {
      const pair = round === 0 ? nodes : await startNodes(await newDatabase(server.url));
      assert.deepEqual(pair.map(wroteCredentials).toSorted(), [false, true]);
      const answers = await Promise.all(
        pair.map((node) =>
          httpClient(node).getWhoami({ organizationId: node.credentials.organizationId }),
        ),
      );
      assert.deepEqual(answers[0], answers[1]);
      if (round > 0) await Promise.all(pair.map((node) => node.stop()));
    }
  });

  test('a resource created on one node exists on the other at once', async () => {
    for (const [here, there] of [
      [first, second],
      [second, first],
    ] as const) {
      const { walletId, addresses } = await createWallet(here, `Made at ${here.baseUrl}`, [
        accountParameters.ethereum,
      ]);
      const { wallets } = await httpClient(there).getWallets({ organizationId });
      assert.ok(wallets.some((wallet) => wallet.walletId === walletId));
      const [address = ''] = addresses;
      const signature = signatureOf({ organizationId, address });
      const { activity } = await httpClient(there).signRawPayload(signature);
      assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
      const seen = await httpClient(here).getActivity({ organizationId, activityId: activity.id });
      assert.deepEqual(seen.activity, activity);

      const customer = await newCustomer(here);
      const signed = await post(await stampSignature(there, customer), there);
      assert.equal(signed.status, 200, signed.text);
    }
  });

  test('each node shows proofs of the other, with the boot statement of that node', async () => {
    const body = walletBody(first, 'Proved', [accountParameters.ethereum]);
    const { activity } = await httpClient(first).createWallet({ ...body, generateAppProofs: true });
    const [proof] = activity.appProofs ?? [];
    assert.ok(proof !== undefined);
    verifyAppProofSignature(proof);
    for (const node of nodes) {
      const client = httpClient(node);
      const { appProofs } = await client.getAppProofs({ organizationId, activityId: activity.id });
      assert.deepEqual(appProofs, activity.appProofs);
      const ephemeralKey: string = proof.publicKey;
      const { bootProof } = await client.getBootProof({ organizationId, ephemeralKey });
      assert.equal(bootProof.ephemeralPublicKeyHex, ephemeralKey);
      const latest = await client.getLatestBootProof({ organizationId, appName: 'keywright' });
      const isOwn = latest.bootProof.ephemeralPublicKeyHex === ephemeralKey;
      assert.equal(isOwn, node === first);
    }
  });

  test('one body on both nodes concurrently is one activity', async () => {
    const address = await createAddress(first, 'Signed at once', accountParameters.ethereum);
    for (let round = 0; round < 10; round += 1) {
      const client = httpClient(first);
      const wallet = walletBody(first, `At once ${round}`, [accountParameters.ethereum]);
      for (const request of [
        await client.stampCreateWallet(wallet),
        await client.stampSignRawPayload(signatureOf({ organizationId, address })),
      ]) {
        const [one, other] = await Promise.all(nodes.map((node) => post(request, node)));
        assert.equal(one?.status, 200, String(one?.text));
        assert.deepEqual(one, other);
      }
    }
    const { wallets } = await httpClient(second).getWallets({ organizationId });
    const names = wallets
      .map((each) => each.walletName)
      .filter((name) => name.startsWith('At once'));
    assert.equal(names.length, 10);
    assert.equal(new Set(names).size, 10);
  });

  describe('a revocation on one node against signatures on both', () => {
    type Race = {
      /** Makes the signer depend on the credential to revoke. Returns the IDs of the activities. */
      readonly prepare?: (node: RunningService, customer: Customer) => Promise<readonly string[]>;
      /** Returns the ID of the activity. */
      readonly revoke: (node: RunningService, customer: Customer) => Promise<string>;
      /** HTTP status and code of later refusals. */
      readonly refusal: readonly [number, string];
    };
    const races: Readonly<Record<string, Race>> = {
      delete_api_keys: {
        revoke: async (node, { organizationId: of, owner, signer, signerId }) => {
          const client = httpClient(node, owner);
          const { apiKeys } = await client.getApiKeys({ organizationId: of, userId: signerId });
          const key = apiKeys.find(
            ({ credential }) => credential.publicKey === signer.apiPublicKey,
          );
          const { activity } = await client.deleteApiKeys({
            type: 'ACTIVITY_TYPE_DELETE_API_KEYS',
            timestampMs: timestampMs(),
            organizationId: of,
            parameters: { userId: signerId, apiKeyIds: [key?.apiKeyId ?? ''] },
          });
          return activity.id;
        },
        refusal: [401, 'PUBLIC_KEY_NOT_FOUND'],
      },
      update_root_quorum: {
        revoke: async (node, { organizationId: of, owner, ownerId }) => {
          const { activity } = await httpClient(node, owner).updateRootQuorum({
            type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
            timestampMs: timestampMs(),
            organizationId: of,
            parameters: { threshold: 1, userIds: [ownerId] },
          });
          return activity.id;
        },
        refusal: [403, 'REQUEST_NOT_AUTHORIZED'],
      },
      delete_wallet_accounts: {
        revoke: async (node, { organizationId: of, owner }) => {
          const client = httpClient(node, owner);
          const { wallets } = await client.getWallets({ organizationId: of });
          const { accounts } = await client.getWalletAccounts({
            organizationId: of,
            walletId: wallets[0]?.walletId ?? '',
          });
          const { activity } = await client.deleteWalletAccounts({
            type: 'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS',
            timestampMs: timestampMs(),
            organizationId: of,
            parameters: {
              walletAccountIds: accounts.map((account) => account.walletAccountId),
              deleteWithoutExport: true,
            },
          });
          return activity.id;
        },
        refusal: [404, 'REQUEST_INVALID'],
      },
      delete_policy: {
        prepare: signerByPolicy,
        revoke: async (node, { organizationId: of, owner }) => {
          const client = httpClient(node, owner);
          const { policies } = await client.getPolicies({ organizationId: of });
          const { activity } = await client.deletePolicy({
            type: 'ACTIVITY_TYPE_DELETE_POLICY',
            timestampMs: timestampMs(),
            organizationId: of,
            parameters: { policyId: policies[0]?.policyId ?? '' },
          });
          return activity.id;
        },
        refusal: [403, 'REQUEST_NOT_AUTHORIZED'],
      },
      'create_policy that denies': {
        prepare: signerByPolicy,
        revoke: async (node, { organizationId: of, owner }) => {
          const { activity } = await httpClient(node, owner).createPolicy({
            type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
            timestampMs: timestampMs(),
            organizationId: of,
            parameters: { policyName: 'No more', effect: 'EFFECT_DENY', notes: '' },
          });
          return activity.id;
        },
        refusal: [403, 'REQUEST_NOT_AUTHORIZED'],
      },
    };
    for (const [name, { prepare, revoke, refusal }] of Object.entries(races)) {
      test(name, async () => {
        for (const [here, there] of [
          [first, second],
          [second, first],
        ] as const) {
          const customer = await newCustomer(here);
          const prepared = (await prepare?.(here, customer)) ?? [];
          const signed: string[] = [];
          const refused: Answer[] = [];
          const enough = Promise.withResolvers<void>();
          const signUntilRefused = async (node: RunningService): Promise<void> => {
            for (let n = 0; n < 10_000; n += 1) {
              const answer = await post(await stampSignature(node, customer), node);
              if (answer.status !== 200) {
                refused.push(answer);
                return;
              }
              signed.push(JSON.parse(answer.text).activity.id);
              if (signed.length === 40) enough.resolve();
            }
          };
          const signing = [there, there, there, there, here, here].map(signUntilRefused);
          await Promise.race([enough.promise, Promise.all(signing)]);
          const revocation = await revoke(here, customer);
          // Earlier signatures are already in the database, even if their answers are not sent yet.
          const [{ count: inTime } = { count: 0 }] = await signatures(customer);
          await Promise.all(signing);

          for (const answer of refused) assert.deepEqual(refusalOf(answer), refusal, answer.text);
          assert.equal(refused.length, signing.length);
          const late = await post(await stampSignature(there, customer), there);
          assert.deepEqual(refusalOf(late), refusal);
          const [after] = await signatures(customer, revocation);
          assert.deepEqual(after, { count: inTime, late: 0 });
          assert.equal(inTime, signed.length);
          const history = await historyOf(there, customer);
          assert.deepEqual(history, await historyOf(here, customer));
          assert.deepEqual(new Set(history), new Set([...prepared, ...signed, revocation]));
        }
      });
    }

    /** Returns the signatures of an organization, and those committed after an activity. */
    const signatures = async (customer: Customer, than?: string) => {
      const own = `organization_id = '${customer.organizationId}'`;
      const committed = 'pg_xact_commit_timestamp(xmin)';
      const rows = await runOn(
        databaseUrl,
        `SELECT count(*)::int AS count, count(*) FILTER (WHERE ${committed} >
           (SELECT ${committed} FROM activities WHERE ${own} AND id = '${than ?? ''}'))::int AS late
         FROM activities WHERE ${own} AND type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
           AND status = 'ACTIVITY_STATUS_COMPLETED'`,
      );
      return rows.map(({ count, late }) => ({ count, late }));
    };
  });

  test('during a restart of PostgreSQL under load, requests get 503, and nothing is lost', async () => {
    // Each node changes its own organization, because changes of one organization conflict.
    const customers = [await newCustomer(first), await newCustomer(second)];
    const requests: StampedRequest[] = [];
    for (let n = 0; n < 60; n += 1) {
      const customer = customers[n % 2];
      assert(customer !== undefined);
      const wallet = walletBody(first, `Under load ${n}`, [accountParameters.ethereum]);
      requests.push(
        await httpClient(first, customer.owner).stampCreateWallet({
          ...wallet,
          organizationId: customer.organizationId,
        }),
      );
    }
    const acknowledged = new Map<StampedRequest, string>();
    const refused: Answer[] = [];
    const send = async (request: StampedRequest, n: number): Promise<void> => {
      const node = n % 2 === 0 ? first : second;
      for (;;) {
        const answer = await post(request, node);
        if (answer.status === 200) {
          acknowledged.set(request, answer.text);
          return;
        }
        refused.push(answer);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const early = requests.slice(0, 20).map(send);
    await Promise.race(early);
    await server.stop('crash');
    const sent = [...early, ...requests.slice(20).map(send)];
    for (const node of nodes) {
      await until('the node is not ready', async () => {
        const response = await fetch(`${node.baseUrl}/health/ready`);
        return response.status === 503 && /database is not available/.test(await response.text());
      });
      const response = await fetch(new URL('/public/v1/submit/create_wallet', node.baseUrl), {
        method: 'POST',
        headers: headersOf(requests[59]),
        body: requests[59]?.body ?? '',
      });
      assert.equal(response.status, 503);
      assert.equal(response.headers.get('retry-after'), '1');
      assert.equal(response.headers.get('content-type'), 'application/json');
      const { code, message } = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([code, message], [14, 'the store is not available; try again']);
    }
    await server.start();
    await Promise.all(sent);
    for (const node of nodes) {
      await until(
        'the node is ready',
        async () => (await fetch(`${node.baseUrl}/health/ready`)).ok,
      );
    }
    assert.ok(refused.length > 0);
    for (const { status, text } of refused) assert.equal(status, 503, text);
    for (const [i, request] of requests.entries()) {
      const again = await post(request, i % 2 === 0 ? second : first);
      assert.deepEqual(again, { status: 200, text: acknowledged.get(request) });
    }
    for (const customer of customers) {
      const client = httpClient(second, customer.owner);
      const { wallets } = await client.getWallets({ organizationId: customer.organizationId });
      const names = wallets.map((each) => each.walletName);
      assert.equal(names.filter((name) => name.startsWith('Under load')).length, 30);
    }
  });

  test('a node with another root key or without one is refused', async () => {
    const environment = { KEYWRIGHT_DATABASE_URL: databaseUrl };
    const other = nodeDirectory(randomBytes(32));
    const wrong = await startInVain({ dataDirectory: other, environment });
    assert.match(wrong.stderr, /root\.key is not the one that the database was made with/);
    const rootKeyFile = join(other, 'nowhere.key');
    const none = await startInVain({
      dataDirectory: other,
      environment: { ...environment, KEYWRIGHT_ROOT_KEY_FILE: rootKeyFile },
    });
    assert.match(none.stderr, /made with a root key that is not at/);
    assert.deepEqual([wrong.code, none.code], [1, 1]);
  });

  test('a copy of the database and the root key is a complete service', async () => {
    const rootKey = randomBytes(32);
    const original = await newDatabase(server.url);
    const pair = await startNodes(original, rootKey);
    const address = await createAddress(pair[0], 'Kept', accountParameters.ethereum);
    const { credentials } = pair[1];
    const signature = signatureOf({ organizationId: credentials.organizationId, address });
    const before = await httpClient(pair[1]).signRawPayload(signature);
    await Promise.all(pair.map((node) => node.stop()));

    const [from, to] = [new URL(original), new URL(original)];
    to.pathname = `${from.pathname}_restored`;
    const names = [to, from].map(({ pathname }) => pathname.slice(1));
    await runOn(server.url, `CREATE DATABASE ${names.join(' TEMPLATE ')}`);
    const dataDirectory = nodeDirectory(rootKey);
    copyFileSync(join(pair[0].dataDirectory, 'root.key'), join(dataDirectory, 'root.key'));
    const node = await startService({
      dataDirectory,
      environment: { KEYWRIGHT_DATABASE_URL: to.href },
    });
    const restored = { ...node, credentials: { ...credentials, baseUrl: node.baseUrl } };
    assert.deepEqual(await httpClient(restored).signRawPayload(signature), before);
    await restored.stop();
  });

  test('the password of the database is in no log, no answer and no error', async () => {
    for (const { output } of nodes) {
      const { stdout, stderr } = output();
      assert.ok(!stdout.includes(server.password));
      assert.ok(!stderr.includes(server.password));
    }
    const url = new URL(databaseUrl);
    url.password = `not-${server.password}`;
    const dataDirectory = nodeDirectory(randomBytes(32));
    for (const [address, expected] of [
      [url.href, 1],
      [url.href.replace('postgres:', 'mysql:'), 2],
    ] as const) {
      const { stdout, stderr, code } = await startInVain({
        dataDirectory,
        environment: { KEYWRIGHT_DATABASE_URL: address },
      });
      assert.equal(code, expected);
      assert.match(stderr, /refuses the user or the password|expected `postgres:/);
      assert.ok(!`${stdout}${stderr}`.includes(server.password));
    }
  });
}

/** Makes the owner the root quorum, and creates a policy that allows the signer to sign. */
async function signerByPolicy(
  node: RunningService,
  { organizationId, owner, ownerId, signerId }: Customer,
): Promise<readonly string[]> {
  const client = httpClient(node, owner);
  const quorum = await client.updateRootQuorum({
    type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
    timestampMs: timestampMs(),
    organizationId,
    parameters: { threshold: 1, userIds: [ownerId] },
  });
  const policy = await client.createPolicy({
    type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
    timestampMs: timestampMs(),
    organizationId,
    parameters: {
      policyName: 'The signer signs',
      effect: 'EFFECT_ALLOW',
      condition: "activity.action == 'SIGN'",
      consensus: `approvers.any(user, user.id == '${signerId}')`,
      notes: '',
    },
  });
  return [quorum.activity.id, policy.activity.id];
}

function refusalOf({ status, text }: Answer): readonly [number, unknown] {
  return [status, JSON.parse(text).turnkeyErrorCode];
}

function headersOf(request: StampedRequest | undefined): Record<string, string> {
  assert(request !== undefined);
  return { [request.stamp.stampHeaderName]: request.stamp.stampHeaderValue };
}

/** Returns the IDs of an organization's signatures and revocations in the list of a node. */
async function historyOf(node: RunningService, customer: Customer): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after = ''; ; ) {
    const { activities } = await httpClient(node, customer.owner).getActivities({
      organizationId: customer.organizationId,
      paginationOptions: { limit: '100', ...(after === '' ? {} : { after }) },
    });
    const last = activities.at(-1);
    if (last === undefined) return ids;
    after = last.id;
    const completed = activities.filter(({ status }) => status === 'ACTIVITY_STATUS_COMPLETED');
    ids.push(
      ...completed.filter(({ type }) => type !== 'ACTIVITY_TYPE_CREATE_WALLET').map(({ id }) => id),
    );
  }
}
