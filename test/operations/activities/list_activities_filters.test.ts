import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Sender, stampOf, type TestService, testKey } from '../../support/harness.ts';
import { approve, by, makeWallet as nameWallet, shownAs, startVoters } from '../../votes/voting.ts';
import { activityBody, assertRefused, assertViolation } from '../checks.ts';
import { firstToken, switchOn } from '../one_time_codes/otp_requests.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makePrivateKeys } from '../private_keys/private_key_requests.ts';
import { describedUser, makeUser } from '../users/user_requests.ts';
import {
  accountsOf,
  ethereumAccount,
  makeWallet,
  solanaAccount,
} from '../wallets/wallet_requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
type Listed = any;

async function ask(service: TestService, body: object, as: Sender = {}): Promise<Listed> {
  const answer = await service.query('list_activities', body, as);
  assert.equal(answer.status, 200, answer.body.message);
  return answer.body;
}

const limit = { paginationOptions: { limit: '100' } };
const idsOf = async (service: TestService, filter: object, as: Sender = {}): Promise<string[]> =>
  (await ask(service, { ...limit, ...filter }, as)).activities.map(({ id }: Listed) => id);

const signType = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';

async function sign(
  service: TestService,
  signWith: string,
  as: Sender = {},
  payload = 'text',
): Promise<string> {
  const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8';
  const isOfSolana = !signWith.startsWith('0x') && !signWith.includes('-');
  const hashFunction = `HASH_FUNCTION_${isOfSolana ? 'NOT_APPLICABLE' : 'SHA256'}`;
  const parameters = { signWith, payload, encoding, hashFunction };
  const { status, body } = await service.submit('sign_raw_payload', signType, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.id;
}

test('the filter by user finds the requests and votes of the user', async (t) => {
  const voters = await startVoters();
  const { service, ids } = voters;
  t.after(() => service.close());
  await voters.bothTags();
  const first = shownAs('CONSENSUS_NEEDED', await nameWallet(service, 'One', by('Trader')));
  const second = shownAs('CONSENSUS_NEEDED', await nameWallet(service, 'Two', by('Trader')));
  shownAs('COMPLETED', await approve(service, first, by('Officer')));
  const of = (filterByUser: string, more = {}) => idsOf(service, { filterByUser, ...more });
  assert.deepEqual(await of(ids.trader), [second.id, first.id]);
  assert.deepEqual(await of(ids.officer.toUpperCase()), [first.id]);
  assert.deepEqual(await of(ids.plain), []);
  const waiting = { filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] };
  assert.deepEqual(await of(ids.trader, waiting), [second.id]);
});

test('a filter finds activities in several pages if they are too large for one answer', async (t) => {
  const { service } = await startVoters();
  t.after(() => service.close());
  const wallet = await makeWallet(service, [ethereumAccount()]);
  const [address = ''] = wallet.addresses;
  const sizes = [1_500_000, 10, 3_800_000, 20_000, 300_000, 1_500_000, 10];
  const ids: string[] = [];
  for (const size of sizes) ids.unshift(await sign(service, address, {}, 'x'.repeat(size)));
  const filter = { filterByUser: service.root.userId, filterByType: [signType] };
  const found: string[] = [];
  const pages: number[] = [];
  for (let after: string | undefined; ; ) {
    const paginationOptions = { limit: '100', ...(after === undefined ? {} : { after }) };
    const { activities, truncated, nextCursor } = await ask(service, {
      ...filter,
      paginationOptions,
    });
    found.push(...activities.map(({ id }: Listed) => id));
    pages.push(activities.length);
    if (truncated !== true) break;
    after = nextCursor;
  }
  assert.deepEqual(found, ids);
  assert.deepEqual(pages, [4, 2, 1]);
});

test('the filter by resource finds an id or an address in parameters or results', async (t) => {
  const { service } = await startVoters();
  t.after(() => service.close());
  const wallet = await makeWallet(service, [ethereumAccount(), solanaAccount()]);
  const [ethereum = '', solana = ''] = wallet.addresses;
  const [created] = await idsOf(service, {});
  await makeWallet(service, [ethereumAccount()]);
  const [{ privateKeyId, addresses } = { privateKeyId: '', addresses: [] }] =
    await makePrivateKeys(service);
  const [keyCreated] = await idsOf(service, {});
  const withEthereum = await sign(service, ethereum.toLowerCase());
  const withSolana = await sign(service, solana);
  const withKey = await sign(service, addresses[0]?.address ?? '');
  const byId = await sign(service, privateKeyId);
  const of = (filterByResource: string) => idsOf(service, { filterByResource });
  assert.deepEqual(await of(wallet.walletId), [withSolana, withEthereum, created]);
  assert.deepEqual(await of(ethereum), [withEthereum, created]);
  assert.deepEqual(await of(ethereum.toLowerCase()), [withEthereum, created]);
  assert.deepEqual(await of(solana), [withSolana, created]);
  assert.deepEqual(await of(solana.toLowerCase()), [], 'base58 tells letters apart');
  assert.deepEqual(await of(privateKeyId.toUpperCase()), [byId, withKey, keyCreated]);
  const [account] = await accountsOf(service, wallet.walletId);
  assert.deepEqual(await of(account.walletAccountId), [withEthereum, created]);
  assert.deepEqual(await of('nothing'), []);
});

