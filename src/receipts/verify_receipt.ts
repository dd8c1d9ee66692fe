// Verifies a receipt offline. It needs the receipt and a policy, and no part of the service.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type ActivityEntry, commitmentOf, readEntry, saltBytes } from '../core/log/entry.ts';
import { isIncluded, leafHash } from '../core/log/inclusion.ts';
import { bytesOf, bytesOfBase64, type VerifyEd25519 as Verify } from '../core/log/note.ts';
import { readPolicy } from '../core/log/trust_policy.ts';
import { type PolicyDecision, type PolicyTexts, policyDecisions } from './policy_decisions.ts';
import { attempt, verifyEd25519, verifyP256 } from './signatures.ts';
import { requireSignedVotes } from './signed_votes.ts';
import { objectOf, parsed, readTrustedProof } from './trusted_proof.ts';
import { type ShownRun, type VerifiedBoot, verifyBoot } from './verify_boot.ts';

/** The longest receipt that is read. */
const maximumReceiptCharacters = 16 * 1024 * 1024;

/** A vote; the first one is the request. */
export type VerifiedVote = {
  readonly userId: string;
  readonly selection: string;
  readonly publicKey: string;
  /** The exact text that was signed. */
  readonly message: string;
  readonly scheme: string;
  /** False for a scheme unknown to this verifier, and for a refused request, which has no signature. */
  readonly isSignatureVerified: boolean;
};

export type VerifiedReceipt = {
  readonly log: string;
  readonly index: number;
  readonly size: number;
  readonly witnesses: readonly string[];
  readonly entry: ActivityEntry;
  /** Undefined if the receipt contains only the digest of the record. */
  readonly activity:
    | {
        readonly type: string;
        readonly votes: readonly VerifiedVote[];
        readonly result: unknown;
        /** The outcomes of policies at each vote that they decided. */
        readonly decisions: readonly PolicyDecision[];
      }
    | undefined;
  /** The run of the enclave that appended the entry. Undefined if the receipt has no boot statement. */
  readonly boot: VerifiedBoot | undefined;
  readonly cannotShow: readonly string[];
};

const limits = [
  'that the service holds nothing more recent: ask keywright for the newest state',
  'that the operator entered no votes of its own for users whose keys it controls',
  'which program ran: a statement by software is no hardware attestation',
  'which run of the enclave decided the activity: another one may have appended its entry',
];

/** Verifies a receipt, as text. Throws an error that names the failed check. */
export function verifyReceipt(receiptText: string, policyText: string): VerifiedReceipt {
  const policy = readPolicy(sha256, policyText);
  if (receiptText.length > maximumReceiptCharacters) throw new Error('the receipt is too large');
  const receipt = membersOf(receiptText);
  const { proof, log, size, root, witnesses } = readTrustedProof(receipt.proof, policy);
  const salt = bytesOfBase64(receipt.salt);
  const entry = readEntry(receipt.entry);
  if (salt?.length !== saltBytes || entry === undefined) {
    throw new Error('the entry of the receipt is malformed');
  }
  const leaf = leafHash(sha256, commitmentOf(sha256, salt, receipt.entry));
  const { index, hashes } = proof;
  if (!isIncluded(sha256, { leaf, index, size, root, proof: hashes })) {
    throw new Error('the checkpoint does not have the entry of the receipt');
  }
  const { record, policies, run } = receipt;
  const boot = run && verifyBoot(run, { leaf, index, size, root, note: proof.note });
  const program = `${boot?.statement['sourcesDigest'] ?? 'of a receipt without boot statement'}`;
  if (policy.programs.length > 0 && !policy.programs.includes(program)) {
    throw new Error(`the policy does not trust the program ${program}`);
  }
  const activity = record === undefined ? undefined : activityOf(record, entry, policies);
  const unverified = (activity?.votes ?? []).filter((vote) => !vote.isSignatureVerified);
  const isRefused = unverified.some(({ scheme }) => schemes[scheme] !== undefined);
  const cannotShow = [
    ...(record === undefined ? ['the record, which has tokens or codes: only its digest'] : []),
    ...(isRefused ? ['the signature of the refused request: the service does not store it'] : []),
    ...(unverified.length > 0 && !isRefused
      ? ['the signatures of schemes that this verifier does not know']
      : []),
    ...(boot === undefined
      ? ['the run of the enclave that appended the entry: the receipt has no boot statement']
      : []),
    ...missingPolicies(activity?.decisions ?? []),
    ...(policy.quorum === 'none' ? ['that anyone beside the service has seen the log'] : []),
    ...limits,
  ];
  return { log, index, size, witnesses, entry, activity, boot, cannotShow };
}

