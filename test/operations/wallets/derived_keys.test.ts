// The enclave caches derived signing keys for the next signature. After a deletion, the deleting node wipes
// the keys at once, and other nodes with the next request of the organization.

import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { askOver, stampOf, startTestService, type TestService } from '../../support/harness.ts';
import { addChild } from '../other_callers.ts';
import { startSecondNode } from '../second_node.ts';
import { ethereumAccount, makeWallet } from './wallet_requests.ts';

test('the keys of a deleted wallet are wiped at once, those of other wallets stay', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const keysOf = watchKeys(t);
  const first = await makeWallet(service, [ethereumAccount()]);
  const second = await makeWallet(service, [ethereumAccount()]);
  await sign(service, first.addresses[0]);
  await sign(service, second.addresses[0]);
  assert(keysOf(first.walletId).some(isThere));
  await submit(service, 'delete_wallets', 'ACTIVITY_TYPE_DELETE_WALLETS', {
    walletIds: [first.walletId],
    deleteWithoutExport: true,
  });
  assert(!keysOf(first.walletId).some(isThere));
  assert(keysOf(second.walletId).some(isThere));
});

test('the keys of deleted accounts are wiped at once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const keysOf = watchKeys(t);
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount()]);
  await sign(service, addresses[0]);
  assert(keysOf(walletId).some(isThere));
  const { accounts } = (await service.query('list_wallet_accounts', { walletId })).body;
  await submit(service, 'delete_wallet_accounts', 'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS', {
    walletAccountIds: [accounts[0].walletAccountId],
    deleteWithoutExport: true,
  });
  assert(!keysOf(walletId).some(isThere));
});

test('the keys of a deleted organization are wiped at once', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const keysOf = watchKeys(t);
  const child = await addChild(service);
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount()], child);
  await sign(service, addresses[0], child);
  assert(keysOf(walletId).some(isThere));
  await submit(
    service,
    'delete_sub_organization',
    'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION',
    { deleteWithoutExport: true },
    child,
  );
  assert(!keysOf(walletId).some(isThere));
});

test('another node wipes the keys with the next request of the organization', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount()]);
  const second = askOver(await startSecondNode(service), service.store.port);
  const keysOf = watchKeys(t);
  const ask = (kind: 'submit' | 'query', operation: string, content: object) => {
    const body = new TextEncoder().encode(
      JSON.stringify({ organizationId: service.root.organizationId, ...content }),
    );
    const headers = [stampOf(body, service.root.key)];
    const from = { remoteAddress: '127.0.0.1', timestampObjects: false, requestId: 'other node' };
    return second({ ...from, kind, operation, headers, body });
  };
  await ask('submit', 'sign_raw_payload', {
    type: signing.type,
    timestampMs: String(service.now()),
    parameters: { signWith: addresses[0], ...signing.parameters },
  });
  assert(keysOf(walletId).some(isThere));
  await submit(service, 'delete_wallets', 'ACTIVITY_TYPE_DELETE_WALLETS', {
    walletIds: [walletId],
    deleteWithoutExport: true,
  });
  assert(keysOf(walletId).some(isThere));
  await ask('query', 'whoami', {});
  assert(!keysOf(walletId).some(isThere));
});

const signing = {
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  parameters: {
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  },
};

type As = Parameters<TestService['submit']>[3];

async function sign(service: TestService, signWith: string | undefined, as?: As): Promise<void> {
  const parameters = { signWith, ...signing.parameters };
  await submit(service, 'sign_raw_payload', signing.type, parameters, as);
}

async function submit(
  service: TestService,
  operation: string,
  type: string,
  parameters: object,
  as?: As,
): Promise<void> {
  const { status, body } = await service.submit(operation, type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
}

/** Observes all arrays that are cached under a name with the id of a wallet. */
function watchKeys(t: TestContext): (walletId: string) => Uint8Array[] {
  const seen = new Map<string, Uint8Array[]>();
  const { set, get } = Map.prototype;
  const watching = mock.method(
    Map.prototype,
    'set',
    function (this: Map<unknown, unknown>, ...input: [unknown, unknown]) {
      const [name, entry] = input;
      const key = (entry as { readonly value?: unknown } | undefined)?.value;
      if (typeof name === 'string' && name.includes('/CURVE_') && key instanceof Uint8Array) {
        const [, walletId = ''] = name.split('/');
        const known = Reflect.apply(get, seen, [walletId]) as Uint8Array[] | undefined;
        Reflect.apply(set, seen, [walletId, [...(known ?? []), key]]);
      }
      return Reflect.apply(set, this, input);
    },
  );
  t.after(() => watching.mock.restore());
  return (walletId) => seen.get(walletId) ?? [];
}

const isThere = (key: Uint8Array) => key.some((byte) => byte !== 0);
