// A request to the enclave. Its answer is withheld until the state it depends on is durable.

import { wipe } from '../../core/base/bytes.ts';
import { stageStepMs } from '../../core/base/stages.ts';
import { type ErrorCode, ServiceError } from '../../core/errors/errors.ts';
import type { Handlers } from '../../ipc/message_table.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { Link } from '../../ipc/rpc.ts';
import { type ActivityInsert, changeOf } from '../../store/addition.ts';
import type { CommitOutcome, StorePort } from '../../store/port.ts';
import { type Metrics, noMetrics } from '../observability/metrics.ts';

type Answer = AnswerOf<EnclaveMessages['request']>;

export type EnclaveClient = (request: RequestOf<EnclaveMessages['request']>) => Promise<Answer>;

/** A prepared answer and its activity share one frame, which bounds the body. */
const maximumPreparedBodyBytes = 1024 * 1024;

/**
 * Sends a request to the enclave. Returns a prepared answer once the store has committed its changes, or has
 * confirmed the versions behind the answer of a query. Otherwise drops the answer, and the enclave decides
 * again on the state in the store. Raises the errors of the enclave and of the store.
 */
export function createEnclaveClient(
  enclave: Pick<Handlers<EnclaveMessages>, 'request' | 'prepare'>,
  store: Pick<StorePort, 'commit' | 'organization'>,
  metrics: Pick<Metrics, 'preparedEnded'> = noMetrics,
): EnclaveClient {
  return async (request) => {
    const { kind, body } = request;
    const canPrepare = kind === 'query' || kind === 'submit';
    if (!canPrepare || body.length > maximumPreparedBodyBytes) return enclave.request(request);
    const askedAt = performance.now();
    const { answer, addition, versions } = await enclave.prepare(request);
    if (addition === undefined) {
      if (await areNewest(store, versions)) return answer;
      wipe(answer.body);
      return later(await enclave.request(request), performance.now() - askedAt);
    }
    const startedAt = performance.now();
    const outcome = await outcomeOf(store, addition);
    metrics.preparedEnded(outcome instanceof ServiceError ? 'unavailable' : outcome);
    if (outcome === 'committed') return withCommit(answer, performance.now() - startedAt);
    wipe(answer.body);
    if (outcome instanceof ServiceError) throw outcome;
    const lostMs = performance.now() - askedAt;
    return later(await enclave.request(request), lostMs);
  };
}

/** Creates the client of a supervised enclave from its calls. */
export function askOf(
  call: Link<EnclaveMessages>['call'],
  store: Pick<StorePort, 'commit' | 'organization'>,
  metrics: Metrics,
): EnclaveClient {
  const request = (asked: RequestOf<EnclaveMessages['request']>) => call('request', asked);
  const prepare = (asked: RequestOf<EnclaveMessages['prepare']>) => call('prepare', asked);
  return createEnclaveClient({ request, prepare }, store, metrics);
}

/** Adds the commit of a prepared answer as its last stage. */
function withCommit(answer: Answer, commitMs: number): Answer {
  const { stages } = answer;
  if (stages === undefined) return answer;
  const last = stages.at(-1);
  const at = last === undefined ? 0 : last.at + last.lasts;
  const lasts = Math.floor(commitMs / stageStepMs);
  return { ...answer, stages: [...stages, { stage: 'commit', at, lasts }] };
}

/** Shifts the stages to the first call, for a repeated request. */
function later(answer: Answer, byMs: number): Answer {
  const { stages } = answer;
  if (stages === undefined) return answer;
  const by = Math.floor(byMs / stageStepMs);
  return { ...answer, stages: stages.map((stage) => ({ ...stage, at: stage.at + by })) };
}

/** Returns true if these versions are the newest ones. A failing store is reported by the next request. */
async function areNewest(
  store: Pick<StorePort, 'organization'>,
  versions: AnswerOf<EnclaveMessages['prepare']>['versions'],
): Promise<boolean> {
  try {
    for (const { organizationId, version, guard } of versions) {
      const asked = { organizationId, knownVersion: version, kinds: [], fingerprint: undefined };
      const newest = await store.organization(asked);
      const isNewest = newest.version === version && newest.guard === guard;
      // The store returns no rows if the caller knows the newest version.
      if (!isNewest || newest.organization !== undefined) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** Returns the outcome of the addition; an error if the store is unavailable. */
function outcomeOf(
  store: Pick<StorePort, 'commit'>,
  addition: ActivityInsert,
): Promise<CommitOutcome | 'at_fault' | ServiceError> {
  return store.commit(changeOf(addition)).catch(faultOf);
}

function faultOf(error: unknown): 'at_fault' | ServiceError {
  if (error instanceof ServiceError && unavailable.has(error.code)) return error;
  // The database has an unexpected row, which the enclave finds and reports.
  return 'at_fault';
}

const unavailable: ReadonlySet<ErrorCode> = new Set([
  'store_unavailable',
  'overloaded',
  'draining',
]);
