// A session cannot give its own user a credential or a contact without scope, even if its scope allows every
// request. Logins are the exception, which docs/authentication.md describes. Profiles that allow logins get a
// warning.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { createRootKeys } from '../../src/enclave/keys/root_keys.ts';
import { createSealing } from '../../src/enclave/keys/sealing.ts';
import { createRecordCodec } from '../../src/enclave/records/record_codec.ts';
import { createRepository } from '../../src/enclave/records/repository.ts';
import { activityOperations } from '../../src/operations/index.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { seededRandom, stampOf, testKey, testRootKey } from '../support/harness.ts';
import { submitCalls, submitTypes } from './calls.ts';
import { startTenants, type Tenants } from './tenants.ts';

const session = testKey('scoped session');

/** Gives the plain user of a tenant the root quorum, and a session whose scope allows every request. */
async function startScoped(tenants: Tenants, name: 'child' | 'unrelated') {
  const tenant = tenants.all.get(name);
  assert(tenant !== undefined);
  const { organizationId, userId } = tenant;
  await changeOrganization(
    tenants.service,
    (draft, newId) => {
      draft.setHead({ rootQuorum: { threshold: 1, userIds: [userId] } });
      const times = { createdAtMs: tenants.service.now(), updatedAtMs: tenants.service.now() };
      draft.put('api_key', {
        id: newId(),
        userId,
        name: 'Scoped',
        publicKey: session.publicKey,
        type: 'CREDENTIAL_TYPE_LOGIN',
        expirationSeconds: 3_600,
        sessionProfile: { id: tenant.sessionProfileId, scope: 'true' },
        ...times,
      });
      return undefined;
    },
    organizationId,
  );
  return tenant;
}

/** Returns the unscoped credentials and the contacts of a user. */
async function accessOf({ service }: Tenants, organizationId: string, userId: string) {
  const keys = createRootKeys(testRootKey());
  const codec = createRecordCodec(createSealing('seal', keys, seededRandom('reader')), undefined);
  const repository = createRepository({ store: service.store.port, codec, keys });
  const { state } = await repository.organization(organizationId);
  assert(state !== undefined);
  const { api_key, authenticator, oauth_provider, user } = state.records;
  const own = user.get(userId);
  return [
    ...[...api_key.values()]
      .filter((key) => key.userId === userId && key.sessionProfile === undefined)
      .map((key) => `key ${key.publicKey} ${key.type}`),
    ...[...authenticator.values()]
      .filter((each) => each.userId === userId)
      .map((each) => `passkey ${each.credentialId}`),
    ...[...oauth_provider.values()]
      .filter((each) => each.userId === userId)
      .map((each) => `identity ${each.subject}`),
    ...(own === undefined ? [] : [`contacts ${own.email} ${own.phoneNumber}`]),
  ];
}

test('no operation gives a scoped session a credential without scope', async () => {
  const escapes: string[] = [];
  let accepted = 0;
  for (const name of ['child', 'unrelated'] as const) {
    for (const [operation, calls] of Object.entries(submitCalls)) {
      for (const call of calls) {
        if ((call.by ?? 'child') !== 'child') continue;
        const tenants = await startTenants();
        const { service } = tenants;
        try {
          const tenant = await startScoped(tenants, name);
          const { organizationId, userId } = tenant;
          const before = await accessOf(tenants, organizationId, userId);
          service.advance(1);
          const parameters = call.parameters(tenant);
          const body = utf8(
            JSON.stringify({
              type: submitTypes.get(operation),
              timestampMs: String(service.now()),
              organizationId,
              parameters,
            }),
          );
          const answer = await service.send('submit', operation, body, [stampOf(body, session)]);
          if (answer.status === 200) accepted += 1;
          const after = await accessOf(tenants, organizationId, userId);
          const gained = after.filter((each) => !before.includes(each));
          const isLogin = activityOperations[operation]?.authority === 'proven_login';
          if (gained.length > 0 && !isLogin) {
            escapes.push(`${name} ${operation}: ${gained.join(', ')}`);
          }
        } finally {
          tenants.service.close();
        }
      }
    }
  }
  assert.ok(accepted > 50, `${accepted} requests were accepted`);
  assert.deepEqual(escapes, []);
});
