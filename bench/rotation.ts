// Measures a rotation of the root key while the service runs: npm run rotation. The service has many rows. It
// rotates its key once without other requests, and once while a user signs at a fixed rate.
//
// ROTATION_ROWS       rows of the database, half of them activities (100000)
// ROTATION_RATE       signatures a second of the user (200)
// ROTATION_DIRECTORY  the top of another checkout, whose service is measured (this one)
//
// A rate counts all rows from the first row that is opened to the end of the rotation.

import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRootKeys } from '../src/enclave/keys/root_keys.ts';
import { createSealing } from '../src/enclave/keys/sealing.ts';
import { readRotationStatus, rotationStatusPath } from '../src/gateway/rotation/status_file.ts';
import { noChange, type StoredActivity, type StoredRecord } from '../src/store/port.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite.ts';
import { createWallet, signerOf, signRequests } from './client.ts';
import { openLoop } from './load.ts';
import { type BenchService, newDataDirectory, startService } from './service.ts';

const rows = Number(process.env['ROTATION_ROWS'] ?? 100_000);
const rate = Number(process.env['ROTATION_RATE'] ?? 200);
const checkout = process.env['ROTATION_DIRECTORY'] ?? join(import.meta.dirname, '..');
const organizations = 200;
/** Rows of one commit. */
const together = 500;
const activityDigits = 900;
const recordDigits = 300;
const pollMs = 20;
const aloneSeconds = 5;
/** More than a rotation takes. */
const loadSeconds = 30;

const data = newDataDirectory();
const start = () =>
  startService(data, undefined, { KEYWRIGHT_RATE_LIMIT_SOURCE_PER_SECOND: '0' }, checkout);
const first = await start();
await first.stop();
await addRows(rows);

const service = await start();
const signer = signerOf(service.credentials);
const signWith = await createWallet(service.port, signer);
const signatures = signRequests(signer, signWith);
const requests = (seconds: number) => Array.from({ length: rate * seconds }, signatures);
const alone = await openLoop(service.port, rate, requests(aloneSeconds));
write(`signatures alone, ${rate}/s: p50 ${ms(alone.p50Ms)}, p99 ${ms(alone.p99Ms)}`);
write(`rotation alone: ${await rotated(service)}`);
const load = openLoop(service.port, rate, requests(loadSeconds), { patienceMs: 30_000 });
write(`rotation beside ${rate} signatures/s: ${await rotated(service)}`);
const beside = await load;
write(`signatures beside: p50 ${ms(beside.p50Ms)}, p99 ${ms(beside.p99Ms)}`);
await service.stop();

/** Adds rows of other organizations, in no order of their keys. */
async function addRows(count: number): Promise<void> {
  const store = openSqliteStore({ file: join(data, 'keywright.sqlite') });
  const keys = createRootKeys(Uint8Array.from(readFileSync(join(data, 'root.key'))));
  const sealing = createSealing(
    'seal',
    keys,
    (length) => Uint8Array.from(randomBytes(length)),
    Date.now,
  );
  const ids = Array.from({ length: organizations }, () => randomUUID());
  const bodyOf = (kind: string, digits: number) => {
    const organizationId = ids[Math.floor(Math.random() * ids.length)] ?? '';
    const place = { organizationId, kind, id: randomUUID(), version: 1 };
    const text = JSON.stringify({ id: place.id, text: randomBytes(digits / 2).toString('hex') });
    return { ...place, body: sealing.seal(place, text) };
  };
  for (let added = 0; added < count; added += together) {
    const half = { length: together / 2 };
    const records = Array.from(
      half,
      (): StoredRecord => ({
        ...bodyOf('wallet_account', recordDigits),
        groupId: undefined,
      }),
    );
    const activities = Array.from(half, (): StoredActivity => {
      const { kind: _kind, ...row } = bodyOf('activity', activityDigits);
      const fingerprint = Uint8Array.from(randomBytes(32));
      const times = { createdAtMs: 1, updatedAtMs: 1, bucket: 1 };
      return { ...row, ...times, type: 'ACTIVITY_TYPE', status: 'ACTIVITY_STATUS', fingerprint };
    });
    await store.port.commit({ ...noChange, records, activities });
  }
  await store.close();
}

/** Rotates the root key. Returns the rate and the processor time. */
async function rotated({ cpuSeconds }: BenchService): Promise<string> {
  const status = () => readRotationStatus(rotationStatusPath(data));
  const epoch = (status()?.epoch ?? 0) + 1;
  const before = cpuSeconds();
  writeFileSync(join(data, 'root.key.next'), randomBytes(32), { mode: 0o600 });
  const isIn = (...states: string[]) => states.includes(status()?.state ?? '');
  while (!isIn('checking', 'sealing')) await pause(pollMs);
  const startedMs = performance.now();
  while (!(isIn('ended') && status()?.epoch === epoch)) await pause(pollMs);
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = cpuSeconds();
  const perRow = (name: 'gateway' | 'enclave') =>
    `${(((after[name] - before[name]) / rows) * 1e6).toFixed(1)} µs`;
  return `${(rows / seconds).toFixed(0)} rows/s, ${seconds.toFixed(1)} s, of processor a row: gateway ${perRow('gateway')}, enclave ${perRow('enclave')}`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