test('the filter by time takes a start and an end', async (t) => {
  const { service } = await startVoters();
  t.after(() => service.close());
  const made: { id: string; at: number }[] = [];
  for (let i = 0; i < 6; i += 1) {
    service.advance(1_000);
    const { body } = await nameWallet(service, `Wallet ${i}`);
    made.unshift({ id: body.activity.id, at: service.now() });
  }
  const start = (made.at(-1)?.at ?? 0) - 500;
  const property = fc.asyncProperty(
    fc.nat(7_000),
    fc.nat(7_000),
    fc.integer({ min: 1, max: 4 }),
    async (since, until, size) => {
      const sinceMs = start + since;
      const untilMs = String(start + until);
      const wanted = made.filter(({ at }) => at >= sinceMs && at < start + until);
      const expected = wanted.map(({ id }) => id);
      const filterByTime = { sinceMs, untilMs };
      const found: string[] = [];
      for (;;) {
        const after = found.at(-1);
        const paginationOptions = { limit: size, ...(after === undefined ? {} : { after }) };
        const page = await idsOf(service, { filterByTime, paginationOptions });
        if (page.length === 0) break;
        found.push(...page);
      }
      assert.deepEqual(found, expected);
      const before = { limit: 100, before: made.at(-1)?.id ?? '' };
      const newer = await idsOf(service, { filterByTime, paginationOptions: before });
      assert.deepEqual(
        newer,
        expected.filter((id) => id !== made.at(-1)?.id),
      );
    },
  );
  await fc.assert(property, { numRuns: 25 });
});

test('a filter does not find activities that the caller may not see', async (t) => {
  const { service } = await startVoters();
  t.after(() => service.close());
  await makeUser(service, 'Alice', describedUser('Alice', { userEmail: 'alice@example.com' }));
  await switchOn(service, service.root.organizationId, ['FEATURE_NAME_OTP_EMAIL_AUTH']);
  await firstToken(service, { publicKey: testKey('client').publicKey });
  const { activities } = await ask(service, limit);
  const { intent } = activities[0];
  const { otpCode, otpId } = intent.verifyOtpIntent;
  assert.match(otpCode, /^[0-9A-Z]{6,9}$/);
  const [verified] = await idsOf(service, { filterByResource: otpCode });
  assert.equal(verified, activities[0].id);
  assert.deepEqual(await idsOf(service, { filterByResource: otpCode }, by('Plain')), []);
  assert.equal((await idsOf(service, { filterByResource: otpId }, by('Plain'))).length, 2);
});

test('a page reads a thousand activities, and the next request continues after them', async (t) => {
  const { service, ids } = await startVoters();
  t.after(() => service.close());
  await makePolicy(service, 'Plain', { consensus: 'approvers.count() >= 1' });
  const { addresses } = await makeWallet(service, [ethereumAccount()]);
  const oldest = shownAs('COMPLETED', await nameWallet(service, 'Of Plain', by('Plain'))).id;
  for (let i = 0; i < 1_030; i += 1) await sign(service, addresses[0] ?? '');
  const newest = shownAs('COMPLETED', await nameWallet(service, 'Of Plain too', by('Plain'))).id;
  const of = (paginationOptions: object) =>
    ask(service, { filterByUser: ids.plain, paginationOptions });
  const forward: string[] = [];
  const cut: boolean[] = [];
  for (let cursor = {}; ; ) {
    const { activities, truncated, nextCursor } = await of({ limit: 10, ...cursor });
    forward.push(...activities.map(({ id }: Listed) => id));
    cut.push(truncated === true);
    if (truncated !== true) break;
    cursor = { after: nextCursor };
  }
  assert.deepEqual(
    [forward, cut],
    [
      [newest, oldest],
      [true, false],
    ],
  );
  const [first] = await idsOf(service, {});
  assert.equal(first, newest);
  const backward = await of({ limit: 10, before: oldest });
  assert.deepEqual([backward.activities, backward.truncated], [[], true]);
  const { activities } = await of({ limit: 10, before: backward.nextCursor });
  assert.deepEqual(
    activities.map(({ id }: Listed) => id),
    [newest],
  );
  const one = await of({ limit: 1 });
  assert.deepEqual([one.activities.length, one.truncated], [1, undefined]);
});

test('filters of a wrong form are refused', async (t) => {
  const { service } = await startVoters();
  t.after(() => service.close());
  const cases: [string, object][] = [
    ['filterByUser', { filterByUser: 'Plain' }],
    ['filterByResource', { filterByResource: '' }],
    ['filterByResource', { filterByResource: 'x'.repeat(257) }],
    ['filterByTime.sinceMs', { filterByTime: { sinceMs: '-1' } }],
    ['filterByTime.untilMs', { filterByTime: { untilMs: '253402300800000' } }],
    ['filterByTime.at', { filterByTime: { at: 1 } }],
  ];
  for (const [field, filter] of cases) {
    assertViolation(await service.query('list_activities', filter), field);
  }
});

test('a refusal names the activity that records it, also after a repetition', async (t) => {
  const voters = await startVoters();
  const { service } = voters;
  t.after(() => service.close());
  await voters.bothTags();
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const { organizationId } = service.root;
  const body = activityBody(service, type, { walletName: 'W', accounts: [] }, organizationId);
  const stamp = stampOf(body, testKey('Plain'));
  const refused = await service.send('submit', 'create_wallet', body, [stamp]);
  assertRefused(refused, 403, 7);
  assert.deepEqual(await service.send('submit', 'create_wallet', body, [stamp]), refused);
  const { activityId } = refused.body.details[1];
  const { activities } = await ask(service, { filterByStatus: ['ACTIVITY_STATUS_FAILED'] });
  assert.deepEqual([activities.length, activities[0].id], [1, activityId]);
  const waiting = shownAs('CONSENSUS_NEEDED', await nameWallet(service, 'W', by('Trader')));
  const vote = await approve(service, waiting, by('Plain'));
  assertRefused(vote, 403, 7);
  assert.equal(vote.body.details[1].activityId, waiting.id);
});
