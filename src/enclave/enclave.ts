// The enclave: everything that decides or touches a secret. With its ports it runs the same in a sandboxed
// process and, for tests and simulations, inside another process.

import { utf8 } from '../core/base/bytes.ts';
import { utf8InSteps } from '../core/base/long_text.ts';
import type { NewsState } from '../core/base/news.ts';
import { finishInParts, type Steps } from '../core/base/steps.ts';
import { assert, ServiceError } from '../core/errors/errors.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import { isLongJson, jsonTextInSteps } from '../core/schema/json_steps.ts';
import type { Handlers } from '../ipc/message_table.ts';
import {
  type AnswerOf,
  type EnclaveMessages,
  enclaveMessages,
  type RequestKind,
  type RequestOf,
} from '../ipc/messages.ts';
import { acceptInPhase, type HandlersIn } from '../ipc/phases.ts';
import type { Caller } from '../operations/operation.ts';
import type { KnownStates } from '../pipeline/ports.ts';
import { startCustodian } from './custodian.ts';
import { createStageTimes, type StageTimes } from './measurements/stage_times.ts';
import { noVitals } from './measurements/vitals.ts';
import type { EnclavePorts } from './ports.ts';
import { boundedStore } from './records/bounded_store.ts';
import { type LargeReads, unboundedReads } from './records/large_reads.ts';
import { RecordRefusedError } from './records/record_codec.ts';
import { type Answer, type Request, refusal } from './refusals.ts';
import { type Running, startRunning } from './running.ts';
import { createUnsealing } from './services/unsealing.ts';
import { createStampVerifier } from './stamp_verifier.ts';
import { type Cancellations, createCancellations } from './turns/cancellations.ts';
import { answeringInTurn, type FairTurns, noTurns } from './turns/fair_turns.ts';
import { accountOfRequest } from './turns/request_accounts.ts';
import { workInTurn } from './turns/work_in_turn.ts';

type RequestMessage = RequestOf<EnclaveMessages['request']>;
type Prepared = AnswerOf<EnclaveMessages['prepare']>;
type Answered = Omit<Prepared, 'versions'>;

/** Creates an enclave without keys, which answers nothing until `start` has passed the root key. */
export function createEnclave(ports: EnclavePorts): Handlers<EnclaveMessages> {
  let handlers: Partial<Handlers<EnclaveMessages>> | undefined;
  const turns = ports.turns ?? noTurns;
  const large = ports.large ?? unboundedReads;
  const load = { requests: 0 };
  const surroundings = {
    ports,
    turns,
    large,
    store: boundedStore(answeringInTurn(ports.store, turns), large),
    external: answeringInTurn(ports.external, turns),
    verifySignature: createStampVerifier(ports, turns, load),
  };
  const unsealing = createUnsealing(ports);
  const start: HandlersIn<'before_start', EnclaveMessages>['start'] = async (request) => {
    const rootKey = request.rootKey ?? unsealing.takeRootKey();
    assert(rootKey !== undefined, 'the enclave receives its root key, or collected it');
    const { ephemeralKey } = unsealing;
    const running = await startRunning(
      { ...request, rootKey },
      {
        ...surroundings,
        ephemeralKey: ephemeralKey(),
        // A gateway that never had the root key, as with shares, must not replace it.
        acceptsNextKey: request.rootKey !== undefined && request.givesNextKey === true,
        requests: () => load.requests,
      },
    );
    const cancellations = createCancellations(ports.clock);
    const respond = createResponder({ running, ports, turns, large, load, cancellations });
    const vitals = () => ({
      ...(ports.vitals ?? noVitals)(),
      requests: load.requests,
      largeReadsWaiting: large.waiting(),
      unrecordedRefusals: running.unrecordedRefusals(),
      changeWaits: running.changeWaits(),
    });
    const { custody } = running;
    const served = runningHandlers({ running, cancellations, respond, vitals });
    handlers = workInTurn(served, { turns, large, custody });
    return undefined;
  };
  const startCustody: HandlersIn<'before_start', EnclaveMessages>['startCustody'] = async (
    request,
  ) => {
    handlers = await startCustodian(request, surroundings);
    return undefined;
  };
  const { expectShares, giveShare } = unsealing;
  return acceptInPhase(
    enclaveMessages,
    { start, startCustody, expectShares, giveShare },
    () => handlers,
  );
}

