// The progress of a sent Solana transaction, from the answers of several nodes.

import type { SendError, SolanaLifetime, SolanaSend } from '../organization/records/sends.ts';
import { type SendProgress, setAside } from './progress.ts';
import { type ReportedFailure, solanaErrorOf } from './solana_failure.ts';

/** Commitment of a block: executed, voted for by most of the stake, or final. */
export const solanaLevels = ['processed', 'confirmed', 'finalized'] as const;
type Level = (typeof solanaLevels)[number];

type Inclusion = {
  readonly slot: number;
  readonly level: Level;
  /** The transaction's ID if its payer signed it again. */
  readonly signature?: string;
  /** Default: the transaction succeeded. */
  readonly error?: SendError;
};

/** The node's view of a transaction's lifetime as of a final block. */
export type SolanaEnd = {
  /** Slot of that block. */
  readonly slot: number;
  /** The oldest slot in which the node searched for the transaction. */
  readonly firstSlot: number;
  /** Height of that block, if the transaction's blockhash has expired. */
  readonly height: number | undefined;
  /** The nonce in the nonce account: base58; empty if there is no such account. */
  readonly nonce: string | undefined;
};

/** The members that determine the lifetime of a transaction. */
type Lifespan = Pick<SolanaSend, 'lifetime' | 'sinceSlot'>;

/** Maximum lead of the node whose slot was stored before signing. */
const maximumSlotSkew = 1_000;

/** A node's view of a pending transaction. */
export type SolanaSeen = {
  /** The newest slot in which the node searched for the transaction. */
  readonly slot: number;
  /** True if the node has the transaction; for several nodes, if more than half have it. */
  readonly isTaken: boolean;
  readonly inclusion: Inclusion | undefined;
  /** Fetched before the search for the transaction. */
  readonly end: SolanaEnd | undefined;
};

/**
 * Returns the view that more than half of `nodes` share; undefined without such a majority. A node without an
 * answer counts against it.
 */
export function agreedSolana(
  seen: readonly SolanaSeen[],
  nodes: number,
  lifespan: Lifespan,
): SolanaSeen | undefined {
  const isMajority = (some: readonly unknown[]) => some.length * 2 > nodes;
  const alike = [...Map.groupBy(seen, ({ inclusion }) => outcomeOf(inclusion)).values()].find(
    isMajority,
  );
  const [first] = alike ?? [];
  if (alike === undefined || first === undefined) return undefined;
  // The majority searched up to this slot, so a lagging or lying node blocks no report.
  const bySlot = (some: readonly SolanaSeen[]) =>
    some.toSorted((a, b) => b.slot - a.slot)[Math.floor(nodes / 2)];
  const over = bySlot(alike.filter((each) => isOver(lifespan, each)));
  const inclusion = first.inclusion && {
    ...first.inclusion,
    level: levelOfMost(alike, nodes),
    ...errorOfMost(alike, nodes),
  };
  return {
    slot: (over ?? bySlot(alike) ?? first).slot,
    isTaken: isMajority(seen.filter(({ isTaken }) => isTaken)),
    inclusion,
    end: over?.end,
  };
}

/**
 * Returns the failure with the details that more than half of the nodes report alike; other details are
 * unconfirmed.
 */
function errorOfMost(alike: readonly SolanaSeen[], nodes: number): Pick<Inclusion, 'error'> {
  const errors = alike.flatMap(({ inclusion }) => inclusion?.error ?? []);
  const [first] = errors;
  if (first?.solana === undefined) return first === undefined ? {} : { error: first };
  const isOfMost = ([member, value]: readonly [string, unknown]) => {
    const same = errors.filter(({ solana = {} }) =>
      Object.entries(solana).some(
        ([name, other]) => name === member && JSON.stringify(other) === JSON.stringify(value),
      ),
    );
    return same.length * 2 > nodes;
  };
  const agreed = errors.flatMap(({ solana = {} }) => Object.entries(solana)).filter(isOfMost);
  const { source } = first.solana;
  return { error: { ...first, solana: { source, ...Object.fromEntries(agreed) } } };
}

