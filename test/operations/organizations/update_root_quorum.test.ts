import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';

let service: TestService;
let secondId: string;
before(async () => {
  service = await startTestService();
  secondId = await addUser('Second');
});
after(() => service.close());

const operation = 'update_root_quorum';
const type = 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM';

/** Creates a user with a key of the same name. */
async function addUser(name: string, expirationSeconds?: number): Promise<string> {
  let userId = '';
  await changeOrganization(service, (draft, newId) => {
    userId = newId();
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    draft.put('user', { id: userId, name, tagIds: [], ...times });
    draft.put('api_key', {
      id: newId(),
      userId,
      name,
      publicKey: testKey(name).publicKey,
      type: 'CREDENTIAL_TYPE_API_KEY_P256',
      ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
      ...times,
    });
  });
  return userId;
}

const quorum = async () =>
  (await service.query('get_organization_configs')).body.configs.quorum as object;

test('the root quorum replaces itself by another quorum', async () => {
  const { userId } = service.root;
  const userIds = [userId, secondId];
  const result = await checkActivity(service, {
    operation,
    type,
    intent: 'updateRootQuorumIntent',
    result: 'updateRootQuorumResult',
    parameters: { threshold: 1, userIds },
    malformed: [
      ...[-1, 101, 1.5, '1'].map((threshold) => ({
        field: 'parameters.threshold',
        parameters: { threshold, userIds },
      })),
      { field: 'parameters.userIds.1', parameters: { threshold: 1, userIds: [userId, 'second'] } },
      {
        field: 'parameters.userIds',
        parameters: { threshold: 1, userIds: Array(101).fill(userId) },
      },
    ],
  });
  assert.deepEqual(result, {});
  assert.deepEqual(await quorum(), { threshold: 1, userIds });
});

test('a quorum that can never be reached is refused', async () => {
  const { userId } = service.root;
  const unknown = '01900000-0000-7000-8000-000000000000';
  const child = await addChild(service);
  const ofChild = (await service.query('whoami', {}, child)).body.userId;
  const before = await quorum();
  const cases: [object, RegExp, string][] = [
    [
      { threshold: 0, userIds: [userId] },
      /^quorum threshold must be non-zero integer/,
      'threshold',
    ],
    [{ threshold: 0, userIds: [] }, /^quorum threshold must be non-zero integer/, 'threshold'],
    [{ threshold: 1, userIds: [] }, /^quorum users missing/, 'userIds'],
    [{ threshold: 1, userIds: [userId, unknown] }, /^quorum users missing/, 'userIds.1'],
    [{ threshold: 1, userIds: [ofChild] }, /^quorum users missing/, 'userIds.0'],
    [
      { threshold: 3, userIds: [userId, secondId] },
      /at most the number of its users, 2/,
      'threshold',
    ],
    [{ threshold: 1, userIds: [userId, userId] }, /named twice/, 'userIds.1'],
    [{ threshold: 2, userIds: [userId, userId.toUpperCase()] }, /named twice/, 'userIds.1'],
  ];
  for (const [parameters, text, field] of cases) {
    await checkRefused(
      service,
      { operation, type, parameters: parameters as Record<string, unknown> },
      { status: 400, code: 3, text, field: `parameters.${field}` },
    );
  }
  assert.deepEqual(await quorum(), before);
});

test('every member needs a credential that does not expire', async () => {
  const userIds = [service.root.userId, await addUser('Fleeting', 900)];
  await checkRefused(
    service,
    { operation, type, parameters: { threshold: 1, userIds } },
    { status: 400, code: 3, text: /^user missing valid credential: `Fleeting` has only api keys/ },
  );
});

test('a member cannot decide alone once the threshold is two', async () => {
  const { userId } = service.root;
  const userIds = [userId.toUpperCase(), secondId];
  const raised = await service.submit(operation, type, { threshold: 2, userIds });
  assert.equal(raised.status, 200);
  // Ids are stored in lower case.
  assert.deepEqual(await quorum(), { threshold: 2, userIds: [userId, secondId] });
  for (const key of [service.root.key, testKey('Second')]) {
    const alone = await service.submit(
      operation,
      type,
      { threshold: 1, userIds: [userId] },
      { key },
    );
    assert.equal(alone.body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  }
  assert.deepEqual(await quorum(), { threshold: 2, userIds: [userId, secondId] });
});