type Respond = (asked: RequestMessage, prepares: boolean) => Promise<Prepared>;

function runningHandlers({
  running,
  cancellations,
  respond,
  vitals,
}: {
  readonly running: Running;
  readonly cancellations: Cancellations;
  readonly respond: Respond;
  readonly vitals: HandlersIn<'running', EnclaveMessages>['vitals'];
}): HandlersIn<'running', EnclaveMessages> {
  const { audit, balances, custody, deliveries, log, sends } = running;
  return {
    bootstrap: running.bootstrap,
    request: async (request) => {
      const { answer, addition } = await respond(request, false);
      assert(addition === undefined, 'a request is answered once it is durable');
      return answer;
    },
    prepare: (request) => respond(request, true),
    organizationChanged: ({ organizationId }) => {
      running.dropDerivedKeys(organizationId);
      return undefined;
    },
    cancel: ({ cancelId }) => {
      cancellations.cancel(cancelId);
      return undefined;
    },
    signDeliveries: (request) => deliveries.sign(request),
    auditLines: async ({ entries }) => ({ lines: await audit.lines(entries) }),
    appendLog: ({ waiting }) => log.append(waiting),
    logCheckpoint: async () => ({ note: await log.checkpoint(), key: await log.verifierKey() }),
    logConsistency: async ({ from, to }) => ({ proof: [...(await log.consistency(from, to))] }),
    rememberCosigned: async ({ note }) => log.rememberCosigned(note),
    logTile: async ({ path }) => ({ body: await log.tileAt(path) }),
    disableEndpoint: async (request) => ({ isDisabled: await running.disableEndpoint(request) }),
    chainCursor: (name) => balances.cursor(name),
    observe: async (observed) => ({ outcome: await balances.observe(observed) }),
    copyStatus: async () => {
      const status = await custody.copyStatus();
      const reason = log.refusal();
      return status.state === 'serving' && reason !== undefined
        ? { ...status, state: 'refused', reason }
        : status;
    },
    vitals,
    unsettledSends: (request) => sends.unsettled(request),
    maySend: (request) => sends.maySend(request),
    sendSeen: async (request) => {
      await sends.seen(request);
      return undefined;
    },
    emailSeen: async (request) => {
      await running.emailEvents.seen(request);
      return undefined;
    },
    discovery: () => running.discovery(),
    webhookKeySet: async () => ({ body: await deliveries.keySet() }),
    ...running.rotation,
  };
}

/** Answers client requests, each charged to the account of its caller. `load` counts those in progress. */
function createResponder({
  running,
  ports,
  turns,
  large,
  load,
  cancellations,
}: {
  readonly running: Running;
  readonly ports: EnclavePorts;
  readonly turns: FairTurns;
  readonly large: LargeReads;
  readonly load: { requests: number };
  readonly cancellations: Cancellations;
}): Respond {
  const answering = { ...ports, pause: turns.pause };
  return async (asked, prepares) => {
    const knownStates: KnownStates | undefined =
      prepares && asked.kind === 'query' ? new Map() : undefined;
    load.requests += 1;
    const pending = cancellations.enter(asked);
    const times = stageTimesOf(asked, ports);
    let asker: Answer['asker'];
    const request = {
      ...asked,
      dryRun: dryRunHeaders[asked.kind],
      // The proxy composes its own requests, so no caller could commit their additions.
      prepares: prepares && asked.kind !== 'proxy',
      knownStates,
      checkNotCancelled: pending.checkNotCancelled,
      enter: times?.enter,
      authenticated: ({ organizationId, user, credential }: Caller) => {
        asker = { organizationId, userId: user.id, credentialId: credential.id };
      },
    };
    times?.enter('turn');
    try {
      const prepared = await turns.run(accountOfRequest(request), () => {
        request.checkNotCancelled();
        if (request.kind !== 'query') return answerOf(request, running, answering);
        // Changes of an organization already run one at a time.
        return large.run(request.checkNotCancelled, () => answerOf(request, running, answering));
      });
      return withNotes({ ...prepared, versions: versionsOf(knownStates) }, asker, times, ports);
    } catch (error) {
      const answer = refusal(request, error, ports);
      const prepared = { answer, addition: undefined, versions: versionsOf(knownStates) };
      return withNotes(prepared, asker, times, ports);
    } finally {
      load.requests -= 1;
      pending.leave();
    }
  };
}

