// Measures unavoidable costs of a request separately on one core in the same run. They are costs of
// libraries. If they included code of the service, a slower service would raise its own floor.

import {
  createCipheriv,
  createDecipheriv,
  generateKeyPairSync,
  randomFillSync,
  sign,
  verify,
} from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLibrary, newPlace } from '../src/core/crypto/libsecp256k1.ts';
import { httpRequest, load } from './load.ts';

/** Only the compiled C library. */
const secp256k1 = createLibrary(new Uint8Array(32));

export type Floors = {
  readonly verifyMicroseconds: number;
  readonly signMicroseconds: number;
  readonly unwrapMicroseconds: number;
  readonly httpMicroseconds: number;
  readonly rowMicroseconds: number;
  readonly fsyncMicroseconds: number;
};

const rounds = 5;

/** Returns medians of five interleaved rounds. */
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

/**
 * Returns the processor time of the steps that every signature needs: verify, sign, unwrap, HTTP, one
 * stored row.
 */
export function sumOfFloors(floors: Floors): number {
  return (
    floors.verifyMicroseconds +
    floors.signMicroseconds +
    floors.unwrapMicroseconds +
    floors.httpMicroseconds +
    floors.rowMicroseconds
  );
}

/** Measures P-256 over the SHA-256 of a body, by OpenSSL. */
function verifyFloor(): number {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const message = Buffer.from('x'.repeat(400));
  const dsaEncoding = 'ieee-p1363';
  const signature = sign('sha256', message, { key: privateKey, dsaEncoding });
  return microsecondsOf(2000, () =>
    verify('sha256', message, { key: publicKey, dsaEncoding }, signature),
  );
}

/** Measures one unchecked secp256k1 signature with a prepared key. */
function signFloor(): number {
  const { calls, context, heap } = secp256k1;
  const [key, digest, signature] = [newPlace(32), newPlace(32), newPlace(65)];
  heap.fill(5, key, key + 32);
  randomFillSync(heap, digest, 32);
  const microseconds = microsecondsOf(5_000, () => {
    calls.secp256k1_ecdsa_sign_recoverable(context, signature, digest, key, 0, 0);
  });
  return microseconds;
}

/** Measures the decryption of 64 bytes with AES-256-GCM, by OpenSSL. */
function unwrapFloor(): number {
  const key = new Uint8Array(32).fill(1);
  const nonce = new Uint8Array(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(new Uint8Array(64)), cipher.final()]);
  const tag = cipher.getAuthTag();
  return microsecondsOf(20_000, () => {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag);
    decipher.update(sealed);
    decipher.final();
  });
}

/**
 * Measures the processor time of a bare node:http server that parses and answers JSON, without its client.
 */
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
  const requests = new Array(count).fill(
    httpRequest('/', [], Buffer.from(`{"a":"${'z'.repeat(600)}"}`)),
  );
  const before = process.cpuUsage();
  await load(port, 32, requests);
  const used = process.cpuUsage(before);
  server.close();
  // Client and server share this process; the client takes a little less than half.
  return Math.max(cpu, (used.user + used.system) * 0.5) / count;
}

/** Measures one 3 kB row, in transactions of 32, with the keys in time order. */
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

/** Processor time, which other load of the machine does not increase. */
function microsecondsOf(count: number, run: () => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i += 1) run();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / count;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
