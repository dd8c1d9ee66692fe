// Texts of policies and policy sets. Records of activities commit to the digests of these texts. The verifier
// of receipts shares this file.

const kind = 'keywright-policies/v1';

/** The policies of an organization between two policy changes. */
type PolicySetContent = {
  readonly organizationId: string;
  /** A unique id, so that the same policies at two times are two sets. */
  readonly nonce: string;
  /** In the order of the outcomes in evaluations. */
  readonly policies: readonly { readonly id: string; readonly digest: string }[];
};

/** Returns the text of a set. Its SHA-256, base64url, names the set. */
export function textOfPolicySet({ organizationId, nonce, policies }: PolicySetContent): string {
  const lines = policies.map(({ id, digest }) => `policy ${id} ${digest}\n`);
  return `${kind}\norganization ${organizationId}\nnonce ${nonce}\n${lines.join('')}`;
}

const headPattern = new RegExp(
  `^${kind}\norganization ([0-9a-f-]{36})\nnonce ([0-9a-f-]{36})\n((?:policy [0-9a-f-]{36} [\\w-]{43}\n)*)$`,
);

/** Parses the text of a set. Returns undefined for a text that `textOfPolicySet` does not write. */
export function readPolicySet(text: string): PolicySetContent | undefined {
  const match = headPattern.exec(text);
  if (match === null) return undefined;
  const [, organizationId = '', nonce = '', lines = ''] = match;
  const policies = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, id = '', digest = ''] = line.split(' ');
      return { id, digest };
    });
  return { organizationId, nonce, policies };
}

/** A policy, as its author wrote it. */
export type PolicyContent = {
  readonly id: string;
  readonly name: string;
  readonly effect: string;
  readonly condition?: string;
  readonly consensus?: string;
  readonly time?: string;
  readonly notes: string;
};

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
