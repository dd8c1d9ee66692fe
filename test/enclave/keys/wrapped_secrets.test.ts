import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRootKeys } from '../../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../../src/enclave/keys/sealing.ts';
import { createWrappedSecrets } from '../../../src/enclave/keys/wrapped_secrets.ts';
import { seededRandom, testRootKey } from '../../support/harness.ts';

const secretsOf = (organizationId: string) =>
  createWrappedSecrets(
    organizationId,
    createSealing('wrap', createRootKeys(testRootKey()), seededRandom('wrapped')),
  );

test('a secret opens for one use, and is wiped after it, also if the use fails', () => {
  const secrets = secretsOf('organization');
  const secret = secrets.wrap('wallet', 'id', Uint8Array.of(1, 2, 3));
  let opened = new Uint8Array(0);
  const answer = secrets.unwrapped('wallet', { id: 'id', secret }, (bytes) => {
    opened = bytes as Uint8Array<ArrayBuffer>;
    return [...bytes];
  });
  assert.deepEqual(answer, [1, 2, 3]);
  assert.deepEqual(opened, new Uint8Array(3));
  const failing = () =>
    secrets.unwrapped('wallet', { id: 'id', secret }, (bytes) => {
      opened = bytes as Uint8Array<ArrayBuffer>;
      throw new Error('no use');
    });
  assert.throws(failing, /no use/);
  assert.deepEqual(opened, new Uint8Array(3));
});

test('a secret opens only in its own record of its own organization', () => {
  const secrets = secretsOf('organization');
  const secret = secrets.wrap('wallet', 'id', Uint8Array.of(1, 2, 3));
  const use = () => assert.fail('it opened');
  const wrong = [
    () => secrets.unwrapped('private_key', { id: 'id', secret }, use),
    () => secrets.unwrapped('wallet', { id: 'another', secret }, use),
    () => secretsOf('another').unwrapped('wallet', { id: 'id', secret }, use),
    () => secrets.unwrapped('wallet', { id: 'id', secret: '*' }, use),
  ];
  for (const open of wrong) assert.throws(open, /opens in the record that it was wrapped for/);
});
