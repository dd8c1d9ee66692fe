// What an enclave is once it has its root key: keys, records, the pipeline and the services over them.

import { createRememberedTries } from '../core/auth/otp/remembered_tries.ts';
import { issuerDocument, issuerKeySet } from '../core/auth/tokens/issued_identity.ts';
import { copyOfSecret, utf8 } from '../core/base/bytes.ts';
import { createIdSource } from '../core/base/ids.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import { publishedServiceKeys } from '../core/crypto/service_keys.ts';
import { assert, fail } from '../core/errors/errors.ts';
import type { ExternalServices } from '../core/external/external_services.ts';
import { unknownProgram } from '../core/proofs/boot_proofs.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { disableEndpoint } from '../core/webhooks/endpoints.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../ipc/messages.ts';
import { activityOperations, queryOperations, voteOperations } from '../operations/index.ts';
import { createCatalog } from '../pipeline/catalog.ts';
import type { Ports } from '../pipeline/ports.ts';
import { createOnboarding } from '../pipeline/proxy.ts';
import { createQuery } from '../pipeline/query.ts';
import { createSubmit } from '../pipeline/submit.ts';
import type { StorePort } from '../store/port.ts';
import type { EnclavePorts } from './enclave.ts';
import type { FairTurns } from './fair_turns.ts';
import { createKeyrings, createSigningKeyCache, type SigningKeyCache } from './keys/keyring.ts';
import { createRootKeys, keyBytes, type RootKeys } from './keys/root_keys.ts';
import { createSealing } from './keys/sealing.ts';
import { createServiceKeys } from './keys/service_keys.ts';
import { createWebhookKeys } from './keys/webhook_keys.ts';
import { createRecordCodec, type RecordCodec } from './records/record_codec.ts';
import { createRepository } from './records/repository.ts';
import { logRefusedRow } from './refusals.ts';
import { createBalances } from './services/balances.ts';
import { createBootstrap, openDeployment } from './services/bootstrap.ts';
import { createDeliveries } from './services/deliveries.ts';
import { createProofs } from './services/proofs.ts';

type Start = RequestOf<EnclaveMessages['start']>;
type Repository = ReturnType<typeof createRepository>;

/** The surroundings of an enclave, where whoever waits takes turns with others. */
export type Surroundings = {
  readonly ports: EnclavePorts;
  readonly turns: FairTurns;
  readonly store: StorePort;
  readonly external: ExternalServices;
  readonly verifySignature: Ports['verifySignature'];
};

/** What is made from the root key, and holds or reads what is stored. */
type Vault = {
  readonly keys: RootKeys;
  readonly codec: RecordCodec;
  readonly cache: SigningKeyCache;
  readonly repository: Repository;
};

export type Running = ReturnType<typeof startRunning>;

/** Starts an enclave with its root key, whose bytes are wiped. */
export function startRunning(start: Start, surroundings: Surroundings) {
  const { ports, store } = surroundings;
  const vault = openVault(start.rootKey, surroundings);
  const { keys, codec, repository } = vault;
  const { organization, reader } = repository;
  const { clock } = ports;
  const deliveries = createDeliveries({
    store,
    codec,
    keys: createWebhookKeys(keys),
    clock,
    organization,
    compatible: start.deployment.compatibleWebhooks,
    refusedRow: (error) => logRefusedRow(error, 'webhooks', ports),
  });
  const { signEvent } = deliveries;
  const pipeline = { ...pipelinePorts(start, vault, surroundings), signEvent };
  const catalog = createCatalog(activityOperations, voteOperations);
  const submit = createSubmit(catalog, pipeline);
  return {
    submit,
    onboard: createOnboarding(submit, pipeline),
    query: createQuery(queryOperations, catalog, pipeline),
    discovery: () => discoveryOf(pipeline),
    bootstrap: createBootstrap({ ...pipeline, store, repository, codec }),
    disableEndpoint: endpointDisabler(pipeline, repository),
    balances: createBalances({ store, codec, keys, clock, organization, reader }),
    deliveries,
  };
}

function openVault(rootKey: Uint8Array, { ports, store }: Surroundings): Vault {
  assert(rootKey.length === keyBytes, `a root key has ${keyBytes} bytes`);
  const keys = createRootKeys(copyOfSecret(rootKey));
  rootKey.fill(0);
  const codec = createRecordCodec(createSealing('seal', keys, ports.random));
  const cache = createSigningKeyCache();
  const repository = createRepository({ store, codec, keys, resourceOf, derivedKeys: cache });
  return { keys, codec, cache, repository };
}

function pipelinePorts(
  { liveness, deployment }: Start,
  { keys, codec, cache, repository }: Vault,
  { ports, turns, store, external, verifySignature }: Surroundings,
): Omit<Ports, 'signEvent'> {
  const { clock, random } = ports;
  const newId = createIdSource(ports);
  const serviceKeys = createServiceKeys(keys, random);
  const wrapping = createSealing('wrap', keys, random);
  return {
    clock,
    pause: turns.pause,
    provenOf: turns.provenOf,
    newId,
    repository,
    keyring: createKeyrings({ wrapping, random, cache }),
    serviceKeys,
    rememberedTries: createRememberedTries(),
    proofs: createProofs({
      random,
      newId,
      clock,
      deployment,
      serviceKeys,
      repository,
      program: ports.program ?? unknownProgram,
      firstOrganizationId: async () => {
        const sealed = await store.deployment();
        if (sealed === undefined) return fail('deployment_missing');
        return openDeployment(sealed, codec).organizationId;
      },
    }),
    random,
    external,
    deployment,
    verifySignature,
    sha256,
    freshness: liveness,
  };
}

/** Makes a webhook endpoint inactive that has failed for long, and says whether it did. */
function endpointDisabler(
  { clock, newId }: Pick<Ports, 'clock' | 'newId'>,
  repository: Repository,
) {
  return async ({
    organizationId,
    endpointId,
    ...failing
  }: RequestOf<EnclaveMessages['disableEndpoint']>): Promise<boolean> => {
    let isDisabled = false;
    await repository.systemChange(organizationId, (draft) => {
      const now = clock();
      const body = disableEndpoint(draft, endpointId, { now, ...failing });
      isDisabled = body !== undefined;
      if (body === undefined) return undefined;
      const facts = { organizationIds: [organizationId] };
      return { type: 'WEBHOOK_ENDPOINT_UPDATES', facts, id: newId(), body, atMs: now };
    });
    return isDisabled;
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
