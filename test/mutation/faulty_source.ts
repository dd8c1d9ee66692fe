// Loaded before the tests: gives one source file a fault without changing the file on disk.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mutated } from './mutants.ts';

const { file, ...edit } = JSON.parse(process.env['MUTANT'] ?? '');
const path = join(import.meta.dirname, '../..', file);
const faulty = pathToFileURL(path).href;

registerHooks({
  load: (url, context, next) =>
    url.split('?')[0] === faulty
      ? {
          format: 'module',
          source: mutated(readFileSync(path, 'utf8'), edit),
          shortCircuit: true,
        }
      : next(url, context),
});
