// The enclave: everything that decides or touches a secret. Given its ports it runs the same in its
// own sandboxed process and, for tests and simulations, inside another.

import { createRememberedTries } from '../core/auth/otp/remembered_tries.ts';
import { issuerDocument, issuerKeySet } from '../core/auth/tokens/issued_identity.ts';
import { copyOfSecret, utf8 } from '../core/base/bytes.ts';
import { createIdSource } from '../core/base/ids.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import { publishedServiceKeys } from '../core/crypto/service_keys.ts';
import { ecdsaSignatureOfDer } from '../core/crypto/signature_der.ts';
import { stampVerifiers } from '../core/crypto/verify.ts';
import { assert, fail, ServiceError } from '../core/errors/errors.ts';
import type { ExternalServices } from '../core/external/external_services.ts';
import type { Activity } from '../core/organization/records/activity.ts';
import { type Program, unknownProgram } from '../core/proofs/boot_proofs.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { PolicyRefusedError } from '../core/views/explanation.ts';
import { renderError } from '../core/views/render_error.ts';
import { disableEndpoint } from '../core/webhooks/endpoints.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../ipc/messages.ts';
import type { Handlers } from '../ipc/rpc.ts';
import { activityOperations, queryOperations, voteOperations } from '../operations/index.ts';
import { createAdmission } from '../pipeline/parse.ts';
import type { Ports, SignedStamp } from '../pipeline/ports.ts';
import { createOnboarding } from '../pipeline/proxy.ts';
import { createQuery } from '../pipeline/query.ts';
import { createSubmit } from '../pipeline/submit.ts';
import type { StorePort } from '../store/port.ts';
import { askerOf, ownWorkFor } from './askers.ts';
import { createCancellations } from './cancellations.ts';
import { answeringInTurn, type FairTurns, noTurns } from './fair_turns.ts';
import { createKeyrings, createSigningKeyCache } from './keys/keyring.ts';
import { createRootKeys, keyBytes } from './keys/root_keys.ts';
import { createSealing } from './keys/sealing.ts';
import { createServiceKeys } from './keys/service_keys.ts';
import { createWebhookKeys } from './keys/webhook_keys.ts';
import { createRecordCodec, RecordRefusedError } from './records/record_codec.ts';
import { createRepository } from './records/repository.ts';
import { type Balances, createBalances } from './services/balances.ts';
import { createBootstrap, openDeployment } from './services/bootstrap.ts';
import { createDeliveries, type Deliveries } from './services/deliveries.ts';
import { createProofs } from './services/proofs.ts';

