// Reads the body of a request into memory that grows with what has arrived. A sender below the minimum
// rate is disconnected, and so is one that cuts its body into very many pieces.

import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../core/errors/errors.ts';
import type { ByteAccount } from './load_limiter.ts';

export type BodyPace = {
  /** Time from the headers of a request during which no rate is required. */
  readonly bodyGraceMs: number;
  /** The least average rate of a sender afterwards; 0: any rate will do. */
  readonly bodyMinimumBytesPerSecond: number;
};

export type BodyBounds = {
  readonly limitBytes: number;
  readonly account: ByteAccount;
  readonly pace: BodyPace;
};

/** Pieces that any body may come in; a larger body may come in more, of this size on average. */
export const freePieces = 4_096;
export const averagePieceBytes = 256;
const checkEveryMs = 1_000;

/**
 * Passes the whole body to `done`, or the refusal: `body_too_large`, `body_too_slow`,
 * `body_malformed`, `overloaded`. Charges the account for the memory it takes.
 */
export function readBody(
  message: IncomingMessage,
  { limitBytes, account, pace }: BodyBounds,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const announced = announcedBytes(message);
  let bytes: Buffer = Buffer.alloc(0);
  let length = 0;
  let pieces = 0;
  let passedMs = pace.bodyGraceMs;
  let timer: NodeJS.Timeout | undefined;

  const end = (error: Error | null): void => {
    clearTimeout(timer);
    message.off('data', take).off('end', whole).off('error', broken);
    if (error === null) done(null, bytes.subarray(0, length));
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
      bytes = withRoom(bytes, length + piece.length, announced ?? limitBytes, account);
      bytes.set(piece, length);
      length += piece.length;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      end(error);
    }
  };
  const whole = (): void => {
    const isWhole = announced === undefined || announced === length;
    end(isWhole ? null : malformed('it is not as its headers announce it'));
  };
  const broken = (): void => end(malformed('it is not as its headers announce it'));
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
  if (pace.bodyMinimumBytesPerSecond > 0) {
    passedMs += checkEveryMs;
    timer = setTimeout(check, passedMs);
  }
}

/** Returns memory for `needed` bytes that begins with the same: twice as much as before if it grows. */
function withRoom(bytes: Buffer, needed: number, most: number, account: ByteAccount): Buffer {
  if (needed <= bytes.length) return bytes;
  const capacity = Math.max(needed, Math.min(most, bytes.length * 2));
  account.hold(capacity - bytes.length);
  const grown = Buffer.allocUnsafe(capacity);
  grown.set(bytes);
  return grown;
}

/** The announced length; undefined where the body comes in chunks of unknown number. */
function announcedBytes({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const given = headers['content-length'];
  return given === undefined ? undefined : Number(given);
}

const tooLarge = (limitBytes: number) => new ServiceError('body_too_large', { limitBytes });
const malformed = (reason: string) => new ServiceError('body_malformed', { reason });
