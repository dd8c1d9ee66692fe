// Compares the reader for Solana with @solana/kit and @solana/web3.js, and tries it on changed bytes.

import { isDeepStrictEqual } from 'node:util';
import type { SigningAccount } from '../../src/core/chains/chain.ts';
import { solanaFormat } from '../../src/core/chains/solana/sign.ts';
import type { SolanaTransaction } from '../../src/core/chains/solana/transaction.ts';
import { UnreadableTransaction } from '../../src/core/chains/unreadable.ts';
import { solanaFacts } from '../../src/core/transactions/solana/facts.ts';
import { accountOf, malformedVectors, solanaVectors } from '../core/chains/solana/vectors.ts';
import type { Random } from '../policy_reference/random.ts';
import { changedTransaction } from './solana_changes.ts';
import { hasUnknownOfSystem, refusalOfNetwork } from './solana_network.ts';
import { readByKit, readByWeb3, viewOf } from './solana_oracles.ts';
import { type CaseOutcome, type ChainTrial, withByteChanged } from './trial.ts';

export const solanaTrial: ChainTrial = { differential, mutation };

type Sample = { readonly bytes: Uint8Array; readonly account: SigningAccount };

const good: readonly Sample[] = solanaVectors.map(sampleOf);
const malformed = malformedVectors.filter(({ code }) => code !== 'hex');
const starts: readonly Sample[] = [...good, ...malformed.map(sampleOf)];

function sampleOf(
  vector: Parameters<typeof accountOf>[0] & { readonly unsignedTransaction: string },
): Sample {
  return { bytes: Uint8Array.fromHex(vector.unsignedTransaction), account: accountOf(vector) };
}

/**
 * The reader must refuse bytes that a library refuses or writes differently. It must accept all others with
 * the same facts, unless the network or a named rule refuses them.
 */
function differential(random: Random): CaseOutcome {
  const { bytes: start, account } = random.pick(starts);
  const bytes = changedTransaction(start, random);
  const ours = readByUs(bytes, account);
  const problem = (name: string): CaseOutcome => ({
    name,
    problem: `${name}: ${bytes.toHex()}, ${account.address}, ${ours instanceof UnreadableTransaction ? ours.message : 'accepted'}`,
  });
  const kit = readByKit(bytes);
  // The older library does not know version 1.
  const others = bytes[0] === 0x81 ? [kit] : [kit, readByWeb3(bytes)];
  const failed = others.find((other) => typeof other === 'string');
  if (failed !== undefined) {
    if (!(ours instanceof UnreadableTransaction)) return problem(`accepted; a library ${failed}`);
    return { name: `refused; a library ${failed}` };
  }
  const reason =
    typeof kit === 'string' ? undefined : refusalOfNetwork(kit, bytes, account.address);
  if (ours instanceof UnreadableTransaction) {
    return reason === undefined
      ? problem('refused, and accepted by the libraries')
      : { name: `refused by the rules of the network: ${reason}` };
  }
  if (reason !== undefined) return problem(`accepted against the rules: ${reason}`);
  const view = viewOf(ours);
  const hasTransfers = transfersOf(ours) !== undefined;
  if (hasTransfers === hasUnknownOfSystem(view)) {
    return problem(`${hasTransfers ? '' : 'no '}transfers in the facts`);
  }
  return others.every((other) => isDeepStrictEqual(view, other))
    ? { name: 'accepted' }
    : problem('other facts than those of a library');
}

/** Returns the fact that is absent if an unknown instruction of the system program may move SOL. */
function transfersOf(transaction: SolanaTransaction): unknown {
  const { solana } = JSON.parse(
    JSON.stringify(solanaFacts(transaction, new Map()), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  );
  return solana.tx.transfers;
}

function readByUs(
  bytes: Uint8Array,
  account: SigningAccount,
): SolanaTransaction | UnreadableTransaction {
  try {
    return solanaFormat.read(bytes, account);
  } catch (error) {
    if (error instanceof UnreadableTransaction) return error;
    throw error;
  }
}

/**
 * A changed byte must be refused, change the signed message, be part of another signature in the answer, or
 * be overwritten by our own signature.
 */
function mutation(random: Random): CaseOutcome {
  const { bytes, account } = random.pick(good);
  const changed = withByteChanged(bytes, random);
  const [before, after] = [readByUs(bytes, account), readByUs(changed, account)];
  if (after instanceof UnreadableTransaction) return { name: 'refused' };
  if (before instanceof UnreadableTransaction) throw new Error('expected a good transaction');
  const isSameMessage = isDeepStrictEqual(signedOf(before), signedOf(after));
  const isSameFacts = isDeepStrictEqual(
    solanaFacts(before, new Map()),
    solanaFacts(after, new Map()),
  );
  if (!isSameMessage && !isSameFacts) return { name: 'another fact' };
  if (!isSameMessage) return { name: 'another message, of the same facts' };
  const answers = [answerOf(before), answerOf(after)];
  if (isSameFacts && answers[0] !== answers[1]) {
    return { name: 'the signature of another, which stays in the answer' };
  }
  const start = bytes.findIndex((byte, i) => byte !== changed[i]) - slotStart(before);
  if (isSameFacts && start >= 0 && start < 64) return { name: 'our own signature, written over' };
  return { name: 'unseen', problem: `unseen: ${bytes.toHex()} as ${changed.toHex()}` };
}

const signedOf = (transaction: SolanaTransaction) =>
  solanaFormat.signedBytes(transaction).map((message) => message.toHex());

const half = new Uint8Array(32).fill(0xee);
const answerOf = (transaction: SolanaTransaction): string =>
  solanaFormat.attach(transaction, [{ r: half, s: half, v: 0 }]).toHex();

const slotStart = ({ version, message, slot }: SolanaTransaction): number =>
  64 * slot + (version === 'V1' ? message.length : 1);
