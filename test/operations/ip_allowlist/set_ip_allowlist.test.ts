import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService, testKey } from '../../support/harness.ts';
import { assertViolation, checkActivity, checkRefused } from '../checks.ts';
import { addChild, changeOrganization } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeUser } from '../users/user_requests.ts';
import { from, rulesOf, setList } from './allowlist_requests.ts';

const wire = {
  operation: 'set_ip_allowlist',
  type: 'ACTIVITY_TYPE_SET_IP_ALLOWLIST',
  intent: 'setIpAllowlistIntent',
  result: 'setIpAllowlistResult',
};

test('set_ip_allowlist: stores each rule once, in canonical form', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const rules = [
    { cidr: '127.0.0.77/24', label: 'Here' },
    { cidr: '127.0.0.0/24', label: 'Again' },
    { cidr: '192.0.2.7' },
    { cidr: '2001:DB8:0:0::1/48', label: 'Office' },
  ];
  const parameters = { enabled: true, rules, onEvaluationError: 'ALLOW' };
  const wrong = (field: string, changes: object) => ({
    field: `parameters.${field}`,
    parameters: { ...parameters, ...changes },
  });
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['enabled', 'rules', 'onEvaluationError'],
    malformed: [
      wrong('onEvaluationError', { onEvaluationError: 'SKIP' }),
      wrong('publicKey', { publicKey: 7 }),
      wrong('rules.1.cidr', { rules: rulesOf('127.0.0.1', '127.0.0.0/19') }),
      wrong('rules.0.cidr', { rules: rulesOf('2001:db8::/47') }),
      wrong('rules.0.cidr', { rules: rulesOf('office') }),
      wrong('rules.0.label', { rules: [{ cidr: '127.0.0.1', label: 'x'.repeat(101) }] }),
    ],
  });
  assert.deepEqual(result, {});
  const madeAt = String(service.now());
  const { body } = await service.query('get_ip_allowlist');
  assert.deepEqual(body.allowlist, {
    organizationId: service.root.organizationId,
    rules: [
      { cidr: '127.0.0.0/24', label: 'Here', createdAt: madeAt },
      { cidr: '192.0.2.7/32', createdAt: madeAt },
      { cidr: '2001:db8::/48', label: 'Office', createdAt: madeAt },
    ],
    enabled: true,
    onEvaluationError: 'ALLOW',
  });
  // A new list replaces all rules and settings.
  await setList(service, { rules: rulesOf('127.0.0.1') });
  const { body: later } = await service.query('get_ip_allowlist');
  assert.equal(later.allowlist.rules.length, 1);
  assert.equal(later.allowlist.onEvaluationError, 'DENY');
});

test('set_ip_allowlist: an invalid rule is refused with its index and value', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const refused = async (rules: readonly object[], field: string, text: RegExp) => {
    const answer = await setList(service, { rules });
    assertViolation(answer, `parameters.rules.${field}.cidr`);
    assert.match(answer.body.message, text);
  };
  await refused(rulesOf('127.0.0.1', '10.0.0.0/8'), '1', /rule 1 \(`10\.0\.0\.0\/8`\): .*\/20/);
  await refused(rulesOf('::/0'), '0', /rule 0 \(`::\/0`\): .*IPv6 than \/48/);
  await refused(rulesOf('127.0.0.1', '::1', 'x'), '2', /rule 2 \(`x`\): expected a block/);
  const eleven = (of: (i: number) => string) =>
    rulesOf(...Array.from({ length: 11 }, (_, i) => of(i)));
  const own = rulesOf('127.0.0.1');
  await refused(
    eleven((i) => `192.0.2.${i}`),
    '10',
    /at most 10 rules of IPv4/,
  );
  await refused(
    eleven((i) => `2001:db8::${i}`),
    '10',
    /at most 10 rules of IPv6/,
  );
  const ten = [...eleven((i) => `192.0.2.${i}`).slice(2), ...own, ...own];
  const both = [...ten, ...eleven((i) => `2001:db8::${i}`).slice(1)];
  assert.equal((await setList(service, { rules: both })).status, 200);
});

