// Texts of policy sets. Records of activities commit to the digests of these texts. The verifier of receipts
// shares this file.

export const policiesKind = 'keywright-policies/v1';

/** The policies of an organization between two policy changes. */
export type PolicySetContent = {
  readonly organizationId: string;
  /** A unique ID, so that the same policies at two times are different sets. */
  readonly nonce: string;
  /** In the order of the outcomes in evaluations. */
  readonly policies: readonly { readonly id: string; readonly digest: string }[];
};

const headPattern = new RegExp(
  `^${policiesKind}\norganization ([0-9a-f-]{36})\nnonce ([0-9a-f-]{36})\n((?:policy [0-9a-f-]{36} [\\w-]{43}\n)*)$`,
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
