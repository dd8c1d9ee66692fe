// The texts of policies and policy sets. A set commits to the digests of its policies.

import { type PolicySetContent, policiesKind } from '../../log/policy_texts.ts';
import type { Policy } from '../../organization/model.ts';

/** A policy, as its author wrote it. */
export type PolicyContent = Omit<Policy, 'createdAtMs' | 'updatedAtMs'>;

/** Returns the text of a policy: JSON. The set contains its SHA-256, base64url. */
export function textOfPolicy(policy: PolicyContent): string {
  const { id, name, effect, condition, consensus, time, notes } = policy;
  return JSON.stringify({
    policyId: id,
    policyName: name,
    effect,
    condition,
    consensus,
    time,
    notes,
  });
}

/** Returns the text of a set. Its SHA-256, base64url, names the set. */
export function textOfPolicySet({ organizationId, nonce, policies }: PolicySetContent): string {
  const lines = policies.map(({ id, digest }) => `policy ${id} ${digest}\n`);
  return `${policiesKind}\norganization ${organizationId}\nnonce ${nonce}\n${lines.join('')}`;
}
