// A running enclave with its root key: keys, records, the pipeline and its services.

import { createRememberedTries } from '../core/auth/one_time_codes/remembered_tries.ts';
import { issuerDocument, issuerKeySet } from '../core/auth/tokens/issued_identity.ts';
import { utf8 } from '../core/base/bytes.ts';
import { createIdSource } from '../core/base/ids.ts';
import { type Liveness, maximumLivenessMs } from '../core/base/liveness.ts';
import { sha256 } from '../core/crypto/hashes.ts';
import { publishedServiceKeys } from '../core/crypto/service_keys.ts';
import { knownRules } from '../core/custody/rules.ts';
import { assert, fail } from '../core/errors/errors.ts';
import type { ExternalServices } from '../core/external/external_services.ts';
import type { EphemeralKey } from '../core/proofs/app_proofs.ts';
import { unknownProgram } from '../core/proofs/boot_proofs.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { disableEndpoint } from '../core/webhooks/endpoints.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../ipc/messages.ts';
import { activityOperations, queryOperations, voteOperations } from '../operations/index.ts';
import { createCatalog } from '../pipeline/catalog.ts';
import { createChangeLines } from '../pipeline/change_lines.ts';
import { everyTime, refusesToAsk } from '../pipeline/once.ts';
import type { Ports } from '../pipeline/ports.ts';
import { createProxy } from '../pipeline/proxy.ts';
import { createQuery } from '../pipeline/query.ts';
import { createRecordedRefusals } from '../pipeline/recorded_refusals.ts';
import { createSubmit } from '../pipeline/submit.ts';
import type { StorePort } from '../store/port.ts';
import {
  createHeldOrganizationKeys,
  type HeldOrganizationKeys,
} from './keys/held_organization_keys.ts';
import { createKeyrings } from './keys/keyring.ts';
import type { RootKeys } from './keys/root_keys.ts';
import { createSealing } from './keys/sealing.ts';
import { createServiceKeys } from './keys/service_keys.ts';
import { createSigningKeyCache, type SigningKeyCache } from './keys/signing_key_cache.ts';
import { createWebhookKeys } from './keys/webhook_keys.ts';
import type { EnclavePorts } from './ports.ts';
import { createEmailEventReader } from './records/email_event_reader.ts';
import type { LargeReads } from './records/large_reads.ts';
import { type OpenedKeys, openKeyRing } from './records/opened_keys.ts';
import { accountable } from './records/reader.ts';
import {
  createRecordCodec,
  type RecordCodec,
  type RecordRefusedError,
} from './records/record_codec.ts';
import { createRepository } from './records/repository.ts';
import { withRewrappedSecrets } from './records/rewrapped_memory.ts';
import { createSealedEntries, type SealedEntries } from './records/sealed_entries.ts';
import type { RequireNewest } from './records/shared_rows.ts';
import { createRewrap, type Rewrap } from './records/wrapped_secrets.ts';
import { logRefusedRow } from './refusals.ts';
import { createAudit } from './services/audit.ts';
import { createBalances } from './services/balances.ts';
import { createBootstrap, openDeployment } from './services/bootstrap.ts';
import { type Custody, createCustody, noAnchor } from './services/custody.ts';
import { createDeliveries } from './services/deliveries.ts';
import { createEmailEvents } from './services/email_events.ts';
import { createKeyRotation } from './services/key_rotation.ts';
import { createLog } from './services/log.ts';
import type { AnchorPorts } from './services/log_anchor.ts';
import { logRunOf } from './services/log_run.ts';
import { createProofs } from './services/proofs.ts';
import { createReceipts } from './services/receipts.ts';
import { createSends } from './services/sends.ts';
import type { FairTurns } from './turns/fair_turns.ts';

type Start = Omit<RequestOf<EnclaveMessages['start']>, 'rootKey'> & {
  /** 32 bytes, or 64 bytes during a rotation; wiped after use. */
  readonly rootKey: Uint8Array;
};
type Given = Omit<Start, 'rootKey'>;
type Repository = ReturnType<typeof createRepository>;

/** The environment of an enclave in which waiting requests take turns. */
export type Surroundings = {
  readonly ports: EnclavePorts;
  readonly turns: FairTurns;
  readonly large: LargeReads;
  readonly store: StorePort;
  readonly external: ExternalServices;
  readonly verifySignature: Ports['verifySignature'];
  /** The key of this run, if the enclave made it before it had its root key. */
  readonly ephemeralKey?: EphemeralKey | undefined;
  /** True if the gateway passed the root key, and announced that it can read the next root key later. */
  readonly acceptsNextKey: boolean;
  /** Number of client requests in progress. */
  readonly requests: () => number;
};

