// Compares the state of the service with the ledger: nothing is lost, doubled or incomplete. Every entry
// must have been acknowledged before.

import assert from 'node:assert/strict';
import { type Activity, ask, type Entry, type Member } from './ledger.ts';

type Source = { readonly baseUrl: string; readonly root: Member };

/** The rows that an organization must hold, replayed from the ledger. */
type Expected = {
  readonly wallets: Map<string, { name: string; readonly addresses: string[] }>;
  readonly apiKeys: Map<string, string>;
  /** Names by id. */
  readonly privateKeys: Map<string, string>;
  readonly activityIds: string[];
};

/** Checks everything in an organization that `by` can read; `creation` lists the initial rows. */
export async function auditOrganization(
  { baseUrl }: Source,
  by: Pick<Member, 'organizationId' | 'key'>,
  ledger: readonly Entry[],
  creation: Entry | undefined,
): Promise<void> {
  const { organizationId } = by;
  const entries = ledger.filter((entry) => entry.organizationId === organizationId);
  const expected = replay(entries, creation);

  const { wallets } = await ask(baseUrl, 'list_wallets', {}, by);
  const accounts = await everyPage(baseUrl, 'list_wallet_accounts', 'accounts', by);
  assert.equal(new Set(wallets.map((wallet: Activity) => wallet.walletName)).size, wallets.length);
  assert.deepEqual(
    sorted(wallets.map(({ walletId, walletName: name }: Activity) => [walletId, name])),
    sorted([...expected.wallets].map(([walletId, { name }]) => [walletId, name])),
  );
  assert.deepEqual(
    sorted(accounts.map(({ walletId, address }: Activity) => [walletId, address])),
    sorted(
      [...expected.wallets].flatMap(([walletId, { addresses }]) =>
        addresses.map((address) => [walletId, address]),
      ),
    ),
  );
  const { privateKeys } = await ask(baseUrl, 'list_private_keys', {}, by);
  assert.deepEqual(
    sorted(privateKeys.map((key: Activity) => [key.privateKeyId, key.privateKeyName])),
    sorted([...expected.privateKeys]),
  );
  const activities = await everyPage(baseUrl, 'list_activities', 'activities', by);
  assert.deepEqual(
    sorted(activities.map(({ id }: Activity) => id)),
    sorted(expected.activityIds),
    'each body is one activity',
  );
  const byId = new Map(activities.map((activity: Activity) => [activity.id, activity.result]));
  for (const { acknowledged } of entries) {
    assert.deepEqual(byId.get(acknowledged.id), acknowledged.result);
  }
  if (creation === undefined) return;
  const { apiKeys } = await ask(baseUrl, 'get_api_keys', {}, by);
  assert.deepEqual(
    sorted(apiKeys.map(({ credential }: Activity) => credential.publicKey)),
    sorted([...expected.apiKeys.values()]),
  );
}

/** Checks that an endpoint has one event of each activity since its creation, without a gap. */
export async function auditEvents(
  { baseUrl }: Source,
  by: Pick<Member, 'organizationId' | 'key'>,
  ledger: readonly Entry[],
  endpoint: Entry,
): Promise<void> {
  const { endpointId } = endpoint.acknowledged.result.createWebhookEndpointResult;
  const told: Activity[] = [];
  for (;;) {
    const afterSequence = String(told.length);
    const asked = { endpointId, afterSequence, limit: '100' };
    const page = await ask(baseUrl, 'list_webhook_deliveries', asked, by);
    told.push(...page.deliveries);
    if (page.deliveries.length === 100) continue;
    assert.equal(page.lastSequence, String(told.length));
    break;
  }
  assert.deepEqual(
    told.map(({ sequence }) => sequence),
    told.map((_, i) => String(i + 1)),
  );
  const made = ledger.filter((entry) => entry.organizationId === by.organizationId);
  assert.deepEqual(
    sorted(told.map(({ activityId }) => activityId)),
    sorted(made.map(({ acknowledged }) => acknowledged.id)),
    'each activity is one event',
  );
}

/** Checks that the first organization contains exactly the entries since the ledger had this length. */
export async function auditRootSince(
  { baseUrl, root }: Source,
  ledger: readonly Entry[],
  length: number,
): Promise<void> {
  const ofRoot = (entries: readonly Entry[]): Entry[] =>
    entries.filter(({ organizationId }) => organizationId === root.organizationId);
  const made = ofRoot(ledger.slice(length));
  const old = ofRoot(ledger.slice(0, length));

  const oldActivities = new Set(old.map(({ acknowledged }) => acknowledged.id));
  const activities = await pagesUntil(baseUrl, 'list_activities', 'activities', root, ({ id }) =>
    oldActivities.has(id),
  );
  assert.deepEqual(
    sorted(activities.map(({ id }: Activity) => id)),
    sorted(made.map(({ acknowledged }) => acknowledged.id)),
    'each body is one activity',
  );
  // Unlike activities, sub-organizations are listed oldest first.
  const last = old.filter(isCreation).map(subOrganizationIdOf).sort().at(-1);
  const children = await everyPage(baseUrl, 'list_suborgs', 'organizationIds', root, last);
  assert.deepEqual(sorted(children), sorted(made.filter(isCreation).map(subOrganizationIdOf)));
}