/** Returns the progress after the answers of nodes; undefined if nothing changes. */
export function solanaProgressAfter(
  send: SendProgress & Lifespan & { readonly givenUp: string | undefined },
  seen: SolanaSeen,
): SendProgress | undefined {
  const { slot, isTaken, inclusion } = seen;
  if (send.isSettled === true) return undefined;
  if (inclusion !== undefined && inclusion.level !== 'processed') {
    return includedAfter(send, inclusion);
  }
  if (send.status === 'INCLUDED' && isBehind(send, slot, inclusion)) return undefined;
  if (inclusion === undefined && isOver(send, seen)) {
    return { status: 'FAILED', error: { message: whyOver(send.lifetime) }, isSettled: true };
  }
  // After a fork the transaction is in no confirmed block, and is sent again.
  if (send.status === 'INCLUDED') return { status: 'BROADCASTING' };
  if (inclusion === undefined && send.givenUp !== undefined) return setAside(send, send.givenUp);
  const isThere = isTaken || inclusion !== undefined;
  return send.status === 'INITIALIZED' && isThere ? { status: 'BROADCASTING' } : undefined;
}

function includedAfter(
  send: SendProgress,
  { slot: number, level, signature, error }: Inclusion,
): SendProgress | undefined {
  const isFinal = level === 'finalized';
  const isKnown = send.status === 'INCLUDED' && send.block?.number === number;
  if (isKnown && !isFinal) return undefined;
  return {
    status: 'INCLUDED',
    block: { number },
    ...(signature === undefined ? {} : { transactionHash: signature }),
    ...(error === undefined ? {} : { error }),
    ...(isFinal ? { isSettled: true } : {}),
  };
}

/** Returns true if a lagging node answered, whose answer changes nothing. */
function isBehind(
  { block }: SendProgress,
  slot: number,
  inclusion: Inclusion | undefined,
): boolean {
  return block !== undefined && (slot <= block.number || inclusion?.slot === block.number);
}

/**
 * Returns true if no block can include the transaction any more. Only a node that searched all blocks from
 * the signing to the final one can show this.
 */
function isOver({ lifetime, sinceSlot }: Lifespan, { slot, end }: SolanaSeen): boolean {
  if (end === undefined || slot < end.slot) return false;
  if (end.slot < sinceSlot || end.firstSlot > Math.max(0, sinceSlot - maximumSlotSkew))
    return false;
  const { height, nonce } = end;
  if ('nonceAccount' in lifetime) return nonce !== undefined && nonce !== lifetime.hash;
  return height !== undefined && height > lifetime.lastBlockHeight;
}

function whyOver(lifetime: SolanaLifetime): string {
  if ('nonceAccount' in lifetime) {
    return `the nonce account ${lifetime.nonceAccount} has another nonce by now`;
  }
  return `its blockhash is too old for blocks above height ${lifetime.lastBlockHeight}`;
}

/** Returns the highest commitment that the majority of nodes reports. */
function levelOfMost(alike: readonly SolanaSeen[], nodes: number): Level {
  const ranks = alike.map(({ inclusion }) => solanaLevels.indexOf(inclusion?.level ?? 'processed'));
  const rank = ranks.toSorted((a, b) => b - a)[Math.floor(nodes / 2)] ?? 0;
  return solanaLevels[rank] ?? 'processed';
}

function outcomeOf(inclusion: Inclusion | undefined): string {
  if (inclusion === undefined) return '';
  return `${inclusion.slot} ${inclusion.signature ?? ''} ${inclusion.error?.solana?.transactionErrorJson ?? ''}`;
}

/** Returns the view from the gateway with bounded texts. An unknown commitment counts as the lowest. */
export function solanaSeenOf(crossed: {
  readonly slot: number;
  readonly isTaken: boolean;
  readonly inclusion:
    | {
        readonly slot: number;
        readonly level: string;
        readonly signature: string | undefined;
        readonly failure: ReportedFailure | undefined;
      }
    | undefined;
  readonly end: SolanaEnd | undefined;
}): SolanaSeen {
  const { inclusion, ...rest } = crossed;
  if (inclusion === undefined) return { ...rest, inclusion };
  const { slot, failure, signature = '' } = inclusion;
  const level = solanaLevels.find((each) => each === inclusion.level) ?? 'processed';
  const error = failure === undefined ? {} : { error: solanaErrorOf(failure) };
  const named = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature) ? { signature } : {};
  return { ...rest, inclusion: { slot, level, ...named, ...error } };
}
