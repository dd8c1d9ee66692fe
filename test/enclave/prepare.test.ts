import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { changeOf } from '../../src/store/addition.ts';
import { storedCount } from '../operations/checks.ts';
import { addPlainUser } from '../operations/other_callers.ts';
import { stampOf, startTestService, type TestService } from '../support/harness.ts';
import { activityBody } from './service_over.ts';

const signing = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
const renaming = 'ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME';
const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: 'm/0',
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
};

let service: TestService;
let plain: Awaited<ReturnType<typeof addPlainUser>>;
let signWith: string;

before(async () => {
  service = await startTestService();
  plain = await addPlainUser(service);
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const parameters = { walletName: 'Signs', accounts: [account] };
  const { body } = await service.submit('create_wallet', type, parameters);
  [signWith] = body.activity.result.createWalletResult.addresses;
});
after(() => service.close());

function requestOf(operation: string, type: string, parameters: object, key = service.root.key) {
  service.advance(1);
  const { organizationId } = service.root;
  const body = activityBody(type, organizationId, parameters, service.now());
  const headers = [stampOf(body, key)];
  return {
    ...{ requestId: 'prepared', kind: 'submit' as const, operation, headers, body },
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
  test('is prepared with the activity that it rests on, which nobody has stored', async () => {
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

  test('that was prepared twice is committed once', async () => {
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

  test('that was prepared before a change of its organization is not committed', async () => {
    const { addition } = await service.enclave.prepare(signatureOf('overtaken'));
    assert.ok(addition !== undefined);
    const { status } = await service.submit('update_organization_name', renaming, {
      organizationName: 'Another name',
    });
    assert.equal(status, 200);
    assert.equal(await service.store.port.commit(changeOf(addition)), 'conflict');
  });

  test('that may not be made is refused, and the refusal is durable', async () => {
    const stored = await storedCount(service);
    const { answer, addition } = await service.enclave.prepare(signatureOf('refused', plain.key));
    assert.equal(addition, undefined);
    assert.equal(answer.errorCode, 'not_permitted');
    assert.notDeepEqual(await storedCount(service), stored);
  });
});

test('a change is durable before it is answered, however it is asked for', async () => {
  const parameters = { organizationName: 'Changed at once' };
  const request = requestOf('update_organization_name', renaming, parameters);
  const { answer, addition } = await service.enclave.prepare(request);
  assert.equal(addition, undefined);
  assert.equal(answer.status, 200);
  assert.equal((await service.query('whoami')).body.organizationName, 'Changed at once');
});

test('a dry run and a query rest on nothing', async () => {
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
