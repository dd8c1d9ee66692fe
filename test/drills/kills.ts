// Kills the gateway and the enclave under load, and sends requests until the service accepts them.

import assert from 'node:assert/strict';
import {
  childrenOf,
  type RunningService,
  type Start,
  startService,
  until,
} from '../e2e/service.ts';
import { post, type StampedRequest } from '../e2e/two_nodes.ts';

/** The service. A kill replaces its process. */
export type Running = { service: RunningService };

export type Kills = { gateway: number; enclave: number };

export const patienceMs = 300_000;

/** Kills the gateway and the enclave by turns, after each `every` requests, until `isDone`. */
export async function killInTurns(of: {
  readonly running: Running;
  readonly start: Start;
  readonly every: number;
  readonly begun: () => number;
  readonly isDone: () => boolean;
}): Promise<Kills> {
  const { running, start, every, begun, isDone } = of;
  const kills = { gateway: 0, enclave: 0 };
  for (let turn = 1; !isDone(); turn += 1) {
    await until('requests begin', () => isDone() || begun() >= turn * every, {
      timeoutMs: patienceMs,
    });
    if (isDone()) break;
    if (turn % 2 === 0) {
      for (const pid of childrenOf(running.service.pid)) process.kill(pid, 'SIGKILL');
      kills.enclave += 1;
      continue;
    }
    await running.service.kill();
    running.service = await startService(start);
    kills.gateway += 1;
  }
  return kills;
}

/**
 * Sends the same bytes until the service accepts them, and returns the result of the activity. A refusal
 * signs nothing, so a new body is sent after it.
 */
export async function sendUntilTaken(
  title: string,
  running: Running,
  make: () => Promise<StampedRequest>,
  again: Record<string, number>,
  // biome-ignore lint/suspicious/noExplicitAny: the result has the form of its operation
): Promise<any> {
  let request: StampedRequest | undefined;
  let result: unknown;
  await until(
    `${title} is taken`,
    async () => {
      request ??= await make();
      const answer = await post(request, running.service).catch(() => undefined);
      if (answer?.status === 200) {
        result = JSON.parse(answer.text).activity.result;
        return true;
      }
      const name = String(answer?.status ?? 'no answer');
      again[name] = (again[name] ?? 0) + 1;
      if (answer?.status === 400) request = undefined;
      return false;
    },
    { timeoutMs: patienceMs, everyMs: 50 },
  );
  assert(result !== undefined);
  return result;
}
