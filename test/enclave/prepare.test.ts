import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { changeOf } from '../../src/store/addition.ts';
import { storedCount } from '../operations/checks.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import { describedPolicy, makePolicy } from '../operations/policies/policy_requests.ts';
import { stampOf, startTestService, type TestService, testKey } from '../support/harness.ts';
import { activityBody, startServiceOver } from './service_over.ts';

const signing = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
const renaming = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: 'm/0',
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
};

/** Changes that revoke the right to sign; all but the first keep the policy. */
const takings: readonly (readonly [string, string, (policyId: string) => object])[] = [
  ['delete_policy', 'ACTIVITY_TYPE_DELETE_POLICY', (policyId) => ({ policyId })],
  [
    'update_policy',
    'ACTIVITY_TYPE_UPDATE_POLICY_V2',
    (policyId) => ({ policyId, policyConsensus: 'false' }),
  ],
  [
    'create_policy',
    'ACTIVITY_TYPE_CREATE_POLICY_V3',
    () => ({
      ...describedPolicy('No more'),
      effect: 'EFFECT_DENY',
      condition: 'true',
      consensus: 'true',
    }),
  ],
];

let service: TestService;
let plain: Awaited<ReturnType<typeof addPlainUser>>;
let signWith: string;
let walletId: string;

before(async () => {
  service = await startTestService();
  plain = await addPlainUser(service);
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const parameters = { walletName: 'Signs', accounts: [account] };
  const { body } = await service.submit('create_wallet', type, parameters);
  ({
    walletId,
    addresses: [signWith],
  } = body.activity.result.createWalletResult);
});
after(() => service.close());

function requestOf(operation: string, type: string, parameters: object, key = service.root.key) {
  service.advance(1);
  const { organizationId } = service.root;
  const body = activityBody(type, organizationId, parameters, service.now());
  const headers = [stampOf(body, key)];
  return {
    requestId: 'prepared',
    kind: 'submit' as const,
    operation,
    headers,
    body,
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
  };
}

const signatureOf = (payload: string, key = service.root.key) => {
  const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8';
  const parameters = { signWith, payload, encoding, hashFunction: 'HASH_FUNCTION_SHA256' };
  return requestOf('sign_raw_payload', signing, parameters, key);
};

const viewOf = ({ body }: { readonly body: Uint8Array }) => JSON.parse(textOfUtf8(body) ?? '');

describe('a signature', () => {
  test('is prepared with its activity, which is not stored yet', async () => {
    const stored = await storedCount(service);
    const request = signatureOf('first');
    const { answer, addition } = await service.enclave.prepare(request);
    assert.ok(addition !== undefined);
    assert.equal(answer.status, 200);
    assert.deepEqual(await storedCount(service), stored);
    assert.equal(addition.activity.id, answer.activityId);
    assert.equal(addition.activity.status, 'ACTIVITY_STATUS_COMPLETED');

    assert.equal(await service.store.port.commit(changeOf(addition)), 'committed');
    const again = await service.enclave.request(request);
    assert.deepEqual(viewOf(again), viewOf(answer), 'it is the durable one');
  });

  test('is committed once, although it was prepared twice', async () => {
    const request = signatureOf('twice');
    const [one, other] = [
      await service.enclave.prepare(request),
      await service.enclave.prepare(request),
    ];
    assert.ok(one.addition !== undefined && other.addition !== undefined);
    assert.equal(await service.store.port.commit(changeOf(one.addition)), 'committed');
    assert.equal(await service.store.port.commit(changeOf(other.addition)), 'duplicate');
    assert.deepEqual(viewOf(await service.enclave.request(request)), viewOf(one.answer));
  });

  test('is not committed after a change of its organization', async () => {
    const { addition } = await service.enclave.prepare(signatureOf('overtaken'));
    assert.ok(addition !== undefined);
    const { status } = await service.submit('update_organization_name', renaming, {
      organizationName: 'Another name',
    });
    assert.equal(status, 200);
    assert.equal(await service.store.port.commit(changeOf(addition)), 'conflict');
  });

  test('is committed after a new account or session', async () => {
    const { addition } = await service.enclave.prepare(signatureOf('not overtaken'));
    assert.ok(addition !== undefined);
    const { organizationId } = service.root;
    const accounts = [{ ...account, path: 'm/1' }];
    for (const [operation, type, parameters, key] of [
      ['create_wallet_accounts', 'CREATE_WALLET_ACCOUNTS', { walletId, accounts }, 'root'],
      ['stamp_login', 'STAMP_LOGIN', { publicKey: testKey('session').publicKey }, 'root'],
    ] as const) {
      const as = { organizationId, key: testKey(key) };
      const answer = await service.submit(operation, `ACTIVITY_TYPE_${type}`, parameters, as);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    }
    assert.equal(await service.store.port.commit(changeOf(addition)), 'committed');
  });

  test('of another node is not committed after its right was revoked', async () => {
    const { store, now: clock } = service;
    const over = await startServiceOver({ store: store.port, seed: 'other node', clock });
    for (const [operation, type, parametersOf] of takings) {
      const condition = "activity.action == 'SIGN'";
      const policyId = await makePolicy(service, operation, { condition, consensus: 'true' });
      // A request with a read from the store updates the other node.
      const known = await over.enclave.request(signatureOf(`before ${operation}`, plain.key));
      assert.equal(known.status, 200);
      const request = signatureOf(operation, plain.key);
      const { addition } = await over.enclave.prepare(request);
      assert.ok(addition !== undefined, operation);
      const answer = await service.submit(operation, type, parametersOf(policyId));
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(await store.port.commit(changeOf(addition)), 'conflict', operation);
      assert.notEqual((await over.enclave.request(request)).status, 200, operation);
    }
  });

  test('without permission is refused, and the refusal is durable', async () => {
    const stored = await storedCount(service);
    const { answer, addition } = await service.enclave.prepare(signatureOf('refused', plain.key));
    assert.equal(addition, undefined);
    assert.equal(answer.errorCode, 'not_permitted');
    assert.notDeepEqual(await storedCount(service), stored);
  });
});

test('every entrance commits a change before it answers', async () => {
  const parameters = { organizationName: 'Changed at once' };
  const request = requestOf('update_organization_name', renaming, parameters);
  const { answer, addition } = await service.enclave.prepare(request);
  assert.equal(addition, undefined);
  assert.equal(answer.status, 200);
  assert.equal((await service.query('whoami')).body.organizationName, 'Changed at once');
});

test('dry runs and queries need no commit', async () => {
  const body = Buffer.from(JSON.stringify({ organizationId: service.root.organizationId }));
  const query = { kind: 'query' as const, operation: 'whoami', body };
  const headers = [stampOf(body, service.root.key)];
  for (const request of [
    { ...signatureOf('tried'), kind: 'dry_run' as const },
    { ...signatureOf('not sent'), ...query, headers },
  ]) {
    const { answer, addition } = await service.enclave.prepare(request);
    assert.equal(answer.status, 200);
    assert.equal(addition, undefined);
  }
});
