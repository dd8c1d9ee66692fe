// Reads the body of a request into blocks of memory as it arrives. Disconnects a sender below the minimum
// rate, and a sender whose body arrives in too many pieces.

import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../core/errors/errors.ts';
import type { ByteAccount } from './load_limiter.ts';

export type BodyPace = {
  /** Time from the headers of a request during which no rate is required. */
  readonly bodyGraceMs: number;
  /** Minimum average rate of a sender after the grace period; 0: no minimum. */
  readonly bodyMinimumBytesPerSecond: number;
};

type BodyBounds = {
  readonly limitBytes: number;
  readonly account: ByteAccount;
  readonly pace: BodyPace;
};

/** Maximum size of a block. A block is as large as the bytes that have arrived, unless fewer bytes remain. */
const blockBytes = 64 * 1024;
/** Pieces in which any body may arrive. A larger body may have one more for each `averagePieceBytes`. */
export const freePieces = 4_096;
const averagePieceBytes = 256;
const checkEveryMs = 1_000;

/**
 * Passes the whole body to `done`, or the error: `body_too_large`, `body_too_slow`, `body_malformed`,
 * `overloaded`. Charges the account for the memory.
 */
export function readBody(
  message: IncomingMessage,
  { limitBytes, account, pace }: BodyBounds,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const announced = announcedBytes(message);
  const blocks: Buffer[] = [];
  let block: Buffer | undefined;
  let filled = 0;
  let length = 0;
  let pieces = 0;
  let passedMs = pace.bodyGraceMs;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;

  const end = (error: Error | null): void => {
    isEnded = true;
    clearTimeout(timer);
    message.off('data', take).off('end', whole).off('error', broken);
    if (error === null) done(null, joined(blocks, length));
    else done(error);
  };
  const refusalOf = (piece: Buffer): ServiceError | undefined => {
    pieces += 1;
    if (length + piece.length > limitBytes) return tooLarge(limitBytes);
    const isCutUp = pieces > freePieces + length / averagePieceBytes;
    return isCutUp ? malformed('too many pieces') : undefined;
  };
  const take = (piece: Buffer): void => {
    try {
      const refusal = refusalOf(piece);
      if (refusal !== undefined) throw refusal;
      let copied = 0;
      while (copied < piece.length) {
        if (block === undefined || filled === block.length) {
          block = newBlock(piece.length - copied, length, announced ?? limitBytes, account);
          filled = 0;
          blocks.push(block);
        }
        const taken = piece.copy(block, filled, copied);
        filled += taken;
        copied += taken;
        length += taken;
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      end(error);
    }
  };
  const whole = (): void => {
    const isWhole = announced === undefined || announced === length;
    end(isWhole ? null : malformed('it does not match its headers'));
  };
  const broken = (): void => end(malformed('it does not match its headers'));
  const check = (): void => {
    const requiredMs = passedMs - pace.bodyGraceMs;
    const isSlow = length * 1_000 < requiredMs * pace.bodyMinimumBytesPerSecond;
    passedMs += checkEveryMs;
    if (isSlow) end(new ServiceError('body_too_slow'));
    else timer = setTimeout(check, checkEveryMs);
  };

  if ((announced ?? 0) > limitBytes) {
    done(tooLarge(limitBytes));
    return;
  }
  message.on('data', take).on('end', whole).on('error', broken);
  if (pace.bodyMinimumBytesPerSecond === 0) return;
  // Most bodies arrive together with their headers, and are whole before the next tick.
  process.nextTick(() => {
    if (isEnded || length === announced) return;
    passedMs += checkEveryMs;
    timer = setTimeout(check, passedMs);
  });
}

/** Returns memory for the next bytes: as many as have already arrived, up to one block. */
function newBlock(
  needed: number,
  arrived: number,
  limitBytes: number,
  account: ByteAccount,
): Buffer {
  const wanted = Math.max(needed, Math.min(arrived, blockBytes));
  const size = Math.max(needed, Math.min(wanted, limitBytes - arrived));
  account.hold(size);
  return Buffer.allocUnsafe(size);
}

/** Returns the bytes of a body as one buffer; does not copy them if they fill one block. */
function joined(blocks: readonly Buffer[], length: number): Buffer {
  const [first] = blocks;
  if (first?.length === length) return first;
  if (blocks.length <= 1) return first?.subarray(0, length) ?? Buffer.alloc(0);
  return Buffer.concat(blocks, length);
}

/** Returns the announced length; undefined for chunked bodies. */
function announcedBytes({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const given = headers['content-length'];
  return given === undefined ? undefined : Number(given);
}

const tooLarge = (limitBytes: number) => new ServiceError('body_too_large', { limitBytes });
const malformed = (reason: string) => new ServiceError('body_malformed', { reason });
