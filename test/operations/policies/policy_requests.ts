import assert from 'node:assert/strict';
import type { PolicySet } from '../../../src/core/organization/model.ts';
import { policySetRowId } from '../../../src/core/policy/sets/policy_set.ts';
import { codecOf, snapshot } from '../../enclave/hostile_world.ts';
import type { Sender, TestService } from '../../support/harness.ts';

/** Returns a policy in the form of requests. */
export const describedPolicy = (policyName: string, changes: object = {}) => ({
  policyName,
  effect: 'EFFECT_ALLOW',
  condition: "activity.resource == 'WALLET'",
  consensus: 'approvers.count() >= 2',
  notes: '',
  ...changes,
});

/** Creates a policy as the root user; returns its id. */
export async function makePolicy(
  service: TestService,
  policyName: string,
  changes: object = {},
  as: Sender = {},
): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
  const parameters = describedPolicy(policyName, changes);
  const { status, body } = await service.submit('create_policy', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createPolicyResult.policyId;
}

/** Returns a policy as the service shows it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function shownPolicy(service: TestService, policyId: string): Promise<any> {
  const { status, body } = await service.query('get_policy', { policyId });
  assert.equal(status, 200, JSON.stringify(body));
  return body.policy;
}

/** Returns the ids of the shown policies, in their order. */
export async function shownPolicyIds(service: TestService, as: Sender = {}): Promise<string[]> {
  const { status, body } = await service.query('list_policies', {}, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.policies.map((policy: { policyId: string }) => policy.policyId);
}

/** Returns the stored policy set that the head of the first organization names. */
export async function storedPolicySet(service: TestService): Promise<PolicySet | undefined> {
  const { organizationId } = service.root;
  const codec = codecOf('policy sets');
  const { organization } = await snapshot(service, organizationId);
  const { version, head: body } = organization;
  const place = { organizationId, kind: 'organization', id: organizationId, version };
  const opened = codec.sealing.open(place, body);
  assert(opened !== undefined);
  const { head } = JSON.parse(Buffer.from(opened).toString());
  if (head.policySetId === undefined) return undefined;
  const ids = [policySetRowId(head.policySetId)];
  const [row] = await service.store.port.records({ organizationId, kind: 'policy_set', ids });
  assert(row !== undefined);
  return codec.openRecord(organizationId, row) as PolicySet;
}
