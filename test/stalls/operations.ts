// Measures the longest pieces of each operation, on bodies that grow from a sample as far as the operation
// accepts them. Refused bodies are measured too.

import { utf8 } from '../../src/core/base/bytes.ts';
import { createFairTurns, eventLoop, type FairTurns } from '../../src/enclave/turns/fair_turns.ts';
import { activityOperations, queryOperations, voteOperations } from '../../src/operations/index.ts';
import { openKernelRandom } from '../../src/system/kernel_random.ts';
import { type Call, queryCalls, submitCalls, submitTypes } from '../hostile/calls.ts';
import {
  copyOf,
  fillTenants,
  snapshotOf,
  type Tenants,
  type TenantsSnapshot,
} from '../hostile/tenants.ts';
import { stampOf, startTestService } from '../support/harness.ts';
import { createMonitor, type Pieces } from './monitor.ts';
import { growthsOf, type Json, sizeOf, type Texts } from './worst_bodies.ts';
import type { Prepared, WrittenRow } from './written_rows.ts';

/** The longest pieces of one operation. */
export type Worst = {
  readonly operation: string;
  /** The growth of the body with the longest piece, and its status. */
  readonly body: string;
  readonly status: number;
  readonly bytes: number;
  /** The length of the longest body that the operation accepted; 0 if it accepted none. */
  readonly acceptedBytes: number;
  readonly enclaveMs: number;
  readonly storeMs: number;
  readonly totalMs: number;
};

type Kind = 'submit' | 'query';

const bodyLimit = 4 * 1024 * 1024;
/** A real service also uses the kernel's random source, and seeded bytes take longer. */
const random = openKernelRandom();

/** Every operation that takes a stamped request. */
export const measuredOperations: readonly (readonly [Kind, string])[] = [
  ...Object.keys(submitCalls).map((name) => ['submit', name] as const),
  ...Object.keys(queryCalls).map((name) => ['query', name] as const),
];

let made: Promise<TenantsSnapshot> | undefined;

function tenantsOfAll(): Promise<TenantsSnapshot> {
  made ??= snapshot();
  return made;
}

async function snapshot(): Promise<TenantsSnapshot> {
  const tenants = await fillTenants();
  const taken = snapshotOf(tenants);
  tenants.close();
  return taken;
}

/** Measures one operation; pieces longer than `doubtMs` are measured again, so that the median counts. */
export async function measureOperation(
  kind: Kind,
  operation: string,
  doubtMs: number,
  texts: Texts = 'all',
): Promise<Worst> {
  const service = await startMeasured(await tenantsOfAll());
  try {
    const calls: readonly Call[] = (kind === 'submit' ? submitCalls : queryCalls)[operation] ?? [];
    let worst: Worst | undefined;
    for (const call of calls) {
      const found = await measureCall(service, { kind, operation, call, doubtMs, texts });
      const acceptedBytes = Math.max(found.acceptedBytes, worst?.acceptedBytes ?? 0);
      const isWorse = worst === undefined || found.enclaveMs > worst.enclaveMs;
      worst = { ...(isWorse ? found : (worst ?? found)), acceptedBytes };
    }
    if (worst === undefined) throw new Error(`${operation} has no sample`);
    return worst;
  } finally {
    service.end();
  }
}

type Measured = Awaited<ReturnType<typeof startMeasured>>;

/** Starts a service with turns, and a neighbour that always has an open request. */
async function startMeasured(from: TenantsSnapshot) {
  const monitor = createMonitor();
  const turns = createFairTurns({ ...eventLoop, clock: () => performance.now() });
  const { storeApart: wrapStore, beforeReading } = monitor;
  const tenants = await copyOf(from, { turns, wrapStore, beforeReading, random });
  const leave = addNeighbour(turns);
  const end = (): void => {
    leave();
    tenants.service.close();
  };
  return { monitor, tenants, end };
}

/** Starts a request of another account, which waits until the returned function is called. */
function addNeighbour(turns: FairTurns): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void turns.run({ account: 'neighbour', source: 'neighbour', payer: 'account' }, () => promise);
  return resolve;
}

type Asked = {
  readonly kind: Kind;
  readonly operation: string;
  readonly call: Call;
  readonly doubtMs: number;
  readonly texts: Texts;
};

