import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { pinKeys, pinnedKeys } from '../../dashboard/app/session/pins.ts';

const stored = new Map<string, string>();
Object.defineProperty(globalThis, 'localStorage', {
  value: {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  },
});
beforeEach(() => stored.clear());

const apiUrl = 'https://keys.example/';
const at = (organizationId: string, url = apiUrl) => ({ apiUrl: url, organizationId });

test('a gateway that names another organization must have the keys of the first sign-in', () => {
  assert.equal(pinnedKeys(at('a')), undefined);
  pinKeys(at('a'), { signer: '04aa' });
  assert.deepEqual(pinnedKeys(at('a')), { signer: '04aa' });
  assert.deepEqual(pinnedKeys(at('b')), { signer: '04aa' });
  assert.equal(pinnedKeys(at('a', 'https://other.example/')), undefined);
});

test('keys that an earlier version pinned by organization count for the service', () => {
  stored.set('keywright.serviceKeys.a', '{"signer":"04aa"}');
  assert.deepEqual(pinnedKeys(at('a')), { signer: '04aa' });
  assert.deepEqual(pinnedKeys(at('b')), { signer: '04aa' });
});

test('unreadable pins match no key', () => {
  stored.set('keywright.serviceKeys.a', '{');
  assert.deepEqual(pinnedKeys(at('a')), {});
});

test('services of this machine, which share one address, are distinguished by organization', () => {
  const local = 'http://localhost:8080/';
  pinKeys(at('a', local), { signer: '04aa' });
  assert.equal(pinnedKeys(at('b', local)), undefined);
  assert.deepEqual(pinnedKeys(at('a', local)), { signer: '04aa' });
});
