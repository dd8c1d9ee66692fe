// The enclave: everything that decides or touches a secret. Given its ports it runs the same in its
// own sandboxed process and, for tests and simulations, inside another.

import { utf8 } from '../core/base/bytes.ts';
import type { NewsState } from '../core/base/news.ts';
import { assert } from '../core/errors/errors.ts';
import type { ExternalServices } from '../core/external/external_services.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import type { Program } from '../core/proofs/boot_proofs.ts';
import {
  type AnswerOf,
  type EnclaveMessages,
  enclaveMessages,
  type RequestKind,
  type RequestOf,
} from '../ipc/messages.ts';
import { acceptInPhase, type HandlersIn } from '../ipc/phases.ts';
import type { Handlers } from '../ipc/rpc.ts';
import type { StorePort } from '../store/port.ts';
import { type Cancellations, createCancellations } from './cancellations.ts';
import { answeringInTurn, type FairTurns, noTurns } from './fair_turns.ts';
import { type Answer, type Request, refusal } from './refusals.ts';
import { accountOfRequest, accountOfService } from './request_accounts.ts';
import { type Running, startRunning } from './running.ts';
import { createStampVerifier } from './stamp_verifier.ts';

export type EnclavePorts = {
  readonly store: StorePort;
  readonly external: ExternalServices;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: (length: number) => Uint8Array;
  /** A line for the operator's log. Never a secret. */
  readonly log: (
    level: 'info' | 'warn' | 'error',
    message: string,
    fields: Readonly<Record<string, string | number>>,
  ) => void;
  /** What runs, as far as it is known. */
  readonly program?: Program;
  /** Who has the thread next; absent: everybody at once. */
  readonly turns?: FairTurns;
  /** False keeps everything on the one thread, as a deterministic simulation needs it. */
  readonly usesThreadPool?: boolean;
};

type AskedRequest = RequestOf<EnclaveMessages['request']>;
type Prepared = AnswerOf<EnclaveMessages['prepare']>;

/** An enclave without keys: it answers nothing until `start` has handed it the root key. */
export function createEnclave(ports: EnclavePorts): Handlers<EnclaveMessages> {
  let handlers: HandlersIn<'running', EnclaveMessages> | undefined;
  const turns = ports.turns ?? noTurns;
  const load = { requests: 0 };
  const surroundings = {
    ports,
    turns,
    store: answeringInTurn(ports.store, turns),
    external: answeringInTurn(ports.external, turns),
    verifySignature: createStampVerifier(ports, turns, load),
  };
  const start: HandlersIn<'before_start', EnclaveMessages>['start'] = (request) => {
    const running = startRunning(request, surroundings);
    const cancellations = createCancellations(ports.clock);
    const respond = createResponder({ running, ports, turns, load, cancellations });
    handlers = runningHandlers({ running, turns, cancellations, respond });
    return undefined;
  };
  return acceptInPhase(enclaveMessages, { start }, () => handlers);
}

type Respond = (asked: AskedRequest, prepares: boolean) => Promise<Prepared>;

function runningHandlers({
  running,
  turns,
  cancellations,
  respond,
}: {
  readonly running: Running;
  readonly turns: FairTurns;
  readonly cancellations: Cancellations;
  readonly respond: Respond;
}): HandlersIn<'running', EnclaveMessages> {
  const { balances, deliveries } = running;
  return {
    bootstrap: running.bootstrap,
    request: async (request) => {
      const { answer, addition } = await respond(request, false);
      assert(addition === undefined, 'a request is answered once it is durable');
      return answer;
    },
    prepare: (request) => respond(request, true),
    cancel: ({ cancelId }) => {
      cancellations.cancel(cancelId);
      return undefined;
    },
    signDeliveries: (request) =>
      turns.run(accountOfService(request.organizationId), () => deliveries.sign(request)),
    disableEndpoint: async (request) => ({ isDisabled: await running.disableEndpoint(request) }),
    chainCursor: (name) => balances.cursor(name),
    observe: (observed) =>
      turns.run(accountOfService('balances'), async () => ({
        outcome: await balances.observe(observed),
      })),
    discovery: () => running.discovery(),
    webhookKeySet: async () => ({ body: await deliveries.keySet() }),
  };
}

/** Answers requests of clients, each on the account of who asks; `load` counts those under way. */
function createResponder({
  running,
  ports,
  turns,
  load,
  cancellations,
}: {
  readonly running: Running;
  readonly ports: EnclavePorts;
  readonly turns: FairTurns;
  readonly load: { requests: number };
  readonly cancellations: Cancellations;
}): Respond {
  return async (asked, prepares) => {
    load.requests += 1;
    const pending = cancellations.enter(asked);
    const request = { ...asked, checkNotCancelled: pending.checkNotCancelled };
    try {
      return await turns.run(accountOfRequest(request), async () => {
        request.checkNotCancelled();
        return await answerOf(request, prepares, running, ports);
      });
    } catch (error) {
      return { answer: refusal(request, error, ports), addition: undefined };
    } finally {
      load.requests -= 1;
      pending.leave();
    }
  };
}

/** What the header `Dry-Run` of a submit said. */
const dryRunHeaders: { readonly [Kind in RequestKind]?: boolean } = {
  dry_run: true,
  no_dry_run: false,
};

async function answerOf(
  request: Request,
  prepares: boolean,
  running: Running,
  ports: EnclavePorts,
): Promise<Prepared> {
  if (request.kind === 'proxy') return onboarded(request, running, ports);
  if (request.kind === 'query') {
    return { answer: success(await running.query(request)), addition: undefined };
  }
  const dryRun = dryRunHeaders[request.kind];
  const { addition, ...answer } = await running.submit({ ...request, dryRun, prepares });
  return { answer: success(answer), addition };
}

/** Whatever is answered to a page that may use a proxy, the page may read. */
async function onboarded(
  request: Request,
  { onboard }: Running,
  ports: EnclavePorts,
): Promise<Prepared> {
  const { origin: allowedOrigin, answer } = await onboard(request);
  const given = await answer().then(success, (error) => refusal(request, error, ports));
  return { answer: { ...given, allowedOrigin }, addition: undefined };
}

function success({
  body,
  activity,
  organizationId,
  news,
}: {
  readonly body: object;
  readonly activity?: Activity | undefined;
  readonly organizationId: string;
  readonly news?: NewsState | undefined;
}): Answer {
  return {
    status: 200,
    body: utf8(JSON.stringify(body)),
    activityId: activity?.id,
    organizationId,
    errorCode: undefined,
    allowedOrigin: undefined,
    news,
  };
}
