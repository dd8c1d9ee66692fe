// Policy sets. Evaluations refer to a set by the digest of its text, so that a receipt can show the deciding
// policies.

import { base64url, utf8 } from '../../base/bytes.ts';
import type { Context } from '../../base/context.ts';
import { uuidOfDigest } from '../../base/ids.ts';
import { sha256 } from '../../crypto/hashes.ts';
import type { PolicySet } from '../../organization/model.ts';
import type { OrganizationDraft } from '../../organization/state.ts';
import { type PolicyContent, textOfPolicy, textOfPolicySet } from './policy_text.ts';

/** Returns the SHA-256 of a text, base64url without padding. */
const digestOf = (text: string): string => base64url(sha256(utf8(text)));

/** Digests of rows, computed once: rows never change, and their texts may have 500,000 characters. */
const digests = new WeakMap<PolicyContent, string>();

/** Returns the digest of a policy's text, by which a set names it. */
export const policyDigest = (policy: PolicyContent): string =>
  digests.getOrInsertComputed(policy, () => digestOf(textOfPolicy(policy)));

/** Returns the text of a set; undefined for a set of an earlier release without digests. */
export function policySetText(organizationId: string, set: PolicySet): string | undefined {
  const { nonce, digests, policyIds } = set;
  if (nonce === undefined || digests === undefined) return undefined;
  const policies = policyIds.map((id, i) => ({ id, digest: digests[i] ?? '' }));
  return textOfPolicySet({ organizationId, nonce, policies });
}

/**
 * Returns the row id of a set. `name` is the digest of the set. A set without a digest is named by its row
 * id, which is returned unchanged.
 */
export function policySetRowId(name: string): string {
  const isDigest = name.length === 43;
  return isDigest ? uuidOfDigest(Uint8Array.fromBase64(name, { alphabet: 'base64url' })) : name;
}

/**
 * Adds a set of the current policies. Earlier sets stay, because decisions contain one letter for each policy
 * in the order of their set.
 */
export function writePolicySet(organization: OrganizationDraft, context: Context): void {
  const nonce = context.newId();
  // In the order of a committed organization, which a draft may not have.
  const policies = organization
    .list('policy')
    .map((policy) => ({ id: policy.id, digest: policyDigest(policy) }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const policySetId = digestOf(
    textOfPolicySet({ organizationId: organization.id, nonce, policies }),
  );
  organization.add('policy_set', {
    id: policySetRowId(policySetId),
    policyIds: policies.map(({ id }) => id),
    nonce,
    digests: policies.map(({ digest }) => digest),
    createdAtMs: context.now,
    updatedAtMs: context.now,
  });
  organization.setHead({ policySetId });
}
