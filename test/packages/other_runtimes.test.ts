// Every part of the client library from its archive, under Deno, Bun and Node, against a service.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { serviceOfThisFile, temporaryDirectory } from '../e2e/service.ts';
import { projectWithClient } from './packed.ts';

const service = await serviceOfThisFile();
const stranger = await projectWithClient();
const program = 'every_part.mjs';
copyFileSync(join(import.meta.dirname, program), join(stranger, program));

/** The command of each runtime. Deno gets only the permissions that the library needs. */
const runtimes: readonly { readonly name: string; readonly words: readonly string[] }[] = [
  {
    name: 'Deno',
    words: [
      'run',
      '--no-prompt',
      '--no-remote',
      '--node-modules-dir=manual',
      '--allow-net',
      '--allow-read',
    ],
  },
  { name: 'Bun', words: ['run'] },
];

async function runs(path: string, words: readonly string[]): Promise<void> {
  // Deno permits no reads below /dev, where the temporary files of a run can be.
  const credentials = readFileSync(join(service.dataDirectory, 'root-credentials.json'), 'utf8');
  const { stdout } = await promisify(execFile)(
    path,
    [...words, program, service.baseUrl, credentials],
    { cwd: stranger, env: { HOME: temporaryDirectory(), DENO_NO_UPDATE_CHECK: '1' } },
  );
  const { proved, sameAddresses, refusal, event } = JSON.parse(stdout);
  assert.equal(proved, 'APP_PROOF_TYPE_ADDRESS_DERIVATION');
  assert.match(sameAddresses[0], /^0x[0-9a-fA-F]{40}$/);
  assert.equal(new Set(sameAddresses).size, 1, stdout);
  assert.equal(refusal, 'REQUEST_INVALID');
  assert.match(event, /^ACTIVITY_TYPE_/);
}

test('every part of the client works under Node', () => runs(process.execPath, []));

for (const { name, words } of runtimes) {
  const variable = name.toUpperCase();
  const path = process.env[variable] ?? '';
  const skip = existsSync(path)
    ? false
    : `needs ${name}: name its path in the variable ${variable}`;
  test(`every part of the client works under ${name}`, { skip }, () => runs(path, words));
}
