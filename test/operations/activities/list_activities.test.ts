import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { noTurns } from '../../../src/enclave/turns/fair_turns.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { by, rename, startVoters } from '../../votes/voting.ts';
import { assertViolation, checkQuery } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';

type Listed = { id: string; type: string; status: string; canApprove: boolean };
type Page = { activities: Listed[]; truncated?: boolean };

const renameType = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
const walletType = 'ACTIVITY_TYPE_CREATE_WALLET';
const signType = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';

let service: TestService;
/** All activities, newest first. */
let all: Listed[];
before(async () => {
  service = await startTestService();
  const payload = signing(await makeAccount(service), 'text');
  for (let i = 0; i < 8; i += 1) {
    const organizationName = `Name ${i}`;
    await service.submit('update_organization_name', renameType, { organizationName });
    await service.submit('sign_raw_payload', signType, payload);
    if (i % 3 === 0) {
      const wallet = { walletName: `Wallet ${i}`, accounts: [] };
      await service.submit('create_wallet', walletType, wallet);
    }
  }
  all = await list({ paginationOptions: { limit: '100' } });
});
after(() => service.close());

/** Creates a wallet with one account; returns its address. */
async function makeAccount(of: TestService): Promise<string> {
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: 'm/0',
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  };
  const wallet = { walletName: 'Wallet', accounts: [account] };
  const { body } = await of.submit('create_wallet', walletType, wallet);
  return body.activity.result.createWalletResult.addresses[0];
}

const signing = (signWith: string, payload: string) => ({
  signWith,
  payload,
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_SHA256',
});

async function list(body: object, as = {}): Promise<Listed[]> {
  const answer = await service.query('list_activities', body, as);
  assert.equal(answer.status, 200, answer.body.message);
  return answer.body.activities;
}

const ids = (activities: readonly Listed[]) => activities.map(({ id }) => id);

test('all activities are listed newest first, each as its submit answer showed it', async () => {
  assert.equal(all.length, 20);
  assert.deepEqual(ids(all), ids(all).toSorted().reverse());
  const { body } = await service.query('get_activity', { activityId: all[3]?.id });
  assert.deepEqual(all[3], body.activity);
});

test('filters match several types, several statuses, both, or no activity', async () => {
  const limit = { paginationOptions: { limit: 100 } };
  const ofTypes = (...types: string[]) => all.filter(({ type }) => types.includes(type));
  const completed = 'ACTIVITY_STATUS_COMPLETED';
  const rejected = 'ACTIVITY_STATUS_REJECTED';
  const cases: [object, Listed[]][] = [
    [{}, all],
    [{ filterByType: [], filterByStatus: [] }, all],
    [{ filterByType: [renameType] }, ofTypes(renameType)],
    [{ filterByType: [walletType, renameType] }, ofTypes(renameType, walletType)],
    [{ filterByType: [renameType, renameType] }, ofTypes(renameType)],
    [{ filterByStatus: [completed] }, all],
    [{ filterByStatus: [completed, rejected] }, all],
    [{ filterByStatus: [rejected] }, []],
    [{ filterByStatus: [completed], filterByType: [signType] }, ofTypes(signType)],
    [{ filterByStatus: [rejected], filterByType: [signType] }, []],
    [{ filterByType: ['ACTIVITY_TYPE_CREATE_POLICY_V3'] }, []],
    // Public clients know this type; this service does not serve it.
    [{ filterByType: ['ACTIVITY_TYPE_EXECUTE_SWAP_V3', walletType] }, ofTypes(walletType)],
  ];
  for (const [filter, expected] of cases) {
    assert.deepEqual(
      ids(await list({ ...filter, ...limit })),
      ids(expected),
      JSON.stringify(filter),
    );
  }
});

test('pages of any size give the whole list without gap or overlap, in both directions', async () => {
  const types = fc.subarray([renameType, walletType, signType]);
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 21 }),
    types,
    async (limit, wanted) => {
      const expected = all.filter(({ type }) => wanted.length === 0 || wanted.includes(type));
      const page = (cursor: object) =>
        list({ filterByType: wanted, paginationOptions: { limit: String(limit), ...cursor } });

      const forward: Listed[] = [];
      for (let rows = await page({}); rows.length > 0; ) {
        assert.ok(rows.length <= limit);
        forward.push(...rows);
        rows = await page({ after: rows.at(-1)?.id });
      }
      assert.deepEqual(ids(forward), ids(expected));

      const backward: Listed[] = [];
      const last = expected.at(-1);
      for (let rows = last === undefined ? [] : [last]; rows.length > 0; ) {
        backward.unshift(...rows);
        rows = await page({ before: rows[0]?.id });
      }
      assert.deepEqual(ids(backward), ids(expected));
    },
  );
  await fc.assert(property, { numRuns: 25 });
});

