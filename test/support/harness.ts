// A whole enclave on an in-memory database, with a fixed clock and seeded randomness, for tests of
// operations. Requests are real bytes with real stamps.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { base64url, hex, textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { ServiceError } from '../../src/core/errors/errors.ts';
import type { Deployment } from '../../src/core/external/external_services.ts';
import { renderError } from '../../src/core/views/render_error.ts';
import { createEnclave } from '../../src/enclave/enclave.ts';
import type { LargeReads } from '../../src/enclave/records/large_reads.ts';
import type { WitnessedCheckpoint } from '../../src/enclave/services/log_anchor.ts';
import { type FairTurns, noTurns } from '../../src/enclave/turns/fair_turns.ts';
import { createEnclaveClient, type EnclaveClient } from '../../src/gateway/enclave/client.ts';
import type { AnswerOf, EnclaveMessages } from '../../src/ipc/messages.ts';
import type { StorePort } from '../../src/store/port.ts';
import { openDatabase, openSqliteStore } from '../../src/store/sqlite/sqlite.ts';
import { createSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { createTestOutside, testDeployment } from './outside.ts';
import { p256PublicKey, signP256 } from './p256.ts';

/** A P-256 key that stamps requests. */
export type TestKey = { readonly privateKey: Uint8Array; readonly publicKey: string };

export type TestAnswer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
  readonly body: any;
};

export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** The state of a service at one moment: its database, its first organization and its time. */
export type Snapshot = {
  readonly database: Uint8Array;
  readonly root: AnswerOf<EnclaveMessages['bootstrap']>;
  readonly nowMs: number;
};

/** The time at which every test starts. */
export const startMs = Date.UTC(2026, 0, 1);

/** Returns a copy of the root key of all test services. Its user wipes the copy. */
export const testRootKey = (): Uint8Array => new Uint8Array(32).fill(7);

/** Starts a service with its first organization. Every run gives the same bytes. */
export async function startTestService(
  options: {
    log?: string[];
    deployment?: Partial<Deployment>;
    enablesAuthProxy?: boolean;
    databaseFile?: string;
    /** Replaces SQLite. */
    store?: Store;
    /** Wraps the port of the store. */
    wrapStore?: (port: StorePort) => StorePort;
    turns?: FairTurns;
    /** Runs between an answer and its parsing by the caller. */
    beforeReading?: () => Promise<void>;
    large?: LargeReads;
    /** False: all work runs on one thread, so its order is the same in every run. */
    usesThreadPool?: boolean;
    /** Replaces the seeded random bytes. */
    random?: (length: number) => Uint8Array;
    /** Returns the newest checkpoint that is stored outside of the database. */
    logAnchor?: () => Promise<string | undefined>;
    /** Returns the newest checkpoints that witnesses cosigned. */
    witnessed?: (origins: readonly string[]) => Promise<readonly WitnessedCheckpoint[]>;
    /** True if the gateway can read the next root key of a rotation after the start. */
    givesNextKey?: boolean;
    /** Restarts from this state, in memory. */
    from?: Snapshot;
  } = {},
) {
  const { from } = options;
  const { store, serialize } = openStore(options);
  const port = options.wrapStore?.(store.port) ?? store.port;
  // A restarted service must not draw the same ids again.
  const seed = from === undefined ? 'keywright test' : 'keywright test, restarted';
  const random = options.random ?? seededRandom(seed);
  let now = from?.nowMs ?? startMs;
  const outside = createTestOutside();
  const enclave = createEnclave({
    store: port,
    external: outside,
    clock: () => now,
    random,
    ...(options.logAnchor === undefined ? {} : { logAnchor: options.logAnchor }),
    ...(options.witnessed === undefined ? {} : { witnessed: options.witnessed }),
    turns: options.turns ?? noTurns,
    ...(options.large === undefined ? {} : { large: options.large }),
    usesThreadPool: options.usesThreadPool ?? true,
    log: (level, message, fields) =>
      options.log?.push(JSON.stringify({ level, message, ...fields })),
  });
  const deployment = { ...testDeployment, ...options.deployment };
  await enclave.start({
    rootKey: testRootKey(),
    givesNextKey: options.givesNextKey ?? false,
    liveness: { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000 },
    deployment,
  });
  const rootKey = testKey('root');
  const root =
    from?.root ??
    (await enclave.bootstrap({
      organizationName: 'Test organization',
      userName: 'Root user',
      apiKeyName: 'Root key',
      apiPublicKey: rootKey.publicKey,
      enablesAuthProxy: options.enablesAuthProxy ?? false,
    }));

  const ask = askOver(enclave, port);
  let serial = 0;
  async function send(
    kind: 'submit' | 'query',
    operation: string,
    body: Uint8Array,
    headers: readonly { name: string; value: string }[],
    timestampObjects = false,
  ): Promise<TestAnswer> {
    serial += 1;
    const requestId = `request-${serial}`;
    const answer = await ask({
      requestId,
      kind,
      operation,
      headers,
      timestampObjects,
      remoteAddress: service.remoteAddress,
      body,
    });
    await options.beforeReading?.();
    return { status: answer.status, body: JSON.parse(textOfUtf8(answer.body) ?? '') };
  }

  const service = {
    root: { ...root, key: rootKey },
    /** The sender address of requests. */
    remoteAddress: '127.0.0.1',
    outside,
    deployment,
    store,
    enclave,
    send,
    now: () => now,
    /** Advances the clock. */
    advance: (ms: number) => {
      now += ms;
    },
    /** Submits a stamped activity. Each call adds a millisecond, so no request repeats another. */
    submit: (operation: string, type: string, parameters: unknown, as: Submitter = {}) => {
      now += 1;
      const body = utf8(
        JSON.stringify({
          type,
          timestampMs: String(now),
          organizationId: as.organizationId ?? root.organizationId,
          parameters,
          ...(as.dryRun === true ? { dryRun: true } : {}),
        }),
      );
      return send('submit', operation, body, [stampOf(body, as.key ?? rootKey)]);
    },
    query: (operation: string, parameters: object = {}, as: Sender = {}) => {
      const organizationId = as.organizationId ?? root.organizationId;
      const body = utf8(JSON.stringify({ organizationId, ...parameters }));
      return send('query', operation, body, [stampOf(body, as.key ?? rootKey)]);
    },
    /** Returns the current state, from which other services can start. Requires a database in memory. */
    snapshot: (): Snapshot => ({ database: serialize(), root, nowMs: now }),
    close: () => store.close(),
  };
  return service;
}

