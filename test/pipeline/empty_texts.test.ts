// Clients whose types have defaults, such as the public Rust client, send an empty text for an absent
// member.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused } from '../operations/checks.ts';
import { addChild } from '../operations/other_callers.ts';
import { startTestService, type TestService } from '../support/harness.ts';

for (const refusesUnknownMembers of [false, true]) {
  const setting = refusesUnknownMembers ? 'refused' : 'left out';
  let service: TestService;
  before(async () => {
    service = await startTestService({ deployment: { refusesUnknownMembers } });
    await addChild(service);
    for (const walletName of ['First', 'Second', 'Third']) {
      const parameters = { walletName, accounts: [] };
      await service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', parameters);
    }
  });
  after(() => service.close());

  const idsOf = async (paginationOptions: object) => {
    const { status, body } = await service.query('list_activities', { paginationOptions });
    assert.equal(status, 200, body.message);
    assert.equal(body.warnings, undefined);
    return body.activities.map(({ id }: { readonly id: string }) => id);
  };

  test(`empty members of a page count as absent where unknown members are ${setting}`, async () => {
    const all = await idsOf({ limit: '', before: '', after: '' });
    assert.deepEqual(all, await idsOf({}));
    assert.ok(all.length > 2);
    assert.deepEqual(await idsOf({ limit: '1', before: '', after: '' }), all.slice(0, 1));
    const next = await idsOf({ limit: '1', before: '', after: all[0] });
    assert.deepEqual(next, all.slice(1, 2));
    assert.deepEqual(await idsOf({ limit: '1', before: all[1], after: '' }), all.slice(0, 1));
  });

  test(`an empty filter selects all where unknown members are ${setting}`, async () => {
    const options = { limit: '', before: '', after: '' };
    const empty = { filterType: '', filterValue: '', paginationOptions: options };
    const { status, body } = await service.query('list_suborgs', empty);
    assert.equal(status, 200, body.message);
    assert.equal(body.organizationIds.length, 1);
    // A filter with only one of its two members is invalid.
    assertRefused(await service.query('list_suborgs', { ...empty, filterValue: 'x' }), 400, 3);
  });

  test(`other empty texts do not count as absent where unknown members are ${setting}`, async () => {
    const policy = { policyName: 'All', effect: 'EFFECT_ALLOW', consensus: 'true', condition: '' };
    const type = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
    assertRefused(await service.submit('create_policy', type, policy), 400, 3);
    const wallet = { walletName: '', accounts: [] };
    const walletType = 'ACTIVITY_TYPE_CREATE_WALLET';
    assertRefused(await service.submit('create_wallet', walletType, wallet), 400, 3);
    assertRefused(await service.query('list_activities', { organizationId: '' }), 400, 3);
  });
}
