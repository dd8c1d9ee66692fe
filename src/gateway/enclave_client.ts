// One request to the enclave and its answer, which nobody sees before what it rests on is durable.

import { wipe } from '../core/base/bytes.ts';
import { type ErrorCode, ServiceError } from '../core/errors/errors.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../ipc/messages.ts';
import type { Handlers } from '../ipc/rpc.ts';
import { type Addition, changeOf } from '../store/addition.ts';
import type { CommitOutcome, StorePort } from '../store/port.ts';

export type EnclaveClient = (
  request: RequestOf<EnclaveMessages['request']>,
) => Promise<AnswerOf<EnclaveMessages['request']>>;

/** Prepared answers come with their activity in one frame, which holds no larger ones. */
const maximumPreparedBodyBytes = 1024 * 1024;

/**
 * Asks the enclave. An answer that it only prepared is given once the store has committed what the
 * answer rests on; otherwise it is dropped, and the enclave decides anew, on what the store holds.
 * Raises what the enclave cannot answer with, and what makes the store unavailable.
 */
export function createEnclaveClient(
  enclave: Pick<Handlers<EnclaveMessages>, 'request' | 'prepare'>,
  store: Pick<StorePort, 'commit'>,
): EnclaveClient {
  return async (request) => {
    const canPrepare = request.kind === 'submit' && request.body.length <= maximumPreparedBodyBytes;
    if (!canPrepare) return enclave.request(request);
    const { answer, addition } = await enclave.prepare(request);
    if (addition === undefined) return answer;
    const outcome = await outcomeOf(store, addition);
    if (outcome === 'committed') return answer;
    wipe(answer.body);
    if (outcome instanceof ServiceError) throw outcome;
    return enclave.request(request);
  };
}

/** What became of it: a refusal where the store is not available. */
async function outcomeOf(
  store: Pick<StorePort, 'commit'>,
  addition: Addition,
): Promise<CommitOutcome | 'at_fault' | ServiceError> {
  try {
    return await store.commit(changeOf(addition));
  } catch (error) {
    if (error instanceof ServiceError && unavailable.has(error.code)) return error;
    // What the database holds is not as it should be: the enclave finds out and says so.
    return 'at_fault';
  }
}

const unavailable: ReadonlySet<ErrorCode> = new Set([
  'store_unavailable',
  'overloaded',
  'draining',
]);
