// A neighbour of a flood: a user who sends about fifty requests per second and awaits each answer.

import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { newSigner, type Signer, stamper } from '../../../bench/client.ts';
import type { Bounds, Fared, FloodedService, FloodResult, Target } from './flood.ts';

const neighbourAddress = '198.51.100.7';
const everyMs = 20;
/** A slower request counts as refused. */
const patienceMs = 10_000;
/** Time for the flood to start. */
const floodLeadMs = 1_000;

/** Sends one request; returns its status and the time of its answer. */
export type SendOnce = () => Promise<{ readonly status: number; readonly tookMs: number }>;

/** Measures a neighbour alone, and during the attack that a file exports as `attack`. */
export async function besideAttack(
  { service, seconds, aloneSeconds }: Bounds,
  attackFile: string,
  sender: (service: FloodedService) => SendOnce | Promise<SendOnce> = whoAmI,
  attackerKey: Signer = newSigner(service.root.organizationId),
): Promise<FloodResult> {
  const send = await sender(service);
  // The first requests of a connection and of a key are slower, and not measured.
  await fareFor(0.5, send);
  const alone = await fareFor(aloneSeconds, send);
  const { root: _, ...reached } = service;
  const target: Target = { ...reached, attacker: attackerKey };
  const attacker = new Worker(new URL('./attacker.ts', import.meta.url), {
    workerData: { attackFile, target },
  });
  const failed = Promise.withResolvers<never>();
  attacker.once('error', failed.reject);
  attacker.once('exit', () => failed.reject(new Error(`the attack of ${attackFile} ended`)));
  try {
    await Promise.race([pause(floodLeadMs), failed.promise]);
    const beside = await Promise.race([fareFor(seconds, send), failed.promise]);
    return { alone, beside };
  } finally {
    failed.promise.catch(() => undefined);
    await attacker.terminate();
  }
}

async function fareFor(seconds: number, send: SendOnce): Promise<Fared> {
  const endMs = performance.now() + seconds * 1000;
  const times: number[] = [];
  let refused = 0;
  while (performance.now() < endMs) {
    const { status, tookMs } = await send();
    times.push(tookMs);
    if (status !== 200) refused += 1;
    await pause(everyMs);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { requests: times.length, p50Ms: at(0.5) ?? 0, p99Ms: at(0.99) ?? 0, refused };
}

/** Returns a neighbour that sends whoami on one connection. */
export function whoAmI(service: FloodedService): SendOnce {
  return sendStamped(service, [stamper(service.root).query('whoami', {})]);
}

/** Sends the requests in turn, on one connection. */
export function sendStamped({ port }: FloodedService, requests: readonly Buffer[]): SendOnce {
  const exchange = connectionFrom(port);
  let sent = 0;
  return () => {
    const bytes = requests[sent % requests.length] ?? Buffer.alloc(0);
    sent += 1;
    return exchange(bytes);
  };
}

/** The answer to one request; its status is 0 after a failure. */
export type Exchanged = {
  readonly status: number;
  readonly tookMs: number;
  readonly body: Buffer;
};

/** Returns a function that sends requests over one connection, by default from the neighbour. */
export function connectionFrom(
  port: number,
  address: string = neighbourAddress,
): (request: Buffer) => Promise<Exchanged> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (request) => answerTo(request, port, address, agent);
}

function answerTo(bytes: Buffer, port: number, address: string, agent: Agent): Promise<Exchanged> {
  const end = bytes.indexOf('\r\n\r\n');
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(lines.map((each) => each.split(/: (.*)/s).slice(0, 2)));
  const body = bytes.subarray(end + 4);
  const startMs = performance.now();
  const answered = Promise.withResolvers<Exchanged>();
  const parts: Buffer[] = [];
  const done = (status: number) =>
    answered.resolve({
      status,
      tookMs: performance.now() - startMs,
      body: Buffer.concat(parts),
    });
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path: line.split(' ')[1],
    method: 'POST',
    headers: { ...headers, 'x-forwarded-for': address },
    agent,
    timeout: patienceMs,
  });
  request.once('timeout', () => request.destroy());
  request.once('error', () => done(0));
  request.once('response', (response) => {
    response.on('data', (part: Buffer) => parts.push(part));
    response.once('end', () => done(response.statusCode ?? 0));
  });
  request.end(body);
  return answered.promise;
}
