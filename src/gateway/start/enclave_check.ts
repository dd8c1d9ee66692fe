// Checks an enclave with a root key: the key must be that of the database, and must stay the same.

import { Buffer } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { assert, ServiceError } from '../../core/errors/errors.ts';
import type { AnswerOf, EnclaveMessages } from '../../ipc/messages.ts';
import type { Link } from '../../ipc/rpc.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { type Bootstrapped, bootstrapRoot } from '../enclave/root_credentials.ts';
import { WrongRootKeyError } from '../root_key/wrong_root_key_error.ts';
import { reasonOfRefusal } from './signing_permission_watch.ts';

type Call = Link<EnclaveMessages>['call'];
type Discovery = AnswerOf<EnclaveMessages['discovery']>;

/** The answers of the first enclave that passed the check. */
export type FirstAnswers = { readonly organization: Bootstrapped; readonly discovery: Discovery };

type EnclaveCheck = {
  /** Checks an enclave. Raises UnusableDataError, or WrongRootKeyError if another root key is required. */
  check(call: Call): Promise<void>;
  firstAnswers(): FirstAnswers;
  /** Replaces the documents by those of a new key epoch. */
  renew(call: Call): Promise<void>;
};

/**
 * Creates the check. The first enclave creates or finds the first organization. A later enclave must have the
 * same keys, or a later epoch of them, because a replaced root key would open no record.
 */
export function createEnclaveCheck(
  directory: string,
  rootKeyPlace: string,
  waits: StoreWaits = defaultWaits,
): EnclaveCheck {
  let first: FirstAnswers | undefined;
  let firstEpoch = 0;
  const epochOf = async (call: Call) => (await call('keyEpoch', undefined)).epoch;
  const renew = async (call: Call, epoch: number): Promise<void> => {
    const discovery = await call('discovery', undefined);
    // Updates the object in place, because servers hold references to it.
    if (first !== undefined) Object.assign(first.discovery, discovery);
    // Set last: an enclave that ends before its answer leaves the documents of the earlier epoch.
    firstEpoch = epoch;
  };
  const check = async (call: Call): Promise<void> => {
    const organization = first?.organization ?? (await bootstrapOf(directory, rootKeyPlace, call));
    // The enclave follows the record of key epochs before it makes its documents.
    const epoch = await epochOf(call);
    const discovery = await call('discovery', undefined);
    const known = first?.discovery ?? discovery;
    // A rotation of the root key replaces some of the keys.
    if (first !== undefined && epoch > firstEpoch) await renew(call, epoch);
    else if (Buffer.compare(discovery.serviceKeys, known.serviceKeys) !== 0) {
      throw new WrongRootKeyError(
        `the root key ${rootKeyPlace} is not the one that the service was started with`,
      );
    }
    await requireLog(call);
    if (first !== undefined) return;
    first = { organization, discovery };
    firstEpoch = epoch;
  };
  return {
    // A failed restart is repeated by the supervisor, and a failed start ends the service.
    check: (call) =>
      first === undefined ? untilStoreAnswers(() => check(call), waits) : check(call),
    renew: async (call) => {
      const epoch = await epochOf(call);
      if (epoch > firstEpoch) await renew(call, epoch);
    },
    firstAnswers: () => {
      assert(first !== undefined, 'an enclave passed the check');
      return first;
    },
  };
}

type StoreWaits = {
  /** Number of attempts; each may take as long as the store waits for a database. */
  readonly attempts: number;
  /** Pause between two attempts, in milliseconds. */
  readonly pauseMs: number;
};

const defaultWaits: StoreWaits = { attempts: 5, pauseMs: 2_000 };

/**
 * Repeats a step of the start while the database does not answer: it may have just started, or another node
 * may hold its locks. Raises UnusableDataError after the last attempt.
 */
async function untilStoreAnswers<Result>(
  step: () => Promise<Result>,
  { attempts, pauseMs }: StoreWaits,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') throw error;
      if (attempt === attempts) {
        throw new UnusableDataError(
          `the database did not answer in ${attempts} attempts: check it, and start the service again`,
        );
      }
      await pause(pauseMs);
    }
  }
}

/** Requires that the log of the database contains the entries of the log anchor. Raises UnusableDataError. */
async function requireLog(call: Call): Promise<void> {
  try {
    await call('logCheckpoint', undefined);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const reason = await reasonOfRefusal(error, { call });
    if (reason === undefined) throw error;
    throw new UnusableDataError(reason);
  }
}

/** Returns a start that raises UnusableDataError if the root key is not that of the database. */
export function explainedStart(start: () => Promise<void>, place: string): () => Promise<void> {
  return async () => {
    try {
      await start();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'root_key_rotating') throw new UnusableDataError(error.message);
      throw error.code === 'root_key_mismatch' ? wrongKeyOfDatabase(place) : error;
    }
  };
}

function wrongKeyOfDatabase(place: string): WrongRootKeyError {
  return new WrongRootKeyError(
    `the root key ${place} is not the one that the database was made with`,
  );
}

/** Distinguishes a database of another root key from other failures. */
async function bootstrapOf(directory: string, place: string, call: Call): Promise<Bootstrapped> {
  try {
    return await bootstrapRoot(directory, (request) => call('bootstrap', request));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'deployment_missing') throw new UnusableDataError(error.message);
    const reason = await reasonOfRefusal(error, { call });
    if (reason !== undefined) throw new UnusableDataError(reason);
    if (error.code !== 'root_key_mismatch') throw error;
    throw wrongKeyOfDatabase(place);
  }
}
