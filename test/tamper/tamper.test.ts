import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { attacks } from './attacks.ts';
import { cell, type Tables, tableNames, tablesOf } from './tables.ts';
import { modes, prepareTampering, sqliteTargets, type Tampering, tamper } from './tamper.ts';

const directory = mkdtempSync(join(tmpdir(), 'keywright-'));
let tampering: Tampering;
before(async () => {
  tampering = await prepareTampering(sqliteTargets(directory));
});
after(() => rmSync(directory, { recursive: true }));

describe('a database that was tampered with', () => {
  test('makes the service refuse or find nothing, never say or do anything else', async (t) => {
    const options = { seed: 'suite', from: 0, attacks: 150 };
    const { kinds, answers, refusals, findings } = await tamper(tampering, options);
    t.diagnostic(`seed ${options.seed}: ${answers} answers, ${refusals} of them refusals`);
    assert.deepEqual(findings, []);
    assert.deepEqual([...kinds.keys()].sort(), Object.keys(attacks).sort());
    assert.ok(refusals > 0);
  });

  for (const mode of modes) {
    test(`untouched, ${mode}, raises no alarm`, async () => {
      const { complaints, answers, refusals } = await tampering.attack(
        mode,
        tampering.world.tables,
      );
      assert.deepEqual(complaints, []);
      assert.ok(answers > 0);
      assert.equal(refusals, 0);
    });
  }

  test('whole organizations put back: a running service refuses, a new one cannot know', async () => {
    const { world } = tampering;
    const [, alpha] = world.tenants;
    assert(alpha !== undefined);
    const isAlphas = (row: Tables['records'][number]) =>
      cell(row, 'organization_id') === alpha.organizationId ||
      cell(row, 'id') === alpha.organizationId;
    // The last state in which the account that was deleted later could still sign.
    const earlier = world.history.findLast((then) =>
      then.records.some((row) => cell(row, 'id') === alpha.deletedAccountId),
    );
    assert(earlier !== undefined);
    const tables = tablesOf((name) => [
      ...world.tables[name].filter((row) => !isAlphas(row)),
      ...earlier[name].filter(isAlphas),
    ]);
    const running = await tampering.attack('running', tables);
    assert.deepEqual(running.complaints, []);
    assert.ok(running.refusals > 0);
    // What is out of reach shows that the probes see a resurrected key where there is one.
    const { complaints } = await tampering.attack('stopped', tables);
    const resurrected = complaints.filter((line) => line.startsWith('alpha: signature '));
    assert.ok(resurrected.length > 0);
  });
});

test('what an attacker reads is what he can put back', async () => {
  const target = sqliteTargets(directory).running;
  const opened = await target.open();
  await opened.tables.write(tampering.world.tables);
  assert.deepEqual(await opened.tables.read(), tampering.world.tables);
  assert.ok(tableNames.every((name) => tampering.world.tables[name].length > 0));
  await opened.close();
});
