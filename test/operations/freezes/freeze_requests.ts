import assert from 'node:assert/strict';
import type { Sender, TestAnswer, TestService } from '../../support/harness.ts';
import { described, makePrivateKeys } from '../private_keys/private_key_requests.ts';

/** Freezes a subject; by default the organization, as the root user. */
export const freeze = (
  service: TestService,
  type = 'ORGANIZATION',
  resourceId?: string,
  as: Sender = {},
): Promise<TestAnswer> =>
  service.submit(
    'create_freeze',
    'ACTIVITY_TYPE_CREATE_FREEZE',
    { type: `FREEZE_TYPE_${type}`, ...(resourceId === undefined ? {} : { resourceId }) },
    as,
  );

/** Freezes a subject; returns the ID of the freeze. */
export async function makeFreeze(...of: Parameters<typeof freeze>): Promise<string> {
  const { status, body } = await freeze(...of);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createFreezeResult.freezeId;
}

export const unfreeze = (
  service: TestService,
  freezeId: string,
  as: Sender = {},
): Promise<TestAnswer> =>
  service.submit('delete_freeze', 'ACTIVITY_TYPE_DELETE_FREEZE', { freezeId }, as);

/** Lifts a freeze as the root user. */
export async function lift(service: TestService, freezeId: string, as: Sender = {}): Promise<void> {
  const { status, body } = await unfreeze(service, freezeId, as);
  assert.equal(status, 200, JSON.stringify(body));
}

/** Asserts that an answer is the refusal of a frozen subject. */
export function assertFrozen({ status, body }: TestAnswer, what: RegExp): void {
  assert.equal(status, 403, JSON.stringify(body));
  assert.equal(body.code, 7);
  assert.match(
    body.message,
    /^request not authorized: .* is frozen since 2\d{3}-\d\d-\d\dT[\d:.]+Z, until the root quorum deletes freeze [0-9a-f-]{36}$/,
  );
  assert.match(body.message, what);
}

/** Signs a payload. */
export const sign = (
  service: TestService,
  signWith: string,
  as: Sender & { readonly dryRun?: boolean } = {},
): Promise<TestAnswer> =>
  service.submit(
    'sign_raw_payload',
    'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    {
      signWith,
      payload: '00'.repeat(32),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    },
    as,
  );

/** Creates private keys; returns their IDs. */
export async function makeKeys(
  service: TestService,
  count = 1,
  as: Sender = {},
): Promise<[string, ...string[]]> {
  const serial = service.now();
  const keys = Array.from({ length: count }, (_, i) =>
    described({ privateKeyName: `Key ${serial} ${i}` }),
  );
  const [first, ...others] = (await makePrivateKeys(service, keys, as)).map(
    ({ privateKeyId }) => privateKeyId,
  );
  assert(first !== undefined);
  return [first, ...others];
}
