// Shared checks of init_import_wallet and init_import_private_key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8 } from '../../../src/core/base/bytes.ts';
import { maximumTargetsPerUser, targetLifeMs } from '../../../src/core/keys/import_targets.ts';
import type { ImportTarget } from '../../../src/core/organization/model.ts';
import { startTestService, type TestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addPlainUser, changeOrganization } from '../other_callers.ts';
import { initImport, signerKey } from './transfer_requests.ts';
import { unknownId } from './wallet_requests.ts';

/** Declares the tests of one operation. */
export function checkInitImport({
  purpose,
  wire,
}: {
  readonly purpose: 'wallet' | 'private_key';
  readonly wire: { operation: string; type: string; intent: string; result: string };
}): void {
  const { operation } = wire;

  test(`${operation}: returns a signed key for this user and organization`, async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    const { userId, organizationId } = service.root;
    const result = await checkActivity(service, {
      ...wire,
      parameters: { userId },
      malformed: [{ field: 'parameters.userId', parameters: { userId: 'x' } }],
    });
    assert.deepEqual(Object.keys(result), ['importBundle']);
    const message = JSON.parse(result.importBundle);
    assert.equal(message.version, 'v1.0.0');
    assert.equal(message.enclaveQuorumPublic, signerKey);
    const content = JSON.parse(textOfUtf8(Uint8Array.fromHex(message.data)) ?? '');
    assert.deepEqual(Object.keys(content), ['targetPublic', 'organizationId', 'userId']);
    assert.match(content.targetPublic, /^04[0-9a-f]{128}$/);
    assert.deepEqual([content.organizationId, content.userId], [organizationId, userId]);
    const [target] = await targetsOf(service);
    assert.equal(target?.purpose, purpose);
  });

  test(`${operation}: refuses a request for another user`, async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    await addPlainUser(service);
    const { users } = (await service.query('list_users')).body;
    const other = users.find((user: { userId: string }) => user.userId !== service.root.userId);
    const refusal = {
      status: 403,
      code: 7,
      text: /`userId` of an import: expected the calling user, got /,
      clientCode: 'INVALID_ACTIVITY_CALLER',
    };
    for (const userId of [other.userId, unknownId]) {
      await checkRefused(service, { ...wire, parameters: { userId } }, refusal);
    }
    const userId = service.root.userId.toUpperCase();
    assert.equal((await service.submit(operation, wire.type, { userId })).status, 200);
  });

  test(`${operation}: a newer key evicts expired keys, and then the oldest`, async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    await initImport(service, purpose === 'wallet' ? 'private_key' : 'wallet');
    for (let i = 0; i < maximumTargetsPerUser; i += 1) await initImport(service, purpose);
    const before = await targetsOf(service);
    assert.equal(before.length, maximumTargetsPerUser + 1, 'each purpose by itself');
    await initImport(service, purpose);
    const after = await targetsOf(service);
    assert.equal(after.length, maximumTargetsPerUser + 1);
    assert.equal(
      after.some(({ id }) => id === before[1]?.id),
      false,
    );
    assert.ok(after.some(({ id }) => id === before[0]?.id));
    service.advance(targetLifeMs);
    await initImport(service, purpose);
    assert.equal((await targetsOf(service)).length, 1);
  });
}

/** Returns the targets of the first organization, oldest first. */
async function targetsOf(service: TestService): Promise<readonly ImportTarget[]> {
  let targets: readonly ImportTarget[] = [];
  await changeOrganization(service, (draft) => {
    targets = draft.list('import_target');
  });
  return targets;
}
