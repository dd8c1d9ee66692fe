// Rules that a release must know, and copies of which only one signs, on both stores. Enclaves simulate an
// older release by a shorter table of rules.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Anchor } from '../../../src/core/custody/record.ts';
import { knownRules } from '../../../src/core/custody/rules.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { clock, newDatabase, newSchema, postgresForTests } from '../../store/postgres_server.ts';
import { startMs, testKey } from '../../support/harness.ts';
import { activityBody, queryBody, startServiceOver } from '../service_over.ts';

const key = testKey('root');
const newest = [...knownRules, 'withdrawal_delays'];
const founding = {
  organizationName: 'First',
  userName: 'Root',
  apiKeyName: 'Key',
  enablesAuthProxy: false,
  apiPublicKey: key.publicKey,
};

/** Starts a store, a clock for all enclaves on it, and enclaves that know certain rules. */
async function worldOn(store: Store) {
  let nowMs = startMs;
  const anchorOf = (kept: { anchor?: Anchor | undefined }) => ({
    read: async () => kept.anchor,
    raise: async (anchor: Anchor) => {
      kept.anchor = anchor;
      return true;
    },
  });
  let enclaves = 0;
  const start = async (rules: readonly string[], kept: { anchor?: Anchor | undefined } = {}) => {
    enclaves += 1;
    const node = await startServiceOver({
      store: store.port,
      seed: `enclave ${enclaves}`,
      clock: () => nowMs,
      rules,
      anchor: anchorOf(kept),
    });
    let organizationId = '';
    const submit = (operation: string, type: string, parameters: object) => {
      nowMs += 1;
      const body = activityBody(type, organizationId, parameters, nowMs);
      return node.send('submit', operation, body, key);
    };
    return {
      ...node,
      begin: async () => {
        ({ organizationId } = await node.enclave.bootstrap(founding));
      },
      submit,
      change: (tag: string) =>
        submit('create_user_tag', 'ACTIVITY_TYPE_CREATE_USER_TAG', {
          userTagName: tag,
          userIds: [],
        }),
      read: () => node.send('query', 'whoami', queryBody(organizationId), key),
    };
  };
  return {
    start,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}

const refusedWith = (code: string, sentence: RegExp) => (error: unknown) =>
  error instanceof ServiceError && error.code === code && sentence.test(error.message);

const server = await postgresForTests();
const database = server === undefined ? undefined : await newDatabase(server.url);
if (server !== undefined) after(() => server.remove());
const stores: Readonly<Record<string, (() => Promise<Store>) | undefined>> = {
  sqlite: async () => openSqliteStore({ file: ':memory:' }),
  postgres:
    database === undefined
      ? undefined
      : async () => openPostgresStore({ clock, url: await newSchema(database), log: () => {} }),
};

for (const [name, open] of Object.entries(stores)) {
  describe(`rules on ${name}`, { skip: open === undefined && 'no PostgreSQL' }, () => {
    async function withWorld(run: (world: Awaited<ReturnType<typeof worldOn>>) => Promise<void>) {
      const store = await open?.();
      assert(store !== undefined);
      try {
        await run(await worldOn(store));
      } finally {
        await store.close();
      }
    }

    test('an older enclave does not start on a database that a newer one has opened', () =>
      withWorld(async ({ start }) => {
        await (await start(newest)).begin();
        const older = await start(knownRules);
        await assert.rejects(
          older.begin(),
          refusedWith('rule_unknown', /rule `withdrawal_delays`.*start the newer release$/),
        );
        const { status, body } = await older.read();
        assert.equal(status, 503);
        assert.match(body.message, /withdrawal_delays/);
      }));

    test('a newer enclave adds its rule, and a running older one stops within a second', () =>
      withWorld(async ({ start, advance }) => {
        const older = await start(knownRules);
        await older.begin();
        assert.equal((await older.change('before')).status, 200);
        const newer = await start(newest);
        await newer.begin();
        assert.equal((await newer.change('by the newer')).status, 200);
        advance(1_000);
        for (const answer of [await older.change('after'), await older.read()]) {
          assert.equal(answer.status, 503);
          assert.match(answer.body.message, /`withdrawal_delays`/);
        }
        const copyStatus = await older.enclave.copyStatus(undefined);
        assert.equal(copyStatus.state, 'refused');
        assert.match(copyStatus.reason ?? '', /`withdrawal_delays`/);
        assert.equal((await newer.change('goes on')).status, 200);
      }));

    test('within this second the older one decides nothing on states of the newer one', () =>
      withWorld(async ({ start }) => {
        const older = await start(knownRules);
        await older.begin();
        await older.read();
        const newer = await start(newest);
        await newer.begin();
        // The older enclave checked the rules a moment ago, and has the organization in memory.
        assert.equal((await older.change('nothing new in it')).status, 200);
        assert.equal((await newer.change('under the new rule')).status, 200);
        const { status, body } = await older.change('on what it does not know');
        assert.equal(status, 503);
        assert.match(body.message, /`number \d+`/);
      }));

    test('upgrades and restarts of the same release keep all data usable', () =>
      withWorld(async ({ start }) => {
        await (await start(knownRules.slice(0, 3))).begin();
        for (const rules of [knownRules, knownRules, newest]) {
          const node = await start(rules);
          await node.begin();
          assert.equal((await node.change(`tag ${rules.length}${Math.random()}`)).status, 200);
        }
      }));

    test('a name with control characters is not printed', () =>
      withWorld(async ({ start }) => {
        await (await start([...knownRules, '\u001b[2Jclear'])).begin();
        const older = await start(knownRules);
        await assert.rejects(older.begin(), refusedWith('rule_unknown', /rule `unnamed`/));
      }));

    test('an anchor with a newer epoch stops the older copy', () =>
      withWorld(async ({ start, advance }) => {
        const kept: { anchor?: Anchor } = {};
        const node = await start(knownRules, kept);
        await node.begin();
        assert.equal(kept.anchor?.epoch, 1);
        assert.equal((await node.change('before')).status, 200);
        kept.anchor = { organizationId: kept.anchor.organizationId, epoch: 2 };
        advance(1_000);
        const { status, body } = await node.change('after');
        assert.equal(status, 503);
        assert.match(body.message, /another copy of this data was accepted/);
        assert.equal((await node.read()).status, 200, 'it may still be read');
        kept.anchor = { organizationId: 'another', epoch: 1 };
        const again = await start(knownRules, kept);
        await assert.rejects(again.begin(), refusedWith('anchor_mismatch', /another: set/));
      }));
  });
}

const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: 'm/0',
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
};

