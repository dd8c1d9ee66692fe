import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demandedPolicies } from '../../../src/core/mfa/mfa.ts';
import type { OrganizationHead } from '../../../src/core/organization/model.ts';
import type { MfaPolicy } from '../../../src/core/organization/records/mfa_policy.ts';
import { createDraft, newOrganizationState } from '../../../src/core/organization/state.ts';
import { maximumDecisionSteps } from '../../../src/core/policy/language/bounds.ts';
import { newMeter } from '../../../src/core/policy/language/clause.ts';

const times = { createdAtMs: 0, updatedAtMs: 0 };
const head: OrganizationHead = {
  name: 'Organization',
  rootQuorum: { threshold: 1, userIds: ['one'] },
  features: [],
  ...times,
};

test('the MFA conditions of all users share their steps, and a condition without steps requires its policy', () => {
  const organization = createDraft(newOrganizationState('organization', undefined, head));
  const ids = 'activity.params.user_ids';
  const condition = `${ids}.any(x, ${ids}.any(y, x != x))`;
  for (const userId of ['one', 'two']) {
    for (let order = 0; order < 10; order += 1) {
      const id = `${userId} ${order}`;
      const policy: MfaPolicy = {
        id,
        userId,
        name: id,
        condition,
        requiredMethods: [],
        order,
        ...times,
      };
      organization.put('mfa_policy', policy);
    }
  }
  const params = { user_ids: Array.from({ length: 100 }, (_, i) => `user ${i}`) };
  const activity = { type: '', kind: '', resource: '', action: '', params };
  const demanded = (userId: string, parts: number, meter = newMeter()) => {
    const scopes = () => Array.from({ length: parts }, () => ({ activity }));
    return demandedPolicies(userId, organization, scopes, meter).length;
  };
  assert.equal(demanded('one', 1), 0);

  const meter = newMeter();
  const ofOne = demanded('one', 10, meter);
  assert(ofOne > 0 && ofOne < 10, 'those that were evaluated do not hold');
  assert(meter.steps <= 0 && meter.steps > -maximumDecisionSteps / 10);
  assert.equal(demanded('two', 1, meter), 10);
});

test('a condition without a value for one of several parts requires its policy', () => {
  const organization = createDraft(newOrganizationState('organization', undefined, head));
  const policy = { id: 'p', userId: 'one', name: 'p', requiredMethods: [], order: 0, ...times };
  organization.put('mfa_policy', { ...policy, condition: "activity.params.user_ids[0] == 'a'" });
  const scopeOf = (ids: readonly string[]) => ({
    activity: { type: '', kind: '', resource: '', action: '', params: { user_ids: ids } },
  });
  const demanded = (...parts: (readonly string[])[]) =>
    demandedPolicies('one', organization, () => parts.map(scopeOf), newMeter()).length;
  assert.equal(demanded(['b'], ['c']), 0);
  // An index into an empty list is out of range, which counts as a failure and not as absence.
  assert.equal(demanded(['b'], []), 1);
  assert.equal(demanded([], ['b']), 1);
  assert.equal(demanded(['a'], ['b']), 1);
});