/** Checks the contents of sub-organizations since their creation. */
export async function auditInside(
  source: Source,
  creations: readonly Entry[],
  ledger: readonly Entry[],
): Promise<void> {
  for (const creation of creations) {
    const by = { organizationId: subOrganizationIdOf(creation), key: source.root.key };
    const { users } = await ask(source.baseUrl, 'list_users', {}, by);
    assert.deepEqual(
      sorted(users.map(({ userName }: Activity) => userName)),
      sorted(creation.parameters.rootUsers.map(({ userName }: Activity) => userName)),
    );
    await auditOrganization(source, by, ledger, creation);
  }
}

/** Checks that each activity is found by its id as it was acknowledged. */
export async function auditActivities(
  { baseUrl }: Source,
  entries: readonly { readonly entry: Entry; readonly by: Member }[],
): Promise<void> {
  for (const { entry, by } of entries) {
    const { acknowledged } = entry;
    const { activity } = await ask(baseUrl, 'get_activity', { activityId: acknowledged.id }, by);
    assert.deepEqual(activity, acknowledged);
  }
}

export function isCreation({ operation }: Entry): boolean {
  return operation === 'create_sub_organization';
}

export function subOrganizationIdOf({ acknowledged }: Entry): string {
  return acknowledged.result.createSubOrganizationResultV8.subOrganizationId;
}

function replay(entries: readonly Entry[], creation: Entry | undefined): Expected {
  const expected: Expected = {
    wallets: new Map(),
    apiKeys: new Map(),
    privateKeys: new Map(),
    activityIds: [],
  };
  if (creation !== undefined) {
    const { wallet, rootUsers } = creation.parameters;
    const { walletId, addresses } =
      creation.acknowledged.result.createSubOrganizationResultV8.wallet;
    assert.equal(addresses.length, wallet.accounts.length);
    expected.wallets.set(walletId, { name: wallet.walletName, addresses: [...addresses] });
    for (const { apiKeys } of rootUsers) {
      for (const { publicKey } of apiKeys) expected.apiKeys.set(publicKey, publicKey);
    }
  }
  for (const entry of entries) {
    expected.activityIds.push(entry.acknowledged.id);
    effects.get(entry.operation)?.(entry.parameters, entry.acknowledged.result, expected);
  }
  return expected;
}

type Effect = (parameters: Activity, result: Activity, expected: Expected) => void;

/** The rows that each operation creates. */
const effects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  [
    'create_wallet',
    ({ walletName: name, accounts }, { createWalletResult }, { wallets }) => {
      const { walletId, addresses } = createWalletResult;
      assert.equal(addresses.length, accounts.length);
      wallets.set(walletId, { name, addresses: [...addresses] });
    },
  ],
  [
    'create_wallet_accounts',
    ({ walletId }, { createWalletAccountsResult }, { wallets }) => {
      wallets.get(walletId)?.addresses.push(...createWalletAccountsResult.addresses);
    },
  ],
  [
    'update_wallet',
    ({ walletId, walletName }, _, { wallets }) => {
      const wallet = wallets.get(walletId);
      assert(wallet !== undefined);
      wallet.name = walletName;
    },
  ],
  [
    'delete_wallets',
    ({ walletIds }, _, { wallets }) => {
      for (const id of walletIds) assert.ok(wallets.delete(id));
    },
  ],
  [
    'create_private_keys',
    ({ privateKeys: described }, { createPrivateKeysResultV2 }, { privateKeys }) => {
      for (const [i, { privateKeyId }] of createPrivateKeysResultV2.privateKeys.entries()) {
        privateKeys.set(privateKeyId, described[i].privateKeyName);
      }
    },
  ],
  [
    'delete_private_keys',
    ({ privateKeyIds }, _, { privateKeys }) => {
      for (const id of privateKeyIds) assert.ok(privateKeys.delete(id));
    },
  ],
  [
    'create_api_keys',
    ({ apiKeys: described }, { createApiKeysResult }, { apiKeys }) => {
      for (const [i, id] of createApiKeysResult.apiKeyIds.entries()) {
        apiKeys.set(id, described[i].publicKey);
      }
    },
  ],
  [
    'delete_api_keys',
    ({ apiKeyIds }, _, { apiKeys }) => {
      for (const id of apiKeyIds) assert.ok(apiKeys.delete(id));
    },
  ],
]);

async function everyPage(
  baseUrl: string,
  operation: string,
  list: string,
  by: Pick<Member, 'organizationId' | 'key'>,
  after?: string,
): Promise<Activity[]> {
  return pagesUntil(baseUrl, operation, list, by, () => false, after);
}

/** Reads pages until the first known item. */
async function pagesUntil(
  baseUrl: string,
  operation: string,
  list: string,
  by: Pick<Member, 'organizationId' | 'key'>,
  isKnown: (item: Activity) => boolean,
  after?: string,
): Promise<Activity[]> {
  const found: Activity[] = [];
  for (let last = after; ; ) {
    const paginationOptions = { limit: '100', ...(last === undefined ? {} : { after: last }) };
    const page = (await ask(baseUrl, operation, { paginationOptions }, by))[list];
    const known = page.findIndex(isKnown);
    found.push(...(known < 0 ? page : page.slice(0, known)));
    if (known >= 0 || page.length < 100) return found;
    const end = page.at(-1);
    last = end.id ?? end.walletAccountId ?? end;
  }
}

function sorted(items: readonly unknown[]): string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}
