// An enclave on any store, for tests of stores that misbehave.

import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { createEnclave } from '../../src/enclave/enclave.ts';
import type { AnchorPort } from '../../src/enclave/records/custody_reader.ts';
import type { StorePort } from '../../src/store/port.ts';
import {
  askOver,
  seededRandom,
  stampOf,
  type TestAnswer,
  type TestKey,
  testRootKey,
} from '../support/harness.ts';
import { createTestOutside, type TestOutside, testDeployment } from '../support/outside.ts';

export type LogLine = {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number>>;
};

export type ServiceOver = Awaited<ReturnType<typeof startServiceOver>>;

/** Starts an enclave on a store; `seed` makes its randomness differ from that of other enclaves. */
export async function startServiceOver(ports: {
  store: StorePort;
  seed: string;
  clock: () => number;
  rootKey?: Uint8Array;
  outside?: TestOutside;
  deployment?: Partial<typeof testDeployment>;
  /** The bounds of the age of requests, in milliseconds. */
  liveness?: { maximumAgeMs?: number; maximumAheadMs?: number };
  /** The rules that it knows. Default: all. */
  rules?: readonly string[];
  anchor?: AnchorPort;
  /** The clock that measures stages. */
  stageClock?: () => number;
  /** False verifies stamps on the main thread, which makes the order of event loop turns deterministic. */
  usesThreadPool?: boolean;
}) {
  const log: LogLine[] = [];
  const enclave = createEnclave({
    store: ports.store,
    external: ports.outside ?? createTestOutside(),
    clock: ports.clock,
    random: seededRandom(ports.seed),
    ...(ports.rules === undefined ? {} : { rules: ports.rules }),
    ...(ports.anchor === undefined ? {} : { anchor: ports.anchor }),
    ...(ports.stageClock === undefined ? {} : { stageClock: ports.stageClock }),
    usesThreadPool: ports.usesThreadPool ?? true,
    log: (level, message, fields) => log.push({ level, message, fields }),
  });
  await enclave.start({
    rootKey: ports.rootKey ?? testRootKey(),
    liveness: { maximumAgeMs: 3_600_000, maximumAheadMs: 300_000, ...ports.liveness },
    deployment: { ...testDeployment, ...ports.deployment },
  });
  const ask = askOver(enclave, ports.store);
  let serial = 0;
  return {
    enclave,
    ask,
    log,
    /** Sends exact bytes with the request id `<seed>-<serial>`. */
    send: async (
      kind: 'submit' | 'query',
      operation: string,
      body: Uint8Array,
      key: TestKey,
    ): Promise<TestAnswer> => {
      serial += 1;
      const answer = await ask({
        requestId: `${ports.seed}-${serial}`,
        kind,
        operation,
        headers: [stampOf(body, key)],
        timestampObjects: false,
        remoteAddress: '127.0.0.1',
        body,
      });
      return { status: answer.status, body: JSON.parse(textOfUtf8(answer.body) ?? '') };
    },
  };
}

/** Returns the body of an activity. */
export function activityBody(
  type: string,
  organizationId: string,
  parameters: object,
  timestampMs: number,
  more: object = {},
): Uint8Array {
  const envelope = { type, timestampMs: String(timestampMs), organizationId, parameters, ...more };
  return utf8(JSON.stringify(envelope));
}

/** Returns the body of a query. */
export function queryBody(organizationId: string, parameters: object = {}): Uint8Array {
  return utf8(JSON.stringify({ organizationId, ...parameters }));
}