/** The parts that derive from the root key, and hold or read stored data. */
type Vault = {
  readonly keys: RootKeys;
  readonly codec: RecordCodec;
  readonly rewrap: Rewrap;
  readonly sealed: SealedEntries;
  readonly cache: SigningKeyCache;
  readonly held: HeldOrganizationKeys;
  readonly repository: Repository;
  readonly custody: Custody;
};

export type Running = ReturnType<typeof runWith>;

/**
 * Starts an enclave with its root key, and wipes the key's bytes. Raises `root_key_mismatch` and
 * `root_key_rotating`.
 */
export async function startRunning({ rootKey, ...start }: Start, surroundings: Surroundings) {
  requireBoundedLiveness(start.liveness);
  const opened = await openKeyRing(surroundings.store, rootKey);
  return runWith(opened, start, surroundings);
}

/** An attacker in the gateway must not lengthen the time in which a request can be repeated. */
function requireBoundedLiveness({ maximumAgeMs, maximumAheadMs }: Liveness): void {
  const isBounded = Math.max(maximumAgeMs, maximumAheadMs) <= maximumLivenessMs;
  assert(isBounded, 'the bounds of the age of requests are at most a day');
}

function runWith(opened: OpenedKeys, start: Given, surroundings: Surroundings) {
  const { ports, store } = surroundings;
  const vault = openVault(opened.ring, surroundings, (...loaded) => log.requireNewest(...loaded));
  const { keys, codec, sealed, repository, custody } = vault;
  const { organization, reader } = repository;
  const { clock } = ports;
  const refused = (job: string) => (error: RecordRefusedError) => logRefusedRow(error, job, ports);
  const deliveries = createDeliveries({
    store,
    codec,
    voters: repository.voters,
    keys: createWebhookKeys(keys),
    clock,
    organization,
    firstOrganizationId: firstOrganizationOf(store, codec),
    deployment: start.deployment,
    refusedRow: refused('webhooks'),
  });
  const named = { ...store, ...accountable(store) };
  const ownPorts = pipelinePorts(start, vault, surroundings);
  const log = createLog({
    store: named,
    codec,
    keys,
    sealed,
    clock,
    random: ports.random,
    knownVersion: (organizationId) => repository.known(organizationId)?.version,
    owner: custody.logOwner,
    mayChange: async () => (await custody.copyStatus()).state === 'serving',
    ...anchorsOf(ports),
    refusedRow: refused('log'),
    run: logRunOf(ownPorts.proofs),
  });
  const receipts = createReceipts({ store: named, codec, log });
  const pipeline = {
    ...ownPorts,
    receipts,
    repository: servingAlone(repository, custody),
    signEvent: deliveries.signEvent,
  };
  const catalog = createCatalog(activityOperations, voteOperations);
  const submit = createSubmit(catalog, pipeline);
  return {
    audit: createAudit({ store, codec, refusedRow: refused('audit') }),
    submit,
    unrecordedRefusals: ownPorts.recordedRefusals.unrecorded,
    changeWaits: ownPorts.changeLines.waits,
    onboard: createProxy(submit, catalog, pipeline),
    query: createQuery(queryOperations, catalog, pipeline),
    discovery: () => discoveryOf(pipeline),
    custody,
    log,
    dropDerivedKeys: vault.cache.dropOrganization,
    bootstrap: createBootstrap({ ...pipeline, store, repository, codec, custody, log }),
    disableEndpoint: endpointDisabler(pipeline, repository),
    balances: createBalances({
      store,
      codec,
      keys,
      clock,
      organization,
      reader,
      pause: pipeline.pause,
      crowded: (block) =>
        ports.log('warn', 'a block has more transfers of accounts than are reported', block),
      refusedRow: refused('balances'),
    }),
    sends: createSends({
      store,
      keys,
      clock,
      organization,
      reader,
      newId: pipeline.newId,
      systemChange: repository.systemChange,
      refusedRow: refused('sends'),
    }),
    emailEvents: createEmailEvents({
      clock,
      organization,
      newId: pipeline.newId,
      events: createEmailEventReader({ store, codec, keys }),
      systemChange: repository.systemChange,
      refusedRow: refused('mails'),
    }),
    deliveries,
    rotation: keyRotationOf(opened, vault, surroundings),
  };
}

