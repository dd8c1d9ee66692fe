// The session keys that an organization stores.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptCredentialBundle } from '@turnkey/crypto';
import { hex } from '../../../src/core/base/bytes.ts';
import { p256 } from '../../../src/core/crypto/p256.ts';
import { ServiceError } from '../../../src/core/errors/errors.ts';
import type { ApiKey, User } from '../../../src/core/organization/model.ts';
import {
  createDraft,
  emptySmallState,
  type OrganizationDraft,
} from '../../../src/core/organization/state.ts';
import { startBundledSession } from '../../../src/core/users/bundled_sessions.ts';
import {
  type SessionKind,
  type SessionParameters,
  sessionKinds,
  startSession,
} from '../../../src/core/users/sessions.ts';
import { clientKey, targetPublicKey } from '../../operations/wallets/transfer_requests.ts';
import { testKey } from '../../support/harness.ts';

const now = 1_767_225_600_000;
const times = { createdAtMs: now, updatedAtMs: now };
const user: User = { id: 'user', name: 'User', tagIds: [], ...times };

function emptyDraft(): OrganizationDraft {
  return createDraft({
    id: 'organization',
    parentId: undefined,
    version: 0,
    guard: 0,
    head: {
      name: 'Organization',
      rootQuorum: { threshold: 1, userIds: [user.id] },
      features: [],
      ...times,
    },
    records: emptySmallState(),
  });
}

/** Returns a context with a stopped clock and ids that count up. */
function newContext() {
  let count = 0;
  const newId = () => {
    count += 1;
    return `id ${String(count).padStart(4, '0')}`;
  };
  return { now, newId };
}

const context = newContext();

const start = (draft: OrganizationDraft, changes: Partial<SessionParameters> = {}): ApiKey =>
  startSession(
    { kind: 'login', user, publicKey: testKey('session').publicKey, ...changes },
    draft,
    context,
  );

const isKept = (draft: OrganizationDraft, { id }: ApiKey) => draft.get('api_key', id) !== undefined;

test('only mailed keys wait for their first use', () => {
  const kinds = Object.keys(sessionKinds) as SessionKind[];
  const mailed = kinds.filter((kind) => start(emptyDraft(), { kind }).isUnused === true);
  assert.deepEqual(mailed, ['email_auth', 'recovery']);
  assert.equal(start(emptyDraft(), { kind: 'recovery', askedBy: 'asker' }).askedBy, 'asker');
  assert.equal(start(emptyDraft(), { kind: 'login', askedBy: 'asker' }).askedBy, undefined);
});

test('a key named by a client leads no caller from the parent before its first signature', () => {
  assert.equal(start(emptyDraft()).leads, undefined);
  assert.equal(start(emptyDraft(), { isMadeHere: true }).leads, 'proven');
});

test('at the limit a mail evicts the sender’s own mail, not an older mail of another', () => {
  const mails = (places: number) => {
    const draft = emptyDraft();
    const mail = (name: string, askedBy: string) =>
      start(draft, { kind: 'email_auth', publicKey: testKey(name).publicKey, askedBy });
    const [others, own] = [mail('first', 'another'), mail('second', 'asker')];
    for (let i = 2; i < places; i += 1) start(draft, { publicKey: testKey(`${i}`).publicKey });
    const further = mail('third', 'asker');
    return [others, own, further].map((key) => isKept(draft, key));
  };
  assert.deepEqual(mails(10), [true, false, true]);
  assert.deepEqual(mails(9), [true, true, true]);
});

test('a session lasts at least a second, with any profile', () => {
  const profile = {
    id: 'profile',
    name: 'Profile',
    scope: 'true',
    expirationSeconds: 60,
    ...times,
  };
  for (const given of [{}, { profile }]) {
    for (const expirationSeconds of [0, '0', -1]) {
      assert.throws(
        () => start(emptyDraft(), { ...given, expirationSeconds }),
        (error) =>
          error instanceof ServiceError &&
          error.code === 'field_invalid' &&
          error.fieldViolations[0]?.field === 'parameters.expirationSeconds',
      );
    }
    assert.equal(start(emptyDraft(), { ...given, expirationSeconds: 1 }).expirationSeconds, 1);
  }
});

/** Starts a bundled session with these random bytes, in order. */
function bundledOf(draws: readonly Uint8Array[], changes: object = {}) {
  const left = [...draws];
  const random = () => left.shift() ?? assert.fail('more random bytes than needed');
  const target = { targetPublicKey: Uint8Array.fromHex(targetPublicKey) };
  const parameters = { kind: 'otp_auth', user, ...target, ...changes } as const;
  return startBundledSession(parameters, emptyDraft(), newContext(), random);
}

const filled = (byte: number) => new Uint8Array(32).fill(byte);

test('the key of a bundle consists of random bytes that are a valid private key', () => {
  // Zero and numbers above the order of the curve are not keys.
  const { key, credentialBundle } = bundledOf([0, 0xff, 5, 0, 6].map(filled));
  assert.equal(decryptCredentialBundle(credentialBundle, hex(clientKey)), hex(filled(5)));
  assert.equal(key.publicKey, hex(p256.publicKeyOf(filled(5))));
});

test('the key of a bundle leads to its organization at once', () => {
  assert.equal(bundledOf([5, 6].map(filled)).key.leads, 'proven');
});

test('the random bytes of private keys are wiped, used, skipped or refused', () => {
  const draws = [0, 5, 6].map(filled);
  bundledOf(draws);
  assert.deepEqual(draws, [0, 0, 0].map(filled));
  const others = [7, 8].map(filled);
  assert.throws(() => bundledOf(others, { expirationSeconds: '0' }), ServiceError);
  assert.deepEqual(others, [0, 0].map(filled));
});
