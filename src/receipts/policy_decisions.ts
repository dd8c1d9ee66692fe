// Reads the deciding policies from the record of an activity and the policy texts of its receipt.

import { sha256 } from '@noble/hashes/sha2.js';
import { readPolicySet } from '../core/log/policy_texts.ts';

/** The outcomes of the policies at a vote. */
export type PolicyDecision = {
  /** Index in the list of votes. Undefined if the record does not contain it. */
  readonly vote: number | undefined;
  /** Undefined if the receipt does not contain the policy set. */
  readonly policies:
    | readonly {
        readonly policyId: string;
        readonly outcome: string;
        /** The policy as JSON. Undefined if the receipt omits it because the policy has changed. */
        readonly text: string | undefined;
      }[]
    | undefined;
};

/** The policy texts of a receipt. The record names each set by its digest, and each set its policies. */
export type PolicyTexts = {
  readonly sets: readonly string[];
  readonly texts: readonly string[];
};

const outcomeOfLetter: Readonly<Record<string, string>> = {
  A: 'OUTCOME_ALLOW',
  D: 'OUTCOME_DENY_EXPLICIT',
  I: 'OUTCOME_DENY_IMPLICIT',
  C: 'OUTCOME_REQUIRES_CONSENSUS',
  R: 'OUTCOME_REJECTED',
  E: 'OUTCOME_ERROR',
  M: 'OUTCOME_REQUIRES_AUTHENTICATORS',
  T: 'OUTCOME_TIME_INACTIVE',
};

/** Maximum outcomes in one receipt: 5,000 votes under the maximum number of policies of an organization. */
const maximumOutcomes = 500_000;

/**
 * Returns the outcomes of the policies by vote. `evaluations` is the member `o` of a record. Throws an error
 * if the receipt has a text that the record does not name, or if the outcomes do not fit the set.
 */
export function policyDecisions(
  evaluations: unknown,
  { sets, texts }: PolicyTexts,
  organizationId: string,
): readonly PolicyDecision[] {
  const setOf = new Map([...byDigest(sets)].map(([name, text]) => [name, readPolicySet(text)]));
  const textOf = byDigest(texts);
  const namedSets = new Set<string>();
  const usedTexts = new Set<string>();
  let left = maximumOutcomes;
  const decisions = listOf(evaluations).map((each): PolicyDecision => {
    const [place, members] = Array.isArray(each) ? each : [undefined, each];
    const { p: name, o: outcomes } = Object(members);
    const vote = typeof place === 'number' ? place : undefined;
    if (!setOf.has(name)) return { vote, policies: undefined };
    namedSets.add(name);
    const set = setOf.get(name);
    if (set?.organizationId !== organizationId) throw new Error('a set of policies is malformed');
    left -= set.policies.length;
    if (left < 0) throw new Error('the receipt has too many outcomes of policies');
    const letters = spelledOut(`${outcomes}`, set.policies.length);
    const policies = set.policies.map(({ id: policyId, digest }, i) => {
      const outcome = outcomeOfLetter[letters[i] ?? ''];
      if (outcome === undefined) throw misfit();
      const text = textOf.get(digest);
      if (text !== undefined) usedTexts.add(digest);
      if (text?.startsWith(`{"policyId":"${policyId}",`) === false) {
        throw new Error(`the text of policy ${policyId} belongs to another policy`);
      }
      return { policyId, outcome, text };
    });
    return { vote, policies };
  });
  if (namedSets.size !== sets.length || usedTexts.size !== texts.length) {
    throw new Error('the receipt has policies that its record does not name');
  }
  return decisions;
}

function byDigest(texts: readonly string[]): ReadonlyMap<unknown, string> {
  return new Map(texts.map((text) => [digestOf(text), text]));
}

/** SHA-256 of a text, base64url without padding. */
function digestOf(text: string): string {
  return sha256(new TextEncoder().encode(text)).toBase64({
    alphabet: 'base64url',
    omitPadding: true,
  });
}

/** Returns one letter for each of `count` policies. A number repeats the next letter. */
function spelledOut(outcomes: string, count: number): string {
  // Bounds the digits, because a long run of digits would take quadratic time.
  const next = /(\d{0,6})([A-Z])/y;
  let letters = '';
  for (let end = 0; end < outcomes.length; end = next.lastIndex) {
    const [, repeated = '', letter = ''] = next.exec(outcomes) ?? [];
    letters += letter.repeat(repeated === '' ? 1 : Number(repeated));
    if (letter === '' || letters.length > count) throw misfit();
  }
  if (letters.length !== count) throw misfit();
  return letters;
}

const misfit = () => new Error('the outcomes do not fit the set of policies');

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error('the record of the receipt is malformed');
  return value;
}