export type EnclavePorts = {
  readonly store: StorePort;
  readonly outside: ExternalServices;
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
type Request = AskedRequest & { readonly checkNotCancelled: () => void };
type Answer = AnswerOf<EnclaveMessages['request']>;
type Prepared = AnswerOf<EnclaveMessages['prepare']>;
type Started = {
  readonly submit: ReturnType<typeof createSubmit>;
  readonly query: ReturnType<typeof createQuery>;
  readonly onboard: ReturnType<typeof createOnboarding>;
  readonly bootstrap: ReturnType<typeof createBootstrap>;
  readonly deliveries: Deliveries;
  readonly balances: Balances;
  readonly discovery: () => AnswerOf<EnclaveMessages['discovery']>;
  readonly disableEndpoint: (
    request: RequestOf<EnclaveMessages['disableEndpoint']>,
  ) => Promise<boolean>;
};

/** So many at once keep the thread that signs busy all the time. */
const manyRequests = 24;

/** An enclave without keys: it answers nothing until `start` has handed it the root key. */
export function createEnclave(ports: EnclavePorts): Handlers<EnclaveMessages> {
  let started: Started | undefined;
  let requestsInFlight = 0;
  let verifiedInPool = 0;
  let stampsOfMany = 0;
  const cancellations = createCancellations(ports.clock);
  const turns = ports.turns ?? noTurns;
  const store = answeringInTurn(ports.store, turns);
  const outside = answeringInTurn(ports.outside, turns);

  /**
   * Beside other requests one stamp at a time is verified on another core, and of many requests every
   * second one. The others are verified here: handing one over costs a third of verifying it, and there
   * is other work for that core.
   */
  async function verifyStamp(stamp: SignedStamp, body: Uint8Array): Promise<boolean> {
    const row = stampVerifiers[stamp.scheme];
    const signature =
      stamp.algorithm === 'ed25519' ? stamp.signature : ecdsaSignatureOfDer(stamp.signature);
    if (signature === undefined) return false;
    const isOfMany = requestsInFlight > manyRequests;
    if (isOfMany) stampsOfMany += 1;
    // Requests begin one after the other, so the pool is hardly ever full.
    const isFull = isOfMany ? stampsOfMany % 2 === 0 : verifiedInPool >= 1;
    if (isFull || requestsInFlight === 1 || ports.usesThreadPool === false) {
      return row.verify(stamp.publicKey, signature, body);
    }
    verifiedInPool += 1;
    try {
      return await row.verifyInPool(stamp.publicKey, signature, body);
    } finally {
      verifiedInPool -= 1;
      await turns.pause();
    }
  }

  async function respond(asked: AskedRequest, prepares: boolean): Promise<Prepared> {
    requestsInFlight += 1;
    const pending = cancellations.enter(asked);
    const request = { ...asked, checkNotCancelled: pending.checkNotCancelled };
    try {
      return await turns.run(askerOf(request), async () => {
        request.checkNotCancelled();
        if (started === undefined) fail('enclave_unavailable');
        if (request.style === 'proxy') return onboarded(request, started, ports);
        return answerOf(request, prepares, started);
      });
    } catch (error) {
      return { answer: refusal(request, error, ports), addition: undefined };
    } finally {
      requestsInFlight -= 1;
      pending.leave();
    }
  }

  return {
    start: ({ rootKey, liveness, deployment }) => {
      assert(started === undefined, 'an enclave starts once');
      assert(rootKey.length === keyBytes, `a root key has ${keyBytes} bytes`);
      const keys = createRootKeys(copyOfSecret(rootKey));
      rootKey.fill(0);
      const codec = createRecordCodec(createSealing('seal', keys, ports.random));
      const cache = createSigningKeyCache();
      const repository = createRepository({
        ...{ store, codec, keys, resourceOf },
        derivedKeys: cache,
      });
      const wrapping = createSealing('wrap', keys, ports.random);
      const newId = createIdSource(ports);
      const serviceKeys = createServiceKeys(keys, ports.random);
      const pipeline: Ports = {
        clock: ports.clock,
        pause: turns.pause,
        provenOf: turns.provenOf,
        newId,
        repository,
        keyring: createKeyrings({ wrapping, random: ports.random, cache }),
        serviceKeys,
        rememberedTries: createRememberedTries(),
        proofs: createProofs({
          ...{
            random: ports.random,
            newId,
            clock: ports.clock,
            deployment,
            serviceKeys,
            repository,
          },
          program: ports.program ?? unknownProgram,
          firstOrganizationId: async () => {
            const sealed = await store.deployment();
            return sealed === undefined
              ? fail('deployment_missing')
              : openDeployment(sealed, codec).organizationId;
          },
        }),
        random: ports.random,
        external: outside,
        deployment,
        verifyStamp,
        sha256,
        liveness,
      };
      const admission = createAdmission(activityOperations, pipeline);
      const submit = createSubmit(admission, voteOperations, pipeline);
      started = {
        submit,
        onboard: createOnboarding(submit, pipeline),
        query: createQuery(queryOperations, admission, pipeline),
        discovery: () => discoveryOf(pipeline),
        bootstrap: createBootstrap({ ...pipeline, store, repository, codec }),
        disableEndpoint: async ({ organizationId, endpointId, ...failing }) => {
          let isDisabled = false;
          await repository.changeUnasked(organizationId, (draft) => {
            const now = ports.clock();
            const body = disableEndpoint(draft, endpointId, { now, ...failing });
            isDisabled = body !== undefined;
            const facts = { organizationIds: [organizationId] };
            const type = 'WEBHOOK_ENDPOINT_UPDATES';
            if (body === undefined) return undefined;
            return { type, facts, id: pipeline.newId(), body, atMs: now };
          });
          return isDisabled;
        },
        balances: createBalances({
          ...{ store, codec, keys, clock: ports.clock },
          organization: repository.organization,
          reader: repository.reader,
        }),
        deliveries: createDeliveries({
          ...{ store, codec, keys: createWebhookKeys(keys), clock: ports.clock },
          organization: repository.organization,
          compatible: deployment.compatibleWebhooks,
          refusedRow: (error) => logRefusedRow(error, 'webhooks', ports),
        }),
      };
      return undefined;
    },
    bootstrap: async (request) => {
      assert(started !== undefined, 'an enclave is started before it bootstraps');
      return started.bootstrap(request);
    },
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
    signDeliveries: async (request) => {
      const { deliveries } = started ?? fail('enclave_unavailable');
      return turns.run(ownWorkFor(request.organizationId), () => deliveries.sign(request));
    },
    disableEndpoint: async (request) => {
      if (started === undefined) fail('enclave_unavailable');
      return { isDisabled: await started.disableEndpoint(request) };
    },
    chainCursor: async (name) => {
      if (started === undefined) fail('enclave_unavailable');
      return started.balances.cursor(name);
    },
    observe: async (observed) => {
      const { balances } = started ?? fail('enclave_unavailable');
      return turns.run(ownWorkFor('balances'), async () => {
        return { outcome: await balances.observe(observed) };
      });
    },
    discovery: async () => {
      if (started === undefined) fail('enclave_unavailable');
      return started.discovery();
    },
    webhookKeySet: async () => {
      if (started === undefined) fail('enclave_unavailable');
      return { body: await started.deliveries.keySet() };
    },
  };
}

const resources: ReadonlyMap<string, string> = new Map(
  Object.values(activityOperations).flatMap(({ wire, older, subject }) =>
    [wire, ...older.map((version) => version.wire)].map(({ type }): [string, string] => [
      type,
      subject.resource,
    ]),
  ),
);
const resourceOf = (type: string): string | undefined => resources.get(type);

/** What clients are to know of the service itself. */
function discoveryOf({
  serviceKeys,
  deployment: { publicUrl },
}: Pick<Ports, 'serviceKeys' | 'deployment'>): AnswerOf<EnclaveMessages['discovery']> {
  const document = (value: JsonObject) => utf8(JSON.stringify(value));
  return {
    issuerConfiguration: document(issuerDocument(publicUrl)),
    issuerKeySet: document(issuerKeySet(serviceKeys)),
    serviceKeys: document({ keys: publishedServiceKeys(serviceKeys) }),
  };
}

/** Styles of submits, with what their header `Dry-Run` said. */
const dryRunHeaders: Readonly<Record<string, boolean | undefined>> = {
  submit: undefined,
  dry_run: true,
  no_dry_run: false,
};

async function answerOf(
  request: Request,
  prepares: boolean,
  { submit, query }: Started,
): Promise<Prepared> {
  if (Object.hasOwn(dryRunHeaders, request.style)) {
    const dryRun = dryRunHeaders[request.style];
    const { addition, ...answer } = await submit({ ...request, dryRun, prepares });
    return { answer: success(answer), addition };
  }
  if (request.style === 'query') {
    return { answer: success(await query(request)), addition: undefined };
  }
  return fail('operation_unknown', { operation: request.style });
}

/** Whatever is answered to a page that may use a proxy, the page may read. */
async function onboarded(
  request: Request,
  { onboard }: Started,
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
}: {
  readonly body: object;
  readonly activity?: Activity | undefined;
  readonly organizationId: string;
}): Answer {
  return {
    status: 200,
    body: utf8(JSON.stringify(body)),
    activityId: activity?.id,
    organizationId,
    errorCode: undefined,
    allowedOrigin: undefined,
  };
}

