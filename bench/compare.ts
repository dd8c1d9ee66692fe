// Closed loops against several services in turn, so that other load of the machine affects all alike.

import { signRequests } from './client.ts';
import { type LoadResult, load } from './load.ts';
import type { MadeOrganization } from './populate.ts';
import type { BenchService } from './service.ts';

/** The result of one load, with the processor time of both processes in µs per request. */
export type Measured = {
  readonly load: LoadResult;
  readonly gateway: number;
  readonly enclave: number;
  /** Bytes allocated per request, if the service counts them. */
  readonly gatewayBytes: number;
  readonly enclaveBytes: number;
};

/** An organization that signs, and its service; `requests` defaults to raw payloads. */
export type Side = {
  readonly bench: BenchService;
  readonly made: MadeOrganization;
  readonly requests?: typeof signRequests;
};

/** Ratios of the second side to the first, as medians of all rounds. */
export type Ratios = { readonly time: number; readonly cpu: number };

const connections = 32;

/**
 * Signs on every side this number of times per round, in turn, in alternating order, after a warm-up.
 * Returns the rounds of each side.
 */
export async function measureInTurn(
  sides: readonly Side[],
  options: { readonly rounds: number; readonly requests: number; readonly warmUp: number },
): Promise<readonly (readonly Measured[])[]> {
  const running = sides.map(({ bench, made, requests = signRequests }) => ({
    bench,
    signRequest: requests(made.signer, made.address),
    results: [] as Measured[],
  }));
  for (const { bench, signRequest } of running) {
    await load(bench.port, connections, make(options.warmUp, signRequest));
  }
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { bench, signRequest, results } of round % 2 ? running.toReversed() : running) {
      results.push(await measured(bench, connections, make(options.requests, signRequest)));
    }
  }
  return running.map(({ results }) => results);
}

/** Ratios are taken within each round, in which the machine treated both sides most alike. */
export function ratiosOf(before: readonly Measured[], after: readonly Measured[]): Ratios {
  const ratio = (of: (result: Measured) => number) =>
    median(
      after.flatMap((result, round) => {
        const other = before[round];
        return other === undefined ? [] : [of(result) / of(other)];
      }),
    );
  return { time: ratio(({ load: { perSecond } }) => 1 / perSecond), cpu: ratio(cpuMicroseconds) };
}

/** Runs a closed loop in which every answer must be 200. */
export async function measured(
  bench: BenchService,
  count: number,
  requests: readonly Buffer[],
): Promise<Measured> {
  const allocatedBefore = await bench.allocatedBytes();
  const before = bench.cpuSeconds();
  const result = await load(bench.port, count, requests);
  const after = bench.cpuSeconds();
  const allocated = await bench.allocatedBytes();
  expectAllAnswered(result);
  return {
    load: result,
    gateway: ((after.gateway - before.gateway) * 1e6) / result.requests,
    enclave: ((after.enclave - before.enclave) * 1e6) / result.requests,
    gatewayBytes: (allocated.gateway - allocatedBefore.gateway) / result.requests,
    enclaveBytes: (allocated.enclave - allocatedBefore.enclave) / result.requests,
  };
}

export function cpuMicroseconds({ gateway, enclave }: Measured): number {
  return gateway + enclave;
}

export function expectAllAnswered({ refused }: LoadResult): void {
  if (refused.size > 0) throw new Error(`refused: ${JSON.stringify([...refused])}`);
}

export function make(count: number, request: () => Buffer): Buffer[] {
  return Array.from({ length: count }, request);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
