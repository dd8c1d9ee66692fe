// The check of the first enclave while the database is down, and of later ones during a rotation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/core/errors/errors.ts';
import { WrongRootKeyError } from '../../src/gateway/root_key/wrong_root_key_error.ts';
import { createEnclaveCheck } from '../../src/gateway/start/enclave_check.ts';
import { UnusableDataError } from '../../src/store/unusable_data_error.ts';
import { temporaryDirectory } from '../e2e/service.ts';

type Call = Parameters<ReturnType<typeof createEnclaveCheck>['check']>[0];

const waits = { attempts: 3, pauseMs: 0 };

/** Creates an enclave whose store does not answer the first requests to create the organization. */
function enclaveWithout(answers: number) {
  let attempts = 0;
  const call = (name: string): Promise<unknown> => {
    if (name === 'bootstrap') {
      attempts += 1;
      if (attempts <= answers) return Promise.reject(new ServiceError('store_unavailable'));
    }
    return Promise.resolve({ serviceKeys: new Uint8Array([1]) });
  };
  return { call: call as Call, attempts: () => attempts };
}

test('the first start waits for a database that is still down', async () => {
  const { call, attempts } = enclaveWithout(2);
  const enclave = createEnclaveCheck(temporaryDirectory(), 'root.key', waits);
  await enclave.check(call);
  assert.equal(attempts(), 3);
  assert.ok(enclave.firstAnswers());
});

test('the start fails with a reason if the database never answers', async () => {
  const { call, attempts } = enclaveWithout(Number.POSITIVE_INFINITY);
  const { check } = createEnclaveCheck(temporaryDirectory(), 'root.key', waits);
  await assert.rejects(check(call), (error) => {
    assert.ok(error instanceof UnusableDataError);
    assert.match(error.message, /^the database did not answer in 3 attempts: check it/);
    return true;
  });
  assert.equal(attempts(), 3);
});

test('a later enclave is checked once, since the supervisor starts another one', async () => {
  const enclave = createEnclaveCheck(temporaryDirectory(), 'root.key', waits);
  await enclave.check(enclaveWithout(0).call);
  const refused = new ServiceError('store_unavailable');
  let calls = 0;
  const failing = (() => {
    calls += 1;
    return Promise.reject(refused);
  }) as Call;
  await assert.rejects(enclave.check(failing), refused);
  assert.equal(calls, 1);
});

/** Creates an enclave of a key epoch, which ends before it sends the documents if `ends` is true. */
function enclaveOfEpoch(epoch: number, { ends = false } = {}): Call {
  const call = async (name: string): Promise<unknown> => {
    if (name === 'keyEpoch') return { epoch };
    if (name === 'discovery' && ends) throw new ServiceError('enclave_unavailable');
    return { serviceKeys: new Uint8Array([epoch]) };
  };
  return call as Call;
}

test('an enclave that ends while a new key epoch begins is replaced', async () => {
  const enclave = createEnclaveCheck(temporaryDirectory(), 'root.key', waits);
  await enclave.check(enclaveOfEpoch(0));
  const unavailable = new ServiceError('enclave_unavailable');
  await assert.rejects(enclave.renew(enclaveOfEpoch(1, { ends: true })), unavailable);
  await enclave.check(enclaveOfEpoch(1));
  assert.deepEqual(enclave.firstAnswers().discovery.serviceKeys, new Uint8Array([1]));
  await assert.rejects(enclave.check(enclaveOfEpoch(0)), WrongRootKeyError);
});