test('both cursors bound the page, and the default page has ten activities', async () => {
  const options = (paginationOptions: object) => list({ paginationOptions });
  const between = await options({ after: all[2]?.id, before: all[6]?.id, limit: 100 });
  assert.deepEqual(ids(between), ids(all.slice(3, 6)));
  assert.deepEqual(ids(await list({})), ids(all.slice(0, 10)));
  assert.deepEqual(ids(await options({ after: all[2]?.id.toUpperCase(), limit: 1 })), [all[3]?.id]);
});

test('other requests run before each waiting activity of a list', async () => {
  const turns: string[] = [];
  const voters = await startVoters({
    turns: { ...noTurns, pause: async () => void turns.push('other') },
  });
  await voters.formQuorum();
  for (const name of ['One', 'Two', 'Three']) await rename(voters.service, name);
  turns.length = 0;
  const limit = { paginationOptions: { limit: '100' } };
  const { body } = await voters.service.query('list_activities', limit);
  const waiting = body.activities.filter(
    ({ status }: Listed) => status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  );
  assert.equal(waiting.length, 3);
  assert.ok(body.activities.length > 3);
  assert(turns.length >= 3);
  await voters.service.close();
});

test('a page ends early if its activities are expensive to show, and the next page goes on there', async () => {
  const voters = await startVoters();
  const { service } = voters;
  const address = await makeAccount(service);
  await voters.formQuorum();
  const waiting: string[] = [];
  for (let i = 0; i < 12; i += 1) {
    const payload = `${i} `.padEnd(600_000, 'x');
    const { body } = await service.submit('sign_raw_payload', signType, signing(address, payload));
    assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
    waiting.unshift(body.activity.id);
  }
  const page = async (cursor: object): Promise<Page> => {
    const filterByStatus = ['ACTIVITY_STATUS_CONSENSUS_NEEDED'];
    const paginationOptions = { limit: '100', ...cursor };
    const listing = { filterByStatus, paginationOptions };
    return (await service.query('list_activities', listing, by('Second'))).body;
  };
  const sizes: number[] = [];
  const forward: Listed[] = [];
  for (let cursor = {}; ; cursor = { after: forward.at(-1)?.id }) {
    const { activities, truncated } = await page(cursor);
    sizes.push(activities.length);
    forward.push(...activities);
    if (truncated !== true) break;
  }
  assert.deepEqual(ids(forward), waiting);
  // 2 steps per byte, and 5,000,000 bytes.
  assert.deepEqual(sizes, [5, 5, 2]);
  assert(forward.every(({ canApprove }) => canApprove));

  const last = waiting.at(-1);
  const backward: string[] = [last ?? ''];
  for (;;) {
    const { activities, truncated } = await page({ before: backward[0] });
    backward.unshift(...ids(activities));
    if (truncated !== true) break;
    assert.equal(activities.length, 5);
  }
  assert.deepEqual(backward, waiting);
  await service.close();
});

