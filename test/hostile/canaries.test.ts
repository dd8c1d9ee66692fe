// The database files contain no text of parameters or results in clear, for all operations and all their
// texts.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utf8 } from '../../src/core/base/bytes.ts';
import { sha256 } from '../../src/core/crypto/hashes.ts';
import { type Canary, canaryOfBytes, canaryOfText, tracesOf, type Written } from '../e2e/traces.ts';
import { clientSecret } from '../operations/oauth/oauth_requests.ts';
import { knownSentence } from '../operations/wallets/transfer_requests.ts';
import { temporaryDirectory } from '../store/temporary_directory.ts';
import { testKey, testRootKey } from '../support/harness.ts';
import { type Call, submitCalls, submitTypes } from './calls.ts';
import { fillTenants, markersOf, type Tenant, type Tenants, tenantNames } from './tenants.ts';

test('the database contains no parameter or result of any operation in clear', async (t) => {
  const directory = temporaryDirectory();
  t.after(() => directory.remove());
  const texts = new Set<string>();
  const written: Written[] = [];
  const readable = new Set<string>();
  const tried = new Set<string>();
  let worlds = 0;
  let world: Tenants | undefined;
  const open = async (): Promise<Tenants> => {
    worlds += 1;
    return fillTenants(join(directory.path, `${worlds}.sqlite`));
  };
  const close = (tenants: Tenants): void => {
    for (const tenant of tenants.all.values()) {
      for (const marker of markersOf(tenant)) texts.add(marker);
    }
    for (const { text, to } of tenants.service.outside.messages) {
      texts.add(to);
      for (const [word] of text.matchAll(/\b[0-9A-Z]{8,9}\b/g)) texts.add(word);
    }
    // While the database is open, its log contains every written version.
    const files = readdirSync(directory.path).filter((name) => name.startsWith(`${worlds}.`));
    for (const where of files) {
      const bytes = readFileSync(join(directory.path, where));
      written.push({ where, bytes });
      for (const run of bytes.toString('latin1').match(printableRuns) ?? []) readable.add(run);
    }
    tenants.close();
  };

  for (const [operation, calls] of Object.entries(submitCalls)) {
    for (const call of calls) {
      world ??= await open();
      let sent = await send(world, operation, call);
      // An effect of another call may prevent this one; then another tenant or another world carries it
      // out.
      if (sent.status !== 200) sent = await send(world, operation, { ...call, by: 'sibling' });
      if (sent.status !== 200) {
        close(world);
        world = await open();
        sent = await send(world, operation, call);
      }
      assert.equal(sent.status, 200, `${operation}: ${JSON.stringify(sent.body)}`);
      for (const text of [...textsIn(sent.parameters), ...textsIn(sent.body)]) texts.add(text);
      tried.add(operation);
    }
  }
  if (world !== undefined) close(world);

  assert.deepEqual([...tried].sort(), [...submitTypes.keys()].sort());
  const canaries = [...texts].filter(isKept).map((text) => canaryOfText(`\`${text}\``, text));
  const bytes = Buffer.from([...readable].join('\n'), 'latin1');
  assert.ok(canaries.length > 500, `${canaries.length} canaries`);
  assert.deepEqual(tracesOf(canaries, [{ where: 'the files', bytes }]), []);
  assert.deepEqual(tracesOf(secretsOfAll(), written), []);
});

/** Matches runs of text in which a canary could occur, plain or encoded. */
const printableRuns = /[ -~]{8,}/g;

type Sent = Omit<Call, 'by'> & { readonly by?: Tenant['name'] };

async function send(tenants: Tenants, operation: string, call: Sent) {
  const of = tenants.all.get(call.by ?? 'child');
  const type = submitTypes.get(operation);
  assert(of !== undefined && type !== undefined);
  const parameters = call.parameters(of);
  const { organizationId, key }: Tenant = of;
  const answer = await tenants.service.submit(operation, type, parameters, { organizationId, key });
  return { parameters, ...answer };
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) yield* textsIn(inner);
  }
}

/**
 * The tables are sorted by ids, names of types and statuses, times and fingerprints, which stay in clear.
 */
function isKept(text: string): boolean {
  const isPlain =
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ||
    /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(text) ||
    /^sha256:[0-9a-f]{64}$/.test(text) ||
    /^([0-9]{10}|[0-9]{13})$/.test(text);
  return text.length >= 8 && !isPlain;
}

/** Returns texts that were sealed to the service, and secrets that only the service has. */
function secretsOfAll(): readonly Canary[] {
  return [
    canaryOfBytes('the root key', testRootKey()),
    canaryOfText('an imported sentence', knownSentence),
    canaryOfText('the secret of an OAuth 2.0 client', clientSecret),
    ...tenantNames.flatMap((name) => [
      canaryOfText(`the secret of ${name}`, `Secret of ${name}`),
      canaryOfText(`another secret of ${name}`, `Another of ${name}`),
      canaryOfBytes(`the imported key of ${name}`, sha256(utf8(name))),
      canaryOfBytes(`the key of ${name}`, testKey(`root of ${name}`).privateKey),
      canaryOfText(`the public key of ${name}`, testKey(`user of ${name}`).publicKey),
    ]),
  ];
}