function membersOf(text: string) {
  const outer = objectOf(parsed(text));
  const { receiptFormat, entry, salt, proof, record, policySets, policyTexts, ...rest } = objectOf(
    outer['receipt'] ?? outer,
  );
  const { bootEntry, bootPlace, runProof, ...others } = rest;
  if (receiptFormat !== 'keywright-receipt/v1')
    throw new Error('the file is not a receipt of this format');
  const isText = [entry, salt, proof].every((each) => typeof each === 'string');
  const isRecord = record === undefined || typeof record === 'string';
  if (!isText || !isRecord || Object.keys(others).length > 0) {
    throw new Error('the receipt has other members than a receipt has');
  }
  const policies = { sets: textsOf(policySets), texts: textsOf(policyTexts) };
  if (record === undefined && policies.sets.length + policies.texts.length > 0) {
    throw new Error('the receipt has policies without a record that names them');
  }
  const run = runOf([bootEntry, bootPlace, runProof]);
  return { entry: `${entry}`, salt: `${salt}`, proof: `${proof}`, record, policies, run };
}

/** Returns undefined for earlier receipts, which have no run. */
function runOf(texts: readonly unknown[]): ShownRun | undefined {
  if (texts.every((each) => each === undefined)) return undefined;
  const [bootEntry = '', bootPlace = '', runProof = ''] = textsOf(texts);
  return { bootEntry, bootPlace, runProof };
}

function textsOf(value: unknown): readonly string[] {
  const list = value ?? [];
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list;
  throw new Error('the receipt is malformed');
}

function missingPolicies(decisions: readonly PolicyDecision[]): readonly string[] {
  const sets = decisions.filter(({ policies }) => policies === undefined).length;
  const changed = decisions.flatMap(({ policies }) =>
    (policies ?? []).flatMap(({ policyId, text }) => (text === undefined ? [policyId] : [])),
  );
  return [
    ...(sets > 0 ? ['the policies that decided at some votes: only their outcomes'] : []),
    ...(changed.length > 0
      ? [`the text of policies that have changed since: ${[...new Set(changed)].join(' ')}`]
      : []),
  ];
}

/** Reads the record, whose members are letters: see docs/receipts.md. */
function activityOf(
  record: string,
  entry: ActivityEntry,
  texts: PolicyTexts,
): VerifiedReceipt['activity'] {
  if (sha256(bytesOf(record)).toHex() !== entry.record) {
    throw new Error('the record of the receipt is not the one that the entry commits to');
  }
  const { t: type, v: list, r: result, o: evaluations, ...others } = objectOf(parsed(record));
  if (typeof type !== 'string' || !Array.isArray(list)) {
    throw new Error('the record of the receipt is malformed');
  }
  const votes: VerifiedVote[] = [];
  const { organizationId, status } = entry;
  for (const each of list) votes.push(voteOf(objectOf(each), votes, status));
  const { f: fingerprint, q: request } = others;
  requireSignedVotes(votes, { type, organizationId, fingerprint, request });
  const decisions = policyDecisions(evaluations, texts, organizationId);
  return { type, votes, result: result ?? {}, decisions };
}

function voteOf(
  vote: Readonly<Record<string, unknown>>,
  earlier: readonly VerifiedVote[],
  status: string,
): VerifiedVote {
  const { m, s = 'VOTE_SELECTION_APPROVED', u, k, g, h } = vote;
  // A vote on the same large body refers to the vote with the body.
  const text = typeof m === 'number' ? earlier[m]?.message : m;
  const [message = '', selection = '', userId = '', publicKey = '', signature = '', scheme = ''] =
    textsOf([text, s, u, k, g, h]);
  const verify = schemes[scheme];
  const isRefused = signature === '' && status === 'ACTIVITY_STATUS_FAILED';
  const isSignatureVerified = verify !== undefined && !isRefused;
  const isValid = () => verify?.(fromHex(signature), bytesOf(message), fromHex(publicKey)) === true;
  if (isSignatureVerified && !attempt(isValid)) {
    throw new Error(`the signature of user ${userId} is invalid`);
  }
  return { userId, selection, publicKey, message, scheme, isSignatureVerified };
}

const fromHex = (text: string): Uint8Array => Uint8Array.fromHex(text);

/** Signatures of votes by their scheme. */
const schemes: Readonly<Record<string, Verify>> = {
  SIGNATURE_SCHEME_TK_API_P256: (...signed) => verifyP256(...signed, 'der'),
  SIGNATURE_SCHEME_TK_API_SECP256K1: (...signed) =>
    secp256k1.verify(...signed, { format: 'der', lowS: false }),
  SIGNATURE_SCHEME_TK_API_ED25519: verifyEd25519,
};