test('facts of a waiting activity are not evaluated again for the next reader', async () => {
  const voters = await startVoters();
  const { service } = voters;
  const address = await makeAccount(service);
  const values = "eth.eip_712.message['values']";
  for (let i = 0; i < 3; i += 1) {
    await makePolicy(service, `Heavy ${i}`, {
      condition: `${values}.all(x, ${values}.contains(x)) && activity.action == 'SIGN'`,
      consensus: 'approvers.count() >= 2',
    });
  }
  for (let i = 0; i < 12; i += 1) {
    const message = { values: Array.from({ length: 480 }, (_, value) => value) };
    const payload = JSON.stringify({
      types: { Message: [{ name: 'values', type: 'uint256[]' }] },
      domain: { name: `Data ${i}` },
      primaryType: 'Message',
      message,
    });
    const typed = { ...signing(address, payload), encoding: 'PAYLOAD_ENCODING_EIP712' };
    const parameters = { ...typed, hashFunction: 'HASH_FUNCTION_NO_OP' };
    const answer = await service.submit('sign_raw_payload', signType, parameters, by('Trader'));
    assert.equal(answer.body.activity?.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  }
  const lengths: number[] = [];
  for (const reader of ['Officer', 'Plain', 'Officer']) {
    const paginationOptions = { limit: '12' };
    const { body } = await service.query('list_activities', { paginationOptions }, by(reader));
    lengths.push(body.activities.length);
  }
  assert.deepEqual(lengths, [12, 12, 12]);
  await service.close();
});

const knownOf = (activities: readonly Listed[], place: number) => {
  const { id: activityId = '', status = '' } = activities[place] ?? {};
  return { activityId, status };
};
const known = (activities: readonly Listed[]) => activities.map((_, i) => knownOf(activities, i));

test('activities that the caller knows are left out and free their places', async () => {
  const listed = (limit: number, parts: object) =>
    list({ known: known(all.slice(0, 5)), paginationOptions: { limit, ...parts } });
  assert.deepEqual(ids(await listed(3, {})), ids(all.slice(5, 8)));
  assert.deepEqual(ids(await listed(2, { before: all[8]?.id })), ids(all.slice(6, 8)));
  assert.deepEqual(ids(await listed(2, { before: all[5]?.id })), []);
  const unknownId = '00000000-0000-7000-8000-000000000000';
  const waits = 'ACTIVITY_STATUS_CONSENSUS_NEEDED';
  const stranger = [{ activityId: unknownId, status: waits }];
  const newest = { paginationOptions: { before: all[0]?.id } };
  assert.deepEqual(await list({ known: stranger, ...newest }), []);
});

test('an activity that the caller knows as waiting is listed again once its status changes', async () => {
  const voters = await startVoters();
  const { service: own } = voters;
  await voters.formQuorum();
  const waiting: Listed[] = [];
  for (const name of ['One', 'Two']) waiting.push((await rename(own, name)).body.activity);
  const filterByStatus = ['ACTIVITY_STATUS_CONSENSUS_NEEDED'];
  const greatest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const changes = async (before: string | undefined) => {
    const asked = { filterByStatus, known: known(waiting), paginationOptions: { before } };
    const { status, body } = await own.query('list_activities', asked);
    assert.equal(status, 200, body.message);
    return body.activities.map(({ id, status: now }: Listed) => ({ id, status: now }));
  };
  for (const before of [waiting[1]?.id, greatest]) assert.deepEqual(await changes(before), []);
  const [{ fingerprint } = { fingerprint: '' }] = waiting as (Listed & { fingerprint: string })[];
  const vote = await own.submit(
    'approve_activity',
    'ACTIVITY_TYPE_APPROVE_ACTIVITY',
    { fingerprint },
    by('Second'),
  );
  assert.equal(vote.status, 200, vote.body.message);
  const completed = [{ id: waiting[0]?.id, status: 'ACTIVITY_STATUS_COMPLETED' }];
  for (const before of [waiting[1]?.id, greatest])
    assert.deepEqual(await changes(before), completed);
  await own.close();
});

test('the activities of a child are its own, and its parent reads them', async () => {
  const child = await addChild(service);
  assert.deepEqual(await list({}, child), []);
  await service.submit('update_organization_name', renameType, { organizationName: 'x' }, child);
  const own = await list({}, child);
  assert.equal(own.length, 1);
  assert.deepEqual(await list({}, { organizationId: child.organizationId }), own);
});

test('every reader gets the list, and malformed bodies are refused', async () => {
  const body = { filterByStatus: ['ACTIVITY_STATUS_COMPLETED'], filterByType: [renameType] };
  const listed = await checkQuery(service, {
    operation: 'list_activities',
    body,
    optional: ['filterByStatus', 'filterByType'],
    malformed: [
      { field: 'filterByStatus.0', parameters: { filterByStatus: ['COMPLETED'] } },
      { field: 'filterByType', parameters: { filterByType: Array(101).fill(renameType) } },
      ...['ACTIVITY_TYPE_CREATE_WALET', 'CREATE_WALLET', 'ACTIVITY_TYPE_CREATE_WALLET_V2'].map(
        (unknown) => ({
          field: 'filterByType.1',
          parameters: { filterByType: [renameType, unknown] },
        }),
      ),
      { field: 'paginationOptions', parameters: { paginationOptions: 10 } },
      ...['0', '101', '-1', 'ten', '1.5', 101].map((limit) => ({
        field: 'paginationOptions.limit',
        parameters: { paginationOptions: { limit } },
      })),
      { field: 'paginationOptions.after', parameters: { paginationOptions: { after: '1' } } },
      { field: 'paginationOptions.page', parameters: { paginationOptions: { page: 1 } } },
      {
        field: 'known.0.activityId',
        parameters: { known: [{ ...knownOf(all, 0), activityId: '1' }] },
      },
      { field: 'known.0.status', parameters: { known: [{ ...knownOf(all, 0), status: 'DONE' }] } },
      { field: 'known', parameters: { known: Array(101).fill(knownOf(all, 0)) } },
    ],
  });
  assert.equal(listed.activities.length, 8);
  const unknown = await service.query('list_activities', { filterByStatus: ['DONE'] });
  assertViolation(unknown, 'filterByStatus.0');
  assert.match(unknown.body.message, /expected one of ACTIVITY_STATUS_CREATED, .*got `DONE`/);
});

test('an activity stored between two pages does not move the later pages', async () => {
  const first = await list({ paginationOptions: { limit: 5 } });
  await changeOrganization(service, () => undefined);
  const next = await list({ paginationOptions: { limit: 5, after: first.at(-1)?.id } });
  const before = (await list({ paginationOptions: { limit: 11 } })).slice(1);
  assert.deepEqual([...ids(first), ...ids(next)], ids(before));
});