/** Returns the stage timer of a request that asks for durations. */
function stageTimesOf({ timed }: RequestMessage, ports: EnclavePorts): StageTimes | undefined {
  if (timed !== true || ports.stageClock === undefined) return undefined;
  return createStageTimes(ports.stageClock);
}

/** Adds the operator's notes to an answer. */
function withNotes(
  { answer, ...prepared }: Prepared,
  asker: Answer['asker'],
  times: StageTimes | undefined,
  ports: EnclavePorts,
): Prepared {
  const noted = { ...answer, asker, busyMs: ports.busyMs?.() };
  return {
    ...prepared,
    answer: times === undefined ? noted : { ...noted, stages: times.finish() },
  };
}

const noVersions: Prepared['versions'] = [];

function versionsOf(states: KnownStates | undefined): Prepared['versions'] {
  if (states === undefined) return noVersions;
  return Array.from(states, ([organizationId, { version, guard }]) => ({
    organizationId,
    version,
    guard,
  }));
}

/** The values of the header `Dry-Run` of a submit. */
const dryRunHeaders: { readonly [Kind in RequestKind]?: boolean } = {
  dry_run: true,
  no_dry_run: false,
};

type AnsweringPorts = EnclavePorts & Pick<FairTurns, 'pause'>;

async function answerOf(
  request: Request,
  running: Running,
  ports: AnsweringPorts,
): Promise<Answered> {
  const { custody } = running;
  if (request.kind === 'query') {
    if (!custody.isChecked()) await custody.check();
    const answered = await queryAnswer(request, running);
    return { answer: await success(answered, ports), addition: undefined };
  }
  if (!custody.areChangesChecked()) await custody.checkChanges();
  if (request.kind === 'proxy') {
    request.enter?.('proxy');
    return onboarded(request, running, ports);
  }
  const submitted = await running.submit(request);
  const { addition } = submitted;
  // The caller commits it, and custody may have changed since the request began.
  if (addition !== undefined && !custody.areChangesChecked()) await custody.checkChanges();
  return { answer: await success(submitted, ports), addition };
}

/**
 * Answers a query on the states in memory if its caller compares their versions. If a newer row is rejected
 * under an older state, the query is repeated on states from the store.
 */
async function queryAnswer(request: Request, { query }: Running) {
  try {
    return await query(request);
  } catch (error) {
    const isExpected = error instanceof ServiceError && !(error instanceof RecordRefusedError);
    if (isExpected || !request.knownStates?.size) throw error;
    request.knownStates.clear();
    return query({ ...request, knownStates: undefined });
  }
}

/** Answers a request to the onboarding proxy. The answer names the one origin that may read it. */
async function onboarded(
  request: Request,
  { onboard }: Running,
  ports: AnsweringPorts,
): Promise<Answered> {
  const { origin: allowedOrigin, answer } = await onboard(request);
  const given = await answer().then(
    (answered) => success(answered, ports),
    (error) => refusal(request, error, ports),
  );
  return { answer: { ...given, allowedOrigin }, addition: undefined };
}

/** Answers with more characters are serialized in steps. */
const largeAnswerCharacters = 256 * 1024;
/** An activity with more votes is serialized in steps, because each vote contains its user. */
const maximumShortVotes = 8;

function* jsonInSteps(body: object): Steps<Uint8Array> {
  const text = yield* jsonTextInSteps(body);
  yield;
  return yield* utf8InSteps(text);
}

async function success(
  {
    body,
    activity,
    organizationId,
    news,
    ignored = [],
  }: {
    readonly body: object;
    readonly activity?: Activity | undefined;
    readonly organizationId: string;
    readonly news?: NewsState | undefined;
    readonly ignored?: readonly string[];
  },
  { pause }: AnsweringPorts,
): Promise<Answer> {
  const isLong =
    activity === undefined
      ? isLongJson(body, largeAnswerCharacters)
      : activity.votes.length > maximumShortVotes ||
        (activity.votes[0]?.message.length ?? 0) > largeAnswerCharacters;
  const bytes = isLong ? await finishInParts(jsonInSteps(body), pause) : utf8(JSON.stringify(body));
  return {
    status: 200,
    body: bytes,
    activityId: activity?.id,
    organizationId,
    errorCode: undefined,
    allowedOrigin: undefined,
    news,
    ignoredMembers: ignored.length === 0 ? undefined : ignored.length,
  };
}
