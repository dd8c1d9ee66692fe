import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../e2e/service.ts';
import { stampOf, testKey } from '../support/harness.ts';
import { type OneProcess, startOneProcess, steps } from './commit_steps.ts';
import { type Activity, newEntry } from './ledger.ts';
import { accountAt, apiKeyOf, newSubOrganization } from './load.ts';

const key = testKey('root');

for (const step of steps) {
  test(`ended ${step}, a change is whole or not there, and is made once`, async (context) => {
    const file = join(temporaryDirectory(), 'keywright.sqlite');
    let process = await startOneProcess(file, step);
    context.after(() => process.end());
    for (const [make, thingsMade] of made) {
      const before = await stateOf(process);
      const { operation, body, stamp } = make(process.root, before.addresses[0] ?? '');
      const text = Buffer.from(body).toString();
      const request = { kind: 'submit', operation, body: text, stamp, isLast: false } as const;
      const acknowledged = await process.send({ ...request, isLast: true });
      await process.end();

      process = await startOneProcess(file, step);
      const found = await stateOf(process);
      const isThere = found.activities.length > before.activities.length;
      if (!isThere) assert.deepEqual(found, before, 'nothing of it is there');
      assert.ok(isThere || acknowledged === undefined, 'what was acknowledged is there');
      if (step === 'before the commit') assert.ok(!isThere);
      if (step === 'when the commit is durable') assert.ok(isThere && acknowledged === undefined);
      const again = await process.send(request);
      assert.equal(again?.status, 200);
      if (acknowledged !== undefined) assert.deepEqual(again, acknowledged);
      const after = await stateOf(process);
      if (isThere) assert.deepEqual(after, found, 'it is not made again');
      assert.equal(after.activities.length, before.activities.length + 1);
      assert.equal(after.things.length, before.things.length + thingsMade);
    }
  });
}

type Root = OneProcess['root'];

const memberOf = (root: Root) => ({ ...root, key });

const newWallet = (root: Root) =>
  newEntry(
    'create_wallet',
    'ACTIVITY_TYPE_CREATE_WALLET',
    { walletName: 'Wallet', accounts: [accountAt(0), accountAt(1)] },
    memberOf(root),
  );
const newKeys = (root: Root) =>
  newEntry(
    'create_api_keys',
    'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
    { userId: root.userId, apiKeys: [apiKeyOf('another key')] },
    memberOf(root),
  );
const newChild = (root: Root) => newSubOrganization('Child', ['User'], memberOf(root));
const newSignature = (root: Root, signWith: string) =>
  newEntry(
    'sign_raw_payload',
    'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    {
      signWith,
      payload: '00'.repeat(32),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    },
    memberOf(root),
  );

/** The created things in this order, each with the number of its rows besides the activity. */
const made = [
  [newWallet, 1],
  [newSignature, 0],
  [newKeys, 1],
  [newChild, 1],
] as const;

/** Returns everything that the requests of this file can change. */
async function stateOf(
  process: OneProcess,
): Promise<Record<'activities' | 'things' | 'addresses', Activity[]>> {
  const { organizationId } = process.root;
  const ask = async (operation: string, list: string, of = organizationId): Promise<Activity[]> => {
    const text = JSON.stringify({ organizationId: of });
    const stamp = stampOf(Buffer.from(text), key).value;
    const answer = await process.send({
      kind: 'query',
      operation,
      body: text,
      stamp,
      isLast: false,
    });
    assert.equal(answer?.status, 200, JSON.stringify(answer));
    return answer.body[list];
  };
  const children = await ask('list_suborgs', 'organizationIds');
  const accounts = await ask('list_wallet_accounts', 'accounts');
  assert.equal(accounts.length, 2 * (await ask('list_wallets', 'wallets')).length);
  for (const child of children) {
    assert.equal((await ask('list_wallet_accounts', 'accounts', child)).length, 2);
    assert.equal((await ask('list_users', 'users', child)).length, 1);
  }
  const wallets = await ask('list_wallets', 'wallets');
  const apiKeys = await ask('get_api_keys', 'apiKeys');
  return {
    activities: await ask('list_activities', 'activities'),
    things: [...children, ...wallets, ...apiKeys],
    addresses: accounts.map(({ address }) => address),
  };
}
