// Every changing operation is called with unsuitable credentials of the root user, so that only the
// credential is wrong.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiKey } from '../../src/core/organization/model.ts';
import { activityBody } from '../operations/checks.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { stampOf, type TestKey, testKey } from '../support/harness.ts';
import { type Call, submitCalls, submitTypes } from './calls.ts';
import { startTenants, type Tenant, type Tenants } from './tenants.ts';

const day = 86_400;

/** Keys of root users, with their refusals. */
const limited: readonly {
  readonly what: string;
  readonly key: TestKey;
  readonly row: Pick<ApiKey, 'type' | 'expirationSeconds' | 'sessionProfile'>;
  readonly isOld?: true;
  readonly status: number;
  readonly text: RegExp;
}[] = [
  {
    what: 'a key that was mailed for a recovery',
    key: testKey('limited recovery'),
    row: { type: 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256', expirationSeconds: day },
    status: 403,
    text: /is valid only for ACTIVITY_TYPE_RECOVER_USER( of its own user)?$/,
  },
  {
    what: 'a session whose scope allows nothing',
    key: testKey('limited session'),
    row: {
      type: 'CREDENTIAL_TYPE_LOGIN',
      expirationSeconds: day,
      sessionProfile: {
        id: '01900000-0000-7000-8000-000000000000',
        scope: "activity.action == 'NOTHING'",
      },
    },
    status: 403,
    text: /the scope of the session does not allow this activity$/,
  },
  {
    what: 'a key that has expired',
    key: testKey('limited old key'),
    row: { type: 'CREDENTIAL_TYPE_API_KEY_P256', expirationSeconds: 1 },
    isOld: true,
    status: 401,
    text: /^expired api key/,
  },
];

let tenants: Tenants;
const sessions = new Map<string, string>();
before(async () => {
  tenants = await startTenants();
  const { service, all } = tenants;
  for (const { organizationId, key, rootUserId, name } of all.values()) {
    if (name === 'deleted') continue;
    const type = 'ACTIVITY_TYPE_CREATE_READ_ONLY_SESSION';
    const as = { organizationId, key };
    const { body } = await service.submit('create_read_only_session', type, {}, as);
    sessions.set(organizationId, body.activity.result.createReadOnlySessionResult.session);
    await changeOrganization(
      service,
      (draft, newId) => {
        for (const { what, key: own, row, isOld } of limited) {
          const madeMs = isOld === true ? service.now() - 1000 * day : service.now();
          const times = { createdAtMs: madeMs, updatedAtMs: madeMs };
          const { publicKey } = own;
          draft.put('api_key', {
            id: newId(),
            userId: rootUserId,
            name: what,
            publicKey,
            ...row,
            ...times,
          });
        }
        return undefined;
      },
      organizationId,
    );
  }
});
after(() => tenants.close());

for (const [operation, calls] of Object.entries(submitCalls)) {
  test(`${operation} refuses credentials for other uses`, async () => {
    const stored = await tenants.stored();
    for (const call of calls) await checkCall(operation, call);
    assert.equal(await tenants.stored(), stored, 'nothing was stored');
  });
}

async function checkCall(operation: string, call: Call): Promise<void> {
  const { service } = tenants;
  const tenant = tenantOf(call);
  const { organizationId } = tenant;
  const parameters = { ...call.parameters(tenant) };
  const body = activityBody(service, typeOf(operation), parameters, organizationId);
  const send = (headers: readonly { readonly name: string; readonly value: string }[]) =>
    service.send('submit', operation, body, headers);
  for (const { what, key, status, text } of limited) {
    const answer = await send([stampOf(body, key)]);
    assert.equal(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
    assert.match(answer.body.message, text, what);
  }
  const session = { name: 'x-session', value: sessions.get(organizationId) ?? assert.fail() };
  const reading = await send([session]);
  assert.equal(reading.status, 401, JSON.stringify(reading.body));
  assert.match(reading.body.message, /a read-only session cannot submit activities$/);
  // A session next to the stamp does not help.
  const beside = await send([session, stampOf(body, testKey('limited stranger'))]);
  assert.equal(beside.status, 401, JSON.stringify(beside.body));
}

function tenantOf({ by }: Call): Tenant {
  return tenants.all.get(by ?? 'child') ?? assert.fail();
}

function typeOf(operation: string): string {
  return submitTypes.get(operation) ?? assert.fail();
}