async function measureCall(measured: Measured, asked: Asked): Promise<Worst> {
  const { kind, operation, call, doubtMs } = asked;
  const { all } = measured.tenants;
  const tenant = all.get(call.by ?? 'child');
  if (tenant === undefined) throw new Error('the tenant is there');
  let body = JSON.parse(JSON.stringify(call.parameters(tenant))) as Json;
  let worst: Omit<Worst, 'acceptedBytes'> | undefined;
  let acceptedBytes = 0;

  const attempt = async (name: string, tried: Json, dryRun: boolean): Promise<number> => {
    const send = (to: Measured) => {
      // The client writes and stamps its body in another process.
      const sendNow = stampedBody(to.tenants, { ...asked, tenant, body: tried, dryRun });
      return to.monitor.watch(sendNow);
    };
    const [sent, first] = await send(measured);
    const runs = [first];
    // The garbage collector may cause a single long piece, so the median of several runs counts.
    while (medianOf(runs) > doubtMs && runs.length < 5) {
      const fresh = dryRun ? measured : await startMeasured(await tenantsOfAll());
      runs.push((await send(fresh))[1]);
      if (fresh !== measured) fresh.end();
      if (runs.length === 3 && medianOf(runs) <= doubtMs) break;
    }
    const enclaveMs = medianOf(runs);
    if (sent.status === 200) acceptedBytes = Math.max(acceptedBytes, sent.bytes);
    if (worst === undefined || enclaveMs > worst.enclaveMs) {
      const { storeMs, totalMs } = first;
      worst = { operation, body: name, ...sent, enclaveMs, storeMs, totalMs };
    }
    return sent.status;
  };

  for (const { name, bodies, triesAll } of growthsOf(schemaOf(kind, operation), asked.texts)) {
    const before = body;
    for (const tried of bodies(before)) {
      if (tried === before || sizeOf(tried) > bodyLimit - 1_000) continue;
      const status = await attempt(name, tried, true);
      if (status !== 200) continue;
      body = tried;
      if (!triesAll) break;
    }
  }
  await attempt('largest', body, false);
  if (worst === undefined) throw new Error(`${operation} was not sent`);
  return { ...worst, acceptedBytes };
}

/** Measures a handwritten request beside a neighbour. Each run has its own service. */
export async function measureWritten(row: WrittenRow, doubtMs: number): Promise<Worst> {
  const runs: Pieces[] = [];
  let sent: Prepared | undefined;
  while (runs.length === 0 || (runs.length < 3 && medianOf(runs) > doubtMs)) {
    const monitor = createMonitor();
    const turns = createFairTurns({ ...eventLoop, clock: () => performance.now() });
    const service = await startTestService({
      turns,
      wrapStore: monitor.storeApart,
      beforeReading: monitor.beforeReading,
      random,
    });
    const prepared = await row.prepare(service);
    const leave = addNeighbour(turns);
    const { kind = 'submit', operation, body, status } = prepared;
    const headers = [stampOf(body, service.root.key)];
    const [answer, pieces] = await monitor.watch(() =>
      service.send(kind, operation, body, headers),
    );
    leave();
    service.close();
    if (answer.status !== status) throw new Error(`${row.name}: ${answer.status}`);
    runs.push(pieces);
    sent = prepared;
  }
  const { storeMs, totalMs } = runs[0] ?? { storeMs: 0, totalMs: 0 };
  return {
    operation: row.name,
    body: 'written by hand',
    status: sent?.status ?? 0,
    bytes: sent?.body.length ?? 0,
    acceptedBytes: sent?.status === 200 ? sent.body.length : 0,
    enclaveMs: medianOf(runs),
    storeMs,
    totalMs,
  };
}

function schemaOf(kind: Kind, operation: string): object {
  const schema =
    kind === 'query'
      ? queryOperations[operation]?.body
      : (activityOperations[operation] ?? voteOperations[operation])?.parameters;
  if (schema === undefined) throw new Error(`there is no ${operation}`);
  return schema;
}

/** Returns the function that sends a stamped body. */
function stampedBody(
  { service }: Tenants,
  sent: Asked & {
    readonly tenant: {
      readonly organizationId: string;
      readonly key: Parameters<typeof stampOf>[1];
    };
    readonly body: Json;
    readonly dryRun: boolean;
  },
): () => Promise<{ readonly status: number; readonly bytes: number }> {
  const { kind, operation, tenant, body, dryRun } = sent;
  const { organizationId } = tenant;
  service.advance(1);
  const activity = {
    type: submitTypes.get(operation),
    timestampMs: String(service.now()),
    organizationId,
    parameters: body,
    ...(dryRun ? { dryRun } : {}),
  };
  const query = { organizationId, ...(body as object) };
  const bytes = utf8(JSON.stringify(kind === 'submit' ? activity : query));
  const headers = [stampOf(bytes, tenant.key)];
  return async () => {
    const { status } = await service.send(kind, operation, bytes, headers);
    return { status, bytes: bytes.length };
  };
}

function medianOf(runs: readonly Pieces[]): number {
  const sorted = runs.map(({ enclaveMs }) => enclaveMs).toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