test('set_ip_allowlist: refuses a list that would reject the same request', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const lockout = {
    status: 400,
    code: 9,
    text: /^the IP allowlist would reject this request/,
  };
  const { publicKey } = service.root.key;
  for (const parameters of [
    {},
    { rules: [] },
    { rules: rulesOf('192.0.2.1') },
    { enabled: true, rules: rulesOf('127.0.0.2', '::1') },
  ]) {
    await checkRefused(service, { ...wire, parameters }, lockout);
  }
  assert.equal((await setList(service, { rules: [], enabled: false })).status, 200);
  await service.submit('remove_ip_allowlist', 'ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST', {});
  // If the address of the caller is unknown, `onEvaluationError` decides.
  const rules = rulesOf('127.0.0.1');
  const blind = (parameters: object) => from(service, '', () => setList(service, parameters));
  assert.equal((await blind({ rules })).status, 400);
  assert.equal((await blind({ rules, onEvaluationError: 'ALLOW' })).status, 200);

  const ofKey = { publicKey, rules: rulesOf('192.0.2.1') };
  await checkRefused(service, { ...wire, parameters: ofKey }, lockout);
  assert.equal((await setList(service, { ...ofKey, rules })).status, 200);
  // The list of the key allows this caller, so the list of the organization may exclude it.
  assert.equal((await setList(service, { rules: rulesOf('192.0.2.1') })).status, 200);
  const remove = { operation: 'remove_ip_allowlist', type: 'ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST' };
  await checkRefused(service, { ...remove, parameters: { publicKey } }, lockout);
});

test('set_ip_allowlist: a list of a key needs an existing key', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await makeUser(service, 'Alice');
  const publicKey = testKey('Alice').publicKey.toUpperCase();
  const missing = { status: 404, code: 5, text: /^unable to find API key / };
  const unknown = { publicKey: testKey('nobody').publicKey, rules: [] };
  await checkRefused(service, { ...wire, parameters: unknown }, missing);
  assertViolation(await setList(service, { publicKey, enabled: false }), 'parameters.enabled');
  assert.equal((await setList(service, { publicKey, rules: rulesOf('192.0.2.1') })).status, 200);
  const { body } = await service.query('get_ip_allowlist', { publicKey });
  assert.equal(body.allowlist.publicKey, publicKey.toLowerCase());
  assert.equal(body.allowlist.rules.length, 1);
  assert.ok(!Object.hasOwn(body.allowlist, 'enabled'));

  const userType = 'ACTIVITY_TYPE_DELETE_USERS';
  const { body: users } = await service.query('list_users');
  const alice = users.users.find((user: { userName: string }) => user.userName === 'Alice');
  await service.submit('delete_users', userType, { userIds: [alice.userId] });
  // The next saved list removes the list of the deleted key.
  await setList(service, { rules: rulesOf('127.0.0.1') });
  const gone = await service.query('get_ip_allowlist', { publicKey });
  assert.deepEqual(gone.body.allowlist.rules, []);
});

test('set_ip_allowlist: only parents have lists, at most 101, as their policies allow', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const parameters = { rules: rulesOf('127.0.0.1') };
  await checkRefused(
    service,
    { ...wire, parameters, as: child },
    { status: 403, code: 7, text: /a sub-organization cannot have IP allowlists/ },
  );
  await makeUser(service, 'Alice');
  await makePolicy(service, 'Addresses', {
    condition: "activity.kind == 'SET_IP_ALLOWLIST'",
    consensus: 'approvers.count() >= 2',
  });
  const as = { key: testKey('Alice') };
  const waiting = await from(service, '192.0.2.1', () => setList(service, parameters, as));
  const { status, fingerprint } = waiting.body.activity;
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  // The last approver must not be locked out, even if the request came from elsewhere.
  const approve = () =>
    service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint });
  const elsewhere = await from(service, '192.0.2.1', approve);
  assert.equal(elsewhere.body.activity.status, 'ACTIVITY_STATUS_FAILED');
  const again = await setList(service, parameters, as);
  const vote = { fingerprint: again.body.activity.fingerprint };
  const done = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', vote);
  assert.equal(done.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');

  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    const [user] = draft.list('user');
    for (let i = 0; i < 100; i += 1) {
      const { publicKey } = testKey(`key ${i}`);
      const type = 'CREDENTIAL_TYPE_API_KEY_P256';
      draft.put('api_key', {
        id: newId(),
        userId: user?.id ?? '',
        name: 'Key',
        publicKey,
        type,
        ...times,
      });
      const onEvaluationError = 'DENY';
      const list = {
        id: newId(),
        publicKey,
        enabled: true,
        rules: [],
        onEvaluationError,
        ...times,
      };
      draft.put('ip_allowlist', { ...list, onEvaluationError: 'DENY' });
    }
    return undefined;
  });
  const text = /^organization has exceeded maximum IP allowlists: the limit is 101$/;
  const { publicKey } = service.root.key;
  const more = { publicKey, rules: rulesOf('127.0.0.1') };
  await checkRefused(service, { ...wire, parameters: more }, { status: 429, code: 8, text });
});