/** Returns the ports for anchors of the log. Missing ports report no anchor. */
function anchorsOf({ logAnchor, witnessed, log }: EnclavePorts): Omit<AnchorPorts, 'owner'> {
  const anchor = logAnchor ?? (async () => undefined);
  return { anchor, witnessed: witnessed ?? (async () => []), log };
}

function keyRotationOf(
  opened: OpenedKeys,
  { repository, rewrap }: Pick<Vault, 'repository' | 'rewrap'>,
  surroundings: Surroundings,
) {
  const { clock, random } = surroundings.ports;
  const rewrapMemory = () =>
    repository.replaceKnown((known) => withRewrappedSecrets(known, rewrap));
  return createKeyRotation(opened, { ...surroundings, clock, random, rewrapMemory });
}

/**
 * Returns the repository of a replica that signs. If another replica is accepted while a request waits, the
 * decision of this replica is not committed.
 */
function servingAlone(
  repository: Repository,
  { checkChanges }: Pick<Custody, 'checkChanges'>,
): Repository {
  return {
    ...repository,
    commit: async (proposal) => {
      await checkChanges();
      return repository.commit(proposal);
    },
  };
}

/**
 * Creates the vault of an enclave. `requireNewest` checks an organization against the log at its first load.
 */
export function openVault(
  keys: RootKeys,
  { ports, store, turns, large }: Pick<Surroundings, 'ports' | 'store' | 'turns' | 'large'>,
  requireNewest?: RequireNewest,
): Vault {
  const sealed = createSealedEntries();
  const sealing = createSealing('seal', keys, ports.random, ports.clock);
  const rewrap = createRewrap(keys, ports.random, ports.clock);
  const codec = createRecordCodec(sealing, sealed.sealed, rewrap);
  const cache = createSigningKeyCache();
  const held = createHeldOrganizationKeys(cache.dropOrganization);
  const { clock, rules = knownRules, anchor = noAnchor } = ports;
  const level = rules.length;
  const records = { store, codec, keys, level };
  const { pause, workFor } = turns;
  const reading = { large, pause, workFor };
  const repository = createRepository({
    ...records,
    resourceOf,
    derivedKeys: { ...cache, followSeals: held.follow },
    reading,
    ...(requireNewest && { requireNewest }),
  });
  const custody = createCustody({ store, codec, clock, rules, anchor });
  return { keys, codec, rewrap, sealed, cache, held, repository, custody };
}

function pipelinePorts(
  { liveness, deployment }: Given,
  { keys, codec, cache, held, repository }: Vault,
  { ports, turns, large, store, external, verifySignature, ephemeralKey }: Surroundings,
): Omit<Ports, 'signEvent' | 'receipts'> {
  const { clock, random } = ports;
  const newId = createIdSource(ports);
  const serviceKeys = createServiceKeys(keys, random, clock);
  const wrapping = createSealing('wrap', keys, random, clock);
  const proofs = createProofs({
    random,
    ephemeralKey,
    newId,
    clock,
    deployment,
    serviceKeys,
    repository,
    program: ports.program ?? unknownProgram,
    firstOrganizationId: firstOrganizationOf(store, codec),
  });
  return {
    clock,
    pause: turns.pause,
    once: everyTime,
    askOnce: refusesToAsk,
    chargeTo: turns.chargeTo,
    holdTurnOf: turns.holdTurnOf,
    newId,
    repository,
    keyring: createKeyrings({ wrapping, random, cache, held, receiver: proofs.key }),
    serviceKeys,
    rememberedTries: createRememberedTries(),
    recordedRefusals: createRecordedRefusals(clock),
    changeLines: createChangeLines(clock),
    largeReads: large,
    proofs,
    random,
    external,
    deployment,
    verifySignature,
    sha256,
    freshness: liveness,
  };
}

/** Creates the function that returns the ID of the first organization. It raises `deployment_missing`. */
function firstOrganizationOf(store: Pick<StorePort, 'deployment'>, codec: RecordCodec) {
  return async () => {
    const sealed = await store.deployment();
    if (sealed === undefined) return fail('deployment_missing');
    return openDeployment(sealed, codec).organizationId;
  };
}

/** Creates the function that disables a webhook endpoint with lasting failures. It returns true if it did. */
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

/** Returns the documents about the service itself for clients. */
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
