// A store that lies about policies can only make the service refuse the organization. An attacker with the
// database would want to remove a policy that denies.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredRecord } from '../../../src/store/port.ts';
import { makePolicy } from '../../operations/policies/policy_requests.ts';
import { startTestService } from '../../support/harness.ts';
import { hostileStore } from '../hostile_store.ts';
import { snapshot } from '../hostile_world.ts';
import { queryBody, startServiceOver } from '../service_over.ts';

test('the organization is refused if a policy is withheld, exchanged or restored', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const { organizationId } = service.root;
  const policyId = await makePolicy(service, 'No exports', { effect: 'EFFECT_DENY' });
  const other = await makePolicy(service, 'Other');
  const { records: earlier } = await snapshot(service, organizationId);
  const parameters = { policyId, policyCondition: "activity.action == 'EXPORT'" };
  const type = 'ACTIVITY_TYPE_UPDATE_POLICY_V2';
  assert.equal((await service.submit('update_policy', type, parameters)).status, 200);

  const rowIn = (rows: readonly StoredRecord[], id: string): StoredRecord => {
    const found = rows.find((row) => row.id === id);
    assert(found !== undefined);
    return found;
  };
  const lies: Readonly<Record<string, (rows: readonly StoredRecord[]) => readonly StoredRecord[]>> =
    {
      withheld: (rows) => rows.filter(({ id }) => id !== policyId),
      'as it was before': (rows) => [
        ...rows.filter(({ id }) => id !== policyId),
        rowIn(earlier, policyId),
      ],
      'in the place of another': (rows) =>
        rows.map((row) => (row.id === other ? { ...rowIn(rows, policyId), id: other } : row)),
      'all withheld': (rows) => rows.filter(({ kind }) => kind !== 'policy'),
    };
  const body = queryBody(organizationId, {});
  for (const [what, lie] of [['honest', undefined], ...Object.entries(lies)] as const) {
    const { port, alter } = hostileStore(service.store.port);
    if (lie !== undefined) {
      alter({ organization: (answer) => ({ ...answer, records: lie(answer.records) }) });
    }
    const fresh = await startServiceOver({ store: port, seed: what, clock: service.now });
    const answer = await fresh.send('query', 'list_policies', body, service.root.key);
    assert.equal(answer.status, lie === undefined ? 200 : 500, what);
  }
});