/** Every failure as an answer. What only we can have caused is logged under the request's id. */
function refusal(request: Request, error: unknown, ports: EnclavePorts): Answer {
  const known = knownRefusal(request, error, ports);
  const { status, body } = renderError(known);
  return {
    status,
    body,
    activityId: undefined,
    // A refusal that was kept counts against the limit of its organization, as an activity does.
    organizationId: known instanceof PolicyRefusedError ? known.organizationId : undefined,
    errorCode: known.code,
    allowedOrigin: undefined,
  };
}

function logRefusedRow(
  { place }: RecordRefusedError,
  requestId: string,
  ports: EnclavePorts,
): void {
  const { organizationId, kind, id, version } = place;
  const fields = { requestId, organizationId, kind, id, version };
  const sentence = 'a stored record was refused: it is not what was sealed for its place';
  ports.log('error', sentence, fields);
}

function knownRefusal(request: Request, error: unknown, ports: EnclavePorts): ServiceError {
  const supportId = request.requestId;
  if (error instanceof RecordRefusedError) {
    logRefusedRow(error, supportId, ports);
    return new ServiceError('record_refused', { supportId });
  }
  if (error instanceof ServiceError && error.code !== 'internal') return error;
  ports.log('error', 'a request failed unexpectedly', {
    requestId: supportId,
    operation: request.operation,
    detail: error instanceof Error ? (error.stack ?? error.message) : 'not an error',
  });
  return new ServiceError('internal', { supportId });
}
