// Runs the script of an enclave that has no gateway, and writes the code that V8 compiled from it:
// `write_enclave_code.ts SCRIPT CODE`.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';

const [, , path = '', codePath = ''] = process.argv;
const script = new Script(readFileSync(path, 'latin1'), { filename: path });
// Without a gateway the enclave exits once its modules are loaded.
process.on('exit', () => writeFileSync(codePath, script.createCachedData()));
script.runInThisContext()(createRequire(path));
