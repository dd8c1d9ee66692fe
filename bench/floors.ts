// Costs that no request can avoid, measured alone on one core in the same run.

import { randomFillSync } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { utf8 } from '../src/core/base/bytes.ts';
import { open, seal } from '../src/core/crypto/aead.ts';
import { curves } from '../src/core/crypto/curves.ts';
import { verifyP256 } from '../src/core/crypto/verify.ts';
import { httpRequest, load } from './load.ts';

export type Floors = {
  readonly verifyMicroseconds: number;
  readonly signMicroseconds: number;
  readonly unwrapMicroseconds: number;
  readonly httpMicroseconds: number;
  readonly rowMicroseconds: number;
  readonly fsyncMicroseconds: number;
};

const rounds = 5;

/** Medians of five interleaved rounds. */
export async function measureFloors(): Promise<Floors> {
  const directory = mkdtempSync(
    join(process.env['BENCH_DIRECTORY'] ?? tmpdir(), 'keywright-floors-'),
  );
  const samples: Record<keyof Floors, number[]> = {
    verifyMicroseconds: [],
    signMicroseconds: [],
    unwrapMicroseconds: [],
    httpMicroseconds: [],
    rowMicroseconds: [],
    fsyncMicroseconds: [],
  };
  for (let round = 0; round < rounds; round += 1) {
    samples.verifyMicroseconds.push(verifyFloor());
    samples.signMicroseconds.push(signFloor());
    samples.unwrapMicroseconds.push(unwrapFloor());
    samples.httpMicroseconds.push(await httpFloor());
    samples.rowMicroseconds.push(rowFloor(join(directory, `rows-${round}.sqlite`)));
    samples.fsyncMicroseconds.push(fsyncFloor(join(directory, 'fsync')));
  }
  rmSync(directory, { recursive: true });
  return Object.fromEntries(
    Object.entries(samples).map(([name, values]) => [name, median(values)]),
  ) as Floors;
}

/** CPU of the steps no signature can do without: verify, sign, unwrap, HTTP, one stored row. */
export function sumOfFloors(floors: Floors): number {
  return (
    floors.verifyMicroseconds +
    floors.signMicroseconds +
    floors.unwrapMicroseconds +
    floors.httpMicroseconds +
    floors.rowMicroseconds
  );
}

function verifyFloor(): number {
  const { CURVE_P256: p256 } = curves;
  const key = new Uint8Array(32).fill(3);
  const message = utf8('x'.repeat(400));
  const digest = new Uint8Array(32).fill(9);
  const { r, s } = p256.sign(key, digest);
  const publicKey = p256.publicKeyOf(key);
  return microsecondsOf(2000, () => verifyP256(publicKey, { r, s }, message));
}

function signFloor(): number {
  const key = new Uint8Array(32).fill(5);
  const digest = randomFillSync(new Uint8Array(32));
  return microsecondsOf(2000, () => curves.CURVE_SECP256K1.sign(key, digest));
}

function unwrapFloor(): number {
  const key = new Uint8Array(32).fill(1);
  const nonce = new Uint8Array(12);
  const nothing = new Uint8Array();
  const sealed = seal(key, nonce, new Uint8Array(64), nothing);
  return microsecondsOf(20_000, () => open(key, nonce, sealed, nothing));
}

/** CPU of a bare node:http server that parses and answers JSON, client not counted. */
async function httpFloor(): Promise<number> {
  const answer = { activity: { id: 'x'.repeat(36), padding: 'y'.repeat(1800) } };
  let cpu = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const before = process.cpuUsage();
      JSON.parse(Buffer.concat(chunks).toString());
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(answer));
      const used = process.cpuUsage(before);
      cpu += used.user + used.system;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const count = 10_000;
  const requests = new Array(count).fill(httpRequest('/', [], utf8(`{"a":"${'z'.repeat(600)}"}`)));
  const before = process.cpuUsage();
  await load(port, 32, requests);
  const used = process.cpuUsage(before);
  server.close();
  // Generator and server share this process; the generator is a little less than half of it.
  return Math.max(cpu, (used.user + used.system) * 0.5) / count;
}

/** One 3 kB row, in transactions of 32, with the keys in time order. */
function rowFloor(file: string): number {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE rows (id TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID');
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?)');
  const body = randomFillSync(new Uint8Array(3000));
  const batches = 60;
  const before = process.cpuUsage();
  for (let batch = 0; batch < batches; batch += 1) {
    database.exec('BEGIN IMMEDIATE');
    for (let row = 0; row < 32; row += 1) {
      insert.run(String(batch * 32 + row).padStart(36, '0'), body);
    }
    database.exec('COMMIT');
  }
  const used = process.cpuUsage(before);
  database.close();
  return (used.user + used.system) / (batches * 32);
}

function fsyncFloor(path: string): number {
  const file = openSync(path, 'w');
  const page = new Uint8Array(8192);
  const count = 200;
  const startedAtMs = performance.now();
  for (let i = 0; i < count; i += 1) {
    writeSync(file, page);
    fsyncSync(file);
  }
  const microseconds = ((performance.now() - startedAtMs) * 1000) / count;
  closeSync(file);
  return microseconds;
}

/** Processor time: what else the machine does makes it no longer. */
function microsecondsOf(count: number, run: () => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i += 1) run();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / count;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
