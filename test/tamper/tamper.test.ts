import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { casesOf } from '../support/bounds.ts';
import { attacks, kindsOfRecords } from './attacks.ts';
import { cell, type Tables, tableNames, tablesOf } from './tables.ts';
import { attacksOfTests, prepareTampering, type Tampering, tamper } from './tamper.ts';
import { modes, type Targets, targetsOf } from './targets.ts';

/**
 * On a server, one probe out of this many is sent. The enclave treats changed rows alike on each store, so
 * most probes run on SQLite; on a server each takes ten times as long.
 */
const onServer = casesOf({ usual: 15, soak: 3 });

for (const [name, openTargets] of Object.entries(targetsOf)) {
  const targets = await openTargets();
  // Without a server, `targetsOf` prints the reason itself.
  if (targets === undefined) continue;
  describe(`a database that was tampered with, on ${name}`, () => {
    after(() => targets.remove());
    checkTampering(targets, name === 'postgres' ? onServer : 3);
  });
}

function checkTampering(targets: Targets, askedOneIn: number): void {
  let tampering: Tampering;
  before(async () => {
    tampering = await prepareTampering(targets);
  });

  test('makes the service refuse or find nothing, never say or do anything else', async (t) => {
    const options = { ...attacksOfTests, askedOneIn };
    const { kinds, counts, findings } = await tamper(tampering, options);
    t.diagnostic(`seed ${options.seed}: ${JSON.stringify(counts)}`);
    assert.deepEqual(findings, []);
    assert.deepEqual([...kinds.keys()].sort(), Object.keys(attacks).sort());
    assert.ok((counts.refused ?? 0) > 0 && (counts.same ?? 0) > 0);
  });

  for (const mode of modes) {
    test(`untouched, ${mode}, raises no alarm`, async () => {
      const { complaints, counts } = await tampering.attack(mode, tampering.world.tables);
      assert.deepEqual(complaints, []);
      assert.deepEqual(Object.keys(counts), ['same']);
    });
  }

  test('whole organizations put back: a running service refuses, a new one cannot know', async () => {
    const { world } = tampering;
    const [, alpha] = world.tenants;
    assert(alpha !== undefined);
    const isAlphas = (row: Tables['records'][number]) =>
      cell(row, 'organization_id') === alpha.organizationId ||
      cell(row, 'id') === alpha.organizationId;
    // The last state in which the account that was later deleted could still sign.
    const earlier = world.history.findLast((then) =>
      then.records.some((row) => cell(row, 'id') === alpha.deletedAccountId),
    );
    assert(earlier !== undefined);
    const tables = tablesOf((table) => [
      ...world.tables[table].filter((row) => !isAlphas(row)),
      ...earlier[table].filter(isAlphas),
    ]);
    const running = await tampering.attack('running', tables);
    assert.deepEqual(running.complaints, []);
    assert.ok((running.counts.refused ?? 0) > 0);
    // Restoring that state shows that the probes detect a restored key.
    const { complaints } = await tampering.attack('stopped', tables);
    const resurrected = complaints.filter((line) => line.startsWith('alpha: signature '));
    assert.ok(resurrected.length > 0);
  });

  test('there are records of every kind to attack', () => {
    const { records } = tampering.world.tables;
    const found = new Set(records.map((row) => cell(row, 'kind')));
    assert.deepEqual(
      [...kindsOfRecords].filter((kind) => !found.has(kind)),
      [],
    );
  });

  test('an attacker can put back everything that he reads', async () => {
    const opened = await targets.running.open();
    await opened.tables.write(tampering.world.tables);
    assert.deepEqual(await opened.tables.read(), tampering.world.tables);
    assert.ok(tableNames.every((table) => tampering.world.tables[table].length > 0));
    await opened.close();
  });
}
