// A verifier's policy: the trusted logs, and the witnesses that must have cosigned a checkpoint (C2SP's
// tlog-policy).

import { type Hash, sameBytes } from './inclusion.ts';
import {
  readVerifierKey,
  type SignedNote,
  type VerifierKey,
  type VerifyEd25519,
  verifyNote,
} from './note.ts';

/** A witness, with its URL prefix if the policy contains one. */
export type PolicyWitness = { readonly key: VerifierKey; readonly url: string | undefined };

type Group = { readonly threshold: number; readonly members: readonly string[] };

export type TrustPolicy = {
  readonly logs: readonly VerifierKey[];
  readonly witnesses: ReadonlyMap<string, PolicyWitness>;
  readonly groups: ReadonlyMap<string, Group>;
  readonly quorum: string;
  /** Digests of the enclave's trusted programs, hex; empty if any program is accepted. */
  readonly programs: readonly string[];
};

const maximumLines = 1_000;
/** The most words of a line by its first word; a URL may end the lines of logs and witnesses. */
const longest: Readonly<Record<string, number>> = { log: 3, witness: 4, quorum: 2, program: 2 };
const numberIn = (text: string): number => Number(/^[0-9]+$/.exec(text)?.[0]);

/** Reads a policy. Throws an error that names the line. */
export function readPolicy(hash: Hash, text: string): TrustPolicy {
  const logs: VerifierKey[] = [];
  const witnesses = new Map<string, PolicyWitness>();
  const groups = new Map<string, Group>();
  const programs: string[] = [];
  const members = new Set<string>();
  let quorum: string | undefined;
  const lines = text.split('\n');
  if (lines.length > maximumLines) throw new Error('the policy has too many lines');
  for (const [i, line] of lines.entries()) {
    const refuse = (reason: string): never => {
      throw new Error(`line ${i + 1} of the policy: ${reason}`);
    };
    const words = line.replace(/^[ \t]+|[ \t]*\r?$/g, '').split(/[ \t]+/);
    const [word = '', name = '', value = '', ...rest] = words;
    const isTaken = witnesses.has(name) || groups.has(name) || name === 'none';
    const keyOf = (encoded: string, type: VerifierKey['type']) => {
      const key = readVerifierKey(hash, encoded) ?? refuse('the verifier key is malformed');
      return key.type === type ? key : refuse(`a ${word} needs a key of type ${type}`);
    };
    if (word === '' || word.startsWith('#')) continue;
    if (words.length > (longest[word] ?? maximumLines)) refuse('it has too many words');
    if (word === 'log') logs.push(keyOf(name, 'note'));
    else if (word === 'witness') {
      if (isTaken) refuse(`the name ${name} is taken`);
      const key = keyOf(value, 'cosignature');
      const isKnown = witnesses
        .values()
        .some((each) => sameBytes(each.key.publicKey, key.publicKey));
      if (isKnown) refuse('two witnesses have the same key');
      witnesses.set(name, { key, url: rest[0] });
    } else if (word === 'group') {
      if (isTaken) refuse(`the name ${name} is taken`);
      const threshold = value === 'all' ? rest.length : value === 'any' ? 1 : numberIn(value);
      const isBound = Number.isInteger(threshold) && threshold >= 1 && threshold <= rest.length;
      if (!isBound) refuse('a group needs between one and all of its members');
      for (const each of rest) {
        if (!witnesses.has(each) && !groups.has(each)) refuse(`${each} is not defined above`);
        // In two groups, one witness could meet a quorum of two.
        if (members.has(each)) refuse(`${each} is a member already`);
        members.add(each);
      }
      groups.set(name, { threshold, members: rest });
    } else if (word === 'quorum') {
      if (quorum !== undefined) refuse('there is a quorum already');
      if (name !== 'none' && !isTaken) refuse(`${name} is not defined above`);
      quorum = name;
    } else if (word === 'program') {
      programs.push(/^[0-9a-f]{64}$/.test(name) ? name : refuse('the digest is malformed'));
    } else refuse(`${word} is not a word of a policy`);
  }
  if (quorum === undefined)
    throw new Error('the policy names no quorum; write "quorum none" for none');
  return { logs, witnesses, groups, quorum, programs };
}

/** Returns the witnesses whose cosignature is valid, and true if they meet the quorum. */
export function witnessesOf(
  policy: TrustPolicy,
  note: SignedNote,
  verify: VerifyEd25519,
): { readonly witnesses: readonly string[]; readonly isQuorum: boolean } {
  const seen = new Set<string>();
  for (const [name, { key }] of policy.witnesses) {
    const verified = verifyNote(note, key, verify);
    if (verified === 'invalid') throw new Error(`the cosignature of ${name} is invalid`);
    if (verified !== 'none') seen.add(name);
  }
  return { witnesses: [...seen], isQuorum: meetsQuorum(policy, seen) };
}

/** Returns true if witnesses meet the quorum of a policy. */
export function meetsQuorum({ groups, quorum }: TrustPolicy, seen: ReadonlySet<string>): boolean {
  const holds = (name: string): boolean => {
    const group = groups.get(name);
    if (group === undefined) return seen.has(name);
    return group.members.filter(holds).length >= group.threshold;
  };
  return quorum === 'none' || holds(quorum);
}