for (const [name, changes] of [
  ['changes', true],
  ['signs', false],
] as const) {
  test(`a request that ${name} and waits while another copy is accepted is not released`, async () => {
    const store = openSqliteStore({ file: ':memory:' });
    const { start, advance } = await worldOn(store);
    const kept: { anchor?: Anchor } = {};
    const node = await start(knownRules, kept);
    await node.begin();
    const wallet = { walletName: 'Signs', accounts: [account] };
    const made = await node.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', wallet);
    const [signWith] = made.body.activity.result.createWalletResult.addresses;
    const sign = () =>
      node.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
        signWith,
        payload: 'text',
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_SHA256',
      });
    const request = changes ? () => node.change('slow') : sign;
    let isSlow = true;
    const accept = (): void => {
      if (!isSlow) return;
      isSlow = false;
      assert(kept.anchor !== undefined);
      kept.anchor = { ...kept.anchor, epoch: 2 };
      advance(3_000);
    };
    // A change reads its organization, a prepared signature reads the account.
    const { organization, lookup } = store.port;
    store.port.organization = async (asked) => {
      const answer = await organization(asked);
      if (asked.organizationId !== 'custody') accept();
      return answer;
    };
    store.port.lookup = async (asked) => {
      const answer = await lookup(asked);
      accept();
      return answer;
    };
    const { status, body } = await request();
    assert.equal(isSlow, false);
    assert.equal(status, 503);
    assert.match(body.message, /another copy of this data was accepted/);
    await store.close();
  });
}

test('a missing, altered or restored custody record is refused', async () => {
  const store = openSqliteStore({ file: ':memory:' });
  const { start, advance } = await worldOn(store);
  await (await start(knownRules.slice(0, 3))).begin();
  const asked = { organizationId: 'custody', kinds: [], knownVersion: 0, fingerprint: undefined };
  const { organization: old } = await store.port.organization(asked);
  assert(old !== undefined);
  const node = await start(knownRules);
  await node.begin();
  const honest = store.port.organization;
  const lies = {
    gone: {
      version: undefined,
      guard: undefined,
      organization: undefined,
      records: [],
      activity: undefined,
    },
    'put back': { version: 1, guard: 1, organization: old, records: [], activity: undefined },
    altered: {
      version: 9,
      guard: 9,
      organization: { ...old, version: 9, guard: 9 },
      records: [],
      activity: undefined,
    },
  };
  for (const [name, lie] of Object.entries(lies)) {
    advance(1_000);
    store.port.organization = async (request) =>
      request.organizationId === 'custody' ? lie : honest(request);
    assert.notEqual((await node.change(name)).status, 200, name);
    store.port.organization = honest;
    advance(1_000);
    assert.equal((await node.change(`${name} no more`)).status, 200);
  }
  await store.close();
});
