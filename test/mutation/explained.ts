// Faults that no test can or need notice, each with its reason. A fault is identified by the text of its
// line, not by the line number.

import type { Mutant } from './mutants.ts';

export type Explained = Pick<Mutant, 'file' | 'lineText' | 'fault'> & { readonly reason: string };

export const explained: readonly Explained[] = [
  {
    file: 'src/core/policy/language/comparison.ts',
    lineText: "if (typeof a === 'bigint' && typeof b === 'bigint') return holds(a, b);",
    fault: 'the condition never holds',
    reason:
      'two numbers are then compared as ranges of one number each, which gives the same answer',
  },
  {
    file: 'src/core/policy/decision/decision.ts',
    lineText: 'if (!policies.some(({ time }) => time !== undefined)) return partialVerdicts;',
    fault: 'the condition never holds',
    reason: 'each verdict of a policy without a time is then returned as it is, which takes longer',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (steps.length === 2) {',
    fault: 'the condition never holds',
    reason: 'the loop reads the same, which takes longer',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (base === undefined && root !== undefined) return note(frame, root.absent);',
    fault: '!== becomes ===',
    reason: 'the loop then notes the same, which takes longer',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (steps.length === 3) {',
    fault: 'the condition never holds',
    reason: 'the loop reads the same, which takes longer',
  },
  {
    file: 'src/core/policy/language/comparison.ts',
    lineText: 'if (steps > 0 && !spend(frame, steps, limit)) return undefined;',
    fault: '> becomes >=',
    reason:
      'no steps are too many only once others were: then the clause has no value, and the first failure stays',
  },
  {
    file: 'src/core/policy/language/compiler.ts',
    lineText: 'if (!isUnknown) return isDecided === decisive;',
    fault: 'the condition never holds',
    reason: 'the rule for all operands gives the same where each is known, which takes longer',
  },
  {
    file: 'src/core/policy/language/reads.ts',
    lineText:
      'if (steps.length === 0) return (frame) => admit(frame, variable.element, expected, misfits);',
    fault: 'the condition never holds',
    reason: 'a path without steps then leads to the element itself, which takes longer',
  },
  {
    file: 'src/core/policy/language/clause.ts',
    lineText: 'if (failed?.failure !== failure) failed = { failure };',
    fault: 'the condition always holds',
    reason: 'the same failure is then told by a new object each time',
  },
  {
    file: 'src/core/policy/decision/decision.ts',
    lineText: "const hasPolicies = rule === 'policy' && policies.length > 0;",
    fault: '> becomes >=',
    reason: 'no policies are then evaluated one after the other, which gives no verdict either',
  },
  {
    file: 'src/core/policy/decision/decision.ts',
    lineText:
      'const pairs = paired.flatMap((one, i) => paired.slice(i + 1).map((other) => [one, other]));',
    fault: '+ becomes -',
    reason: 'all pairs are then tried all the same, most of them twice',
  },
  {
    file: 'src/core/policy/decision/decision.ts',
    lineText: 'if (key === undefined) return made();',
    fault: 'the condition never holds',
    reason:
      'outcomes without a key are new each time: their verdicts are then kept and not found again',
  },
  {
    file: 'src/core/policy/decision/decision.ts',
    lineText: 'if (voters.length === 0) return [];',
    fault: 'the condition never holds',
    reason: 'no set is then made of no voters either, which takes longer',
  },
  {
    file: 'src/core/policy/decision/condition_outcomes.ts',
    lineText: 'if (only === undefined) return holds;',
    fault: 'the condition never holds',
    reason: 'an activity has at least one part',
  },
  {
    file: 'src/core/policy/decision/condition_outcomes.ts',
    lineText: 'if (only === undefined) return holds;',
    fault: 'the answer is undefined',
    reason: 'an activity has at least one part',
  },
  {
    file: 'src/core/policy/decision/facts.ts',
    lineText: 'const own = part.params && {',
    fault: '&& becomes ||',
    reason: 'a part without parameters of its own then has those of its activity, as before',
  },
  {
    file: 'src/core/auth/webauthn/authenticator_data.ts',
    lineText:
      "if (bytes.length < idStart) refuse('expected a credential in the authenticator data');",
    fault: '< becomes <=',
    reason: 'a credential that ends there has no id or no key, and is refused for that',
  },
  {
    file: 'src/core/auth/stamp.ts',
    lineText: "if (bytes === undefined) malformed('expected base64url');",
    fault: 'the condition never holds',
    reason: 'the decoder reads it as an empty text, which is refused as no JSON object',
  },
  {
    file: 'src/core/auth/stamp.ts',
    lineText: "if (text === undefined) malformed('expected JSON in UTF-8');",
    fault: 'the condition never holds',
    reason: 'the parser then takes it for a word that is no JSON, which is refused likewise',
  },
  {
    file: 'src/pipeline/find_caller.ts',
    lineText: 'if (provider === undefined || user === undefined) return undefined;',
    fault: '|| becomes &&',
    reason: 'an account at a provider is deleted with its user: both are there, or neither',
  },
  {
    file: 'src/pipeline/find_caller.ts',
    lineText: 'if (state.parentId === undefined) {',
    fault: 'the condition always holds',
    reason: 'the limit of address lists in a child is zero, so that every address is allowed there',
  },
  {
    file: 'src/core/auth/client_signature.ts',
    lineText: 'if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);',
    fault: '|| becomes &&',
    reason: 'an empty list and what is not empty are then compared, and are not the same either',
  },
  {
    file: 'src/store/commits/batch.ts',
    lineText: 'return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);',
    fault: '< becomes <=',
    reason: 'no two keys of a map are equal',
  },
  {
    file: 'src/enclave/keys/keyring.ts',
    lineText: 'if (known !== undefined) return known;',
    fault: 'the condition never holds',
    reason: 'each request then makes a keyring of its own, which holds nothing',
  },
  {
    file: 'src/enclave/keys/keyring.ts',
    lineText: 'keyrings.set(name, keyring);',
    fault: 'the call is left out',
    reason: 'each request then makes a keyring of its own, which holds nothing',
  },
  {
    file: 'src/enclave/keys/signing_key_cache.ts',
    lineText: 'names?.delete(name);',
    fault: 'the call is left out',
    reason: 'names of keys that left the cache stay: memory, which no answer shows',
  },
  {
    file: 'src/enclave/keys/signing_key_cache.ts',
    lineText: 'if (names?.size === 0) namesOf.delete(organizationId);',
    fault: 'the condition never holds',
    reason: 'an empty set of names stays for each organization: memory, which no answer shows',
  },
  {
    file: 'src/enclave/keys/signing_key_cache.ts',
    lineText: 'if (names?.size === 0) namesOf.delete(organizationId);',
    fault: 'the call is left out',
    reason: 'an empty set of names stays for each organization: memory, which no answer shows',
  },
  {
    file: 'src/enclave/keys/signing_key_cache.ts',
    lineText: 'deleted.set(wallet, true);',
    fault: 'true becomes false',
    reason: 'a name is asked for, and not its value',
  },
  {
    file: 'src/enclave/keys/service_keys.ts',
    lineText: 'for (const { privateKey } of known.values()) wipe(privateKey);',
    fault: 'the call is left out',
    reason: 'no test sees bytes that are handed to nobody',
  },
  {
    file: 'src/enclave/keys/service_keys.ts',
    lineText: 'known.clear();',
    fault: 'the call is left out',
    reason: 'nothing asks for a key after the service keys were closed',
  },
  {
    file: 'src/enclave/keys/keyring.ts',
    lineText: 'wipe(tweaked);',
    fault: 'the call is left out',
    reason: 'no test sees bytes that are handed to nobody',
  },
  {
    file: 'src/core/crypto/aead.ts',
    lineText:
      "typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);",
    fault: '=== becomes !==',
    reason: 'Node takes texts as UTF-8 by default, and no encoding for bytes',
  },
  {
    file: 'src/enclave/records/change_writer.ts',
    lineText: 'if (after.head !== state.head || state.version === 0) {',
    fault: 'the condition always holds',
    reason: 'entries that are removed and added again stay as they are',
  },
  {
    file: 'src/enclave/records/repository.ts',
    lineText: 'if (rows.organizations.length > 0) known.remember(after);',
    fault: 'the condition always holds',
    reason: 'a state that no change replaced is the one in memory already',
  },
  {
    file: 'src/enclave/records/repository.ts',
    lineText: 'if (rows.organizations.length > 0) known.remember(after);',
    fault: '> becomes >=',
    reason: 'a state that no change replaced is the one in memory already',
  },
  {
    file: 'src/core/crypto/aead.ts',
    lineText: 'wipe(plaintext);',
    fault: 'the call is left out',
    reason: 'no test sees bytes that are handed to nobody',
  },
  {
    file: 'src/core/users/bundled_sessions.ts',
    lineText: 'wipe(candidate);',
    fault: 'the call is left out',
    reason: 'random bytes that are no key protect nothing',
  },
  {
    file: 'src/pipeline/voting_rights.ts',
    lineText: 'given?.rememberConditions(activity.fingerprint);',
    fault: 'the call is left out',
    reason: 'the next reader then evaluates the conditions again, which takes longer',
  },
  {
    file: 'src/core/policy/language/comparison.ts',
    lineText: 'if (!spend(frame, stepsToCompare(a, b), limit)) return undefined;',
    fault: 'the condition never holds',
    reason: 'the frame keeps that the steps were used up, so the clause has no value either way',
  },
  {
    file: 'src/core/policy/language/comparison.ts',
    lineText:
      'if (!spend(frame, stepsToCompare(value, element), failures.limit)) return undefined;',
    fault: 'the condition never holds',
    reason: 'the frame keeps that the steps were used up, so the clause has no value either way',
  },
  {
    file: 'src/core/policy/language/reads.ts',
    lineText: 'if (!spend(frame, items.length, limit)) return undefined;',
    fault: 'the condition never holds',
    reason: 'the frame keeps that the steps were used up, so the clause has no value either way',
  },
  {
    file: 'src/core/policy/language/comparison.ts',
    lineText: 'if (element === undefined) return undefined;',
    fault: 'the condition never holds',
    reason: 'the failure of the element is noted at the same place before the other, and stays',
  },
  {
    file: 'src/core/policy/language/compiler.ts',
    lineText: 'if (!isCountInDoubt(left) && !isCountInDoubt(right)) {',
    fault: 'the condition never holds',
    reason: 'two numbers are then compared as counts that are known, which gives the same answer',
  },
  {
    file: 'src/core/policy/language/compiler.ts',
    lineText: 'if (texts.length === literals.length)',
    fault: 'the condition always holds',
    reason:
      'the checker takes no list of literals of two types, or of another type than the element',
  },
  {
    file: 'src/core/policy/language/compiler.ts',
    lineText: 'if (numbers.length === literals.length) {',
    fault: 'the condition always holds',
    reason:
      'the checker takes no list of literals of two types, or of another type than the element',
  },
  {
    file: 'src/core/policy/language/compiler.ts',
    lineText: 'isOverVotes: isOfVotes(node.target, true),',
    fault: 'true becomes false',
    reason: 'the filter that a predicate follows has found its votes to matter already',
  },
  {
    file: 'src/core/policy/language/lambda.ts',
    lineText: 'if (isOver(frame, lambda)) return undefined;',
    fault: 'the condition never holds',
    reason: 'no further predicate is then evaluated either, and the clause has no value',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (steps.length === 2) {',
    fault: 'the condition always holds',
    reason:
      'what lies two steps deep of a longer path is a struct, which fits no end of one: the loop reads on',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (steps.length === 2) {',
    fault: '=== becomes !==',
    reason:
      'what lies two steps deep of a longer path is a struct, which fits no end of one: the loop reads on',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (steps.length === 3) {',
    fault: 'the condition always holds',
    reason:
      'what lies three steps deep of a longer path is a struct, which fits no end of one: the loop reads on',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (steps.length === 3) {',
    fault: '=== becomes !==',
    reason:
      'what lies three steps deep of a longer path is a struct, which fits no end of one: the loop reads on',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (base === undefined && root !== undefined) return note(frame, root.absent);',
    fault: 'the condition never holds',
    reason: 'the loop then notes the same, which takes longer',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (!isObject(value)) return note(frame, step.ownerIsNoStruct);',
    fault: 'the condition never holds',
    reason: 'what is no object has no member of this name, which is noted the same way',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'if (!isObject(value)) return undefined;',
    fault: 'the condition always holds',
    reason: 'the loop then reads the same, which takes longer',
  },
  {
    file: 'src/core/policy/language/path.ts',
    lineText: 'return struct[field];',
    fault: 'the answer is undefined',
    reason: 'the loop then reads the same, which takes longer',
  },
  {
    file: 'src/core/policy/velocity/assets.ts',
    lineText: 'if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return false;',
    fault: 'the condition never holds',
    reason: 'the decoder refuses such a text as well; the look before bounds what it reads',
  },
  {
    file: 'src/core/policy/velocity/controls.ts',
    lineText: 'if (chainAssetTransfer === undefined) return;',
    fault: 'the condition never holds',
    reason:
      'exactly one of the two sources is there, and the other has been left to its own checks',
  },
  {
    file: 'src/core/policy/velocity/counting.ts',
    lineText: 'if (!hasControls(organization)) return noControls;',
    fault: 'the condition never holds',
    reason: 'no policy reads a control then, which gives the same a line later',
  },
  {
    file: 'src/core/policy/velocity/counting.ts',
    lineText: 'if (counters.length + needed <= maximumCounters) return true;',
    fault: 'the condition never holds',
    reason: 'there is room for those that count something as well, which takes longer to find',
  },
  {
    file: 'src/core/policy/velocity/counting.ts',
    lineText: 'if (counters.length + needed <= maximumCounters) return true;',
    fault: '<= becomes <',
    reason: 'there is room for those that count something as well, which takes longer to find',
  },
  {
    file: 'src/pipeline/verify_stamp.ts',
    lineText:
      "headers.length > 1 ? headers.filter(({ name }) => name.startsWith('x-stamp')) : headers;",
    fault: '> becomes >=',
    reason: 'a lone session is found a line later, since no stamp is there',
  },
  {
    file: 'src/pipeline/verify_stamp.ts',
    lineText: 'const found = stamps.length > 0 ? stamps : headers;',
    fault: '> becomes >=',
    reason: 'at most one of several headers is a session, so another is a stamp',
  },
  {
    file: 'src/pipeline/parse_body.ts',
    lineText:
      'return body.length > largeBodyBytes ? finishInParts(bodyInSteps(body), pause) : parseBody(body);',
    fault: '> becomes >=',
    reason: 'both ways read the same body',
  },
  {
    file: 'src/pipeline/parse_body.ts',
    lineText: 'if (body.length > largeBodyBytes) yield;',
    fault: 'the condition always holds',
    reason: 'a pause changes no result; npm run stalls measures the pieces',
  },
  {
    file: 'src/pipeline/parse_body.ts',
    lineText: 'if (body.length > largeBodyBytes) yield;',
    fault: 'the condition never holds',
    reason: 'a pause changes no result; npm run stalls measures the pieces',
  },
  {
    file: 'src/pipeline/parse_body.ts',
    lineText: 'if (body.length > largeBodyBytes) yield;',
    fault: '> becomes >=',
    reason: 'a pause changes no result; npm run stalls measures the pieces',
  },
  {
    file: 'src/pipeline/parse_body.ts',
    lineText: 'body.length > largeBodyBytes',
    fault: '> becomes >=',
    reason: 'both ways count the same',
  },
  {
    file: 'src/pipeline/parse_body.ts',
    lineText: 'if (kept !== member) members ??= Object.entries(value).slice(0, seen);',
    fault: 'the condition always holds',
    reason: 'the copy has the same members, and takes longer',
  },
  {
    file: 'src/pipeline/record.ts',
    lineText: 'if (facts === undefined) return undefined;',
    fault: 'the condition never holds',
    reason: 'facts are absent only at a rejection, which completes no activity',
  },
];

/** Returns the reason why no test need notice a fault; undefined if a test must notice it. */
export function explanationOf({ file, lineText, fault }: Mutant): string | undefined {
  return explained.find(
    (row) => row.file === file && row.lineText === lineText && row.fault === fault,
  )?.reason;
}