/** Returns the store of a service, and the bytes of its database if it is in memory. */
function openStore({
  store,
  databaseFile,
  from,
}: {
  readonly store?: Store;
  readonly databaseFile?: string;
  readonly from?: Snapshot;
}): { readonly store: Store; readonly serialize: () => Uint8Array } {
  const serialize = () => assert.fail('only a database in memory has a snapshot');
  if (store !== undefined) return { store, serialize };
  if (databaseFile !== undefined)
    return { store: openSqliteStore({ file: databaseFile }), serialize };
  const database = openDatabase({ file: ':memory:' });
  if (from !== undefined) database.deserialize(from.database);
  return { store: createSqliteStore(database), serialize: () => database.serialize() };
}

/** The sender of a request. Default: the root user, in the first organization. */
export type Sender = { readonly organizationId?: string; readonly key?: TestKey };

/** The sender of an activity. `dryRun` decides and explains without effects. */
type Submitter = Sender & { readonly dryRun?: boolean };

/** Returns the answers of a gateway with this enclave and store, including its own rejections. */
export function askOver(
  enclave: ReturnType<typeof createEnclave>,
  store: StorePort,
): EnclaveClient {
  const ask = createEnclaveClient(enclave, store);
  return async (request) => {
    try {
      return await ask(request);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { status, body } = renderError(error);
      const unknown = {
        activityId: undefined,
        organizationId: undefined,
        allowedOrigin: undefined,
      };
      return { status, body, ...unknown, errorCode: error.code };
    }
  };
}

/** Caches public keys, because they are slow to compute and their names repeat. */
const publicKeys = new Map<string, string>();

/** Returns a P-256 key that is the same in every run. */
export function testKey(name: string): TestKey {
  const privateKey = Uint8Array.from(createHash('sha256').update(`test key ${name}`).digest());
  const publicKey = publicKeys.getOrInsertComputed(name, () => hex(p256PublicKey(privateKey)));
  return { privateKey, publicKey };
}

/** Returns the X-Stamp header for a body. */
export function stampOf(body: Uint8Array, key: TestKey): { name: string; value: string } {
  const signature = signP256(body, key.privateKey);
  const stamp = {
    publicKey: key.publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    signature: hex(signature),
  };
  return { name: 'x-stamp', value: base64url(utf8(JSON.stringify(stamp))) };
}

/** Returns a source of bytes that look random and are the same in every run. */
export function seededRandom(seed: string): (length: number) => Uint8Array {
  let counter = 0;
  return (length) => {
    counter += 1;
    const hash = createHash('shake256', { outputLength: length });
    return Uint8Array.from(hash.update(`${seed}/${counter}`).digest());
  };
}
