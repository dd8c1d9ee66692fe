// The policy of a verifier: the trusted logs, and the witnesses that must have seen a checkpoint (C2SP's
// tlog-policy).

import {
  readVerifierKey,
  type SignedNote,
  type VerifierKey,
  type VerifyEd25519,
  verifyNote,
} from '../core/log/note.ts';
import type { Hash } from '../core/log/tree.ts';

type Group = { readonly threshold: number; readonly members: readonly string[] };

export type TrustPolicy = {
  readonly logs: readonly VerifierKey[];
  readonly witnesses: ReadonlyMap<string, VerifierKey>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly quorum: string;
};

/** The most lines of a policy. */
const maximumLines = 1_000;

/** Reads a policy. Throws an error that names the line. */
export function readPolicy(hash: Hash, text: string): TrustPolicy {
  const logs: VerifierKey[] = [];
  const witnesses = new Map<string, VerifierKey>();
  const groups = new Map<string, Group>();
  let quorum: string | undefined;
  const lines = text.split('\n');
  if (lines.length > maximumLines) throw new Error('the policy has too many lines');
  for (const [i, line] of lines.entries()) {
    const refuse = (reason: string): never => {
      throw new Error(`line ${i + 1} of the policy: ${reason}`);
    };
    const [word = '', name = '', value = '', ...rest] = line.trim().split(/\s+/);
    const isTaken = witnesses.has(name) || groups.has(name) || name === 'none';
    const keyOf = (encoded: string) =>
      readVerifierKey(hash, encoded) ?? refuse('the verifier key is malformed');
    if (word === '' || word.startsWith('#')) continue;
    if (word === 'log') logs.push(keyOf(name));
    else if (word === 'witness') {
      if (isTaken) refuse(`the name ${name} is taken`);
      witnesses.set(name, keyOf(value));
    } else if (word === 'group') {
      if (isTaken) refuse(`the name ${name} is taken`);
      const threshold = value === 'all' ? rest.length : value === 'any' ? 1 : Number(value);
      const isBound = Number.isInteger(threshold) && threshold >= 1 && threshold <= rest.length;
      if (!isBound) refuse('a group needs between one and all of its members');
      if (new Set(rest).size !== rest.length) refuse('a member is named twice');
      for (const each of rest) {
        if (!witnesses.has(each) && !groups.has(each)) refuse(`${each} is not defined above`);
      }
      groups.set(name, { threshold, members: rest });
    } else if (word === 'quorum') {
      if (quorum !== undefined) refuse('there is a quorum already');
      if (name !== 'none' && !isTaken) refuse(`${name} is not defined above`);
      quorum = name;
    } else refuse(`${word} is not a word of a policy`);
  }
  if (logs.length === 0) throw new Error('the policy names no log');
  if (quorum === undefined)
    throw new Error('the policy names no quorum; write "quorum none" for none');
  return { logs, witnesses, groups, quorum };
}

/** Returns the witnesses whose cosignature is valid. Throws an error if the quorum is not met. */
export function requireQuorum(
  policy: TrustPolicy,
  note: SignedNote,
  verify: VerifyEd25519,
): readonly string[] {
  const seen = new Set<string>();
  for (const [name, key] of policy.witnesses) {
    const verified = verifyNote(note, key, verify);
    if (verified === 'invalid') throw new Error(`the cosignature of ${name} is invalid`);
    if (verified !== 'none') seen.add(name);
  }
  const holds = (name: string): boolean => {
    const group = policy.groups.get(name);
    if (group === undefined) return seen.has(name);
    return group.members.filter(holds).length >= group.threshold;
  };
  if (policy.quorum !== 'none' && !holds(policy.quorum)) {
    throw new Error('too few witnesses have seen the checkpoint for the quorum of the policy');
  }
  return [...seen];
}
