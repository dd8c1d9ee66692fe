// Runs a script and finally writes the code that V8 compiled from it: `write_code.ts CODE SCRIPT [WORDS]`.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, Script } from 'node:vm';

const [node = '', , codePath = '', path = '', ...words] = process.argv;
const script = new Script(readFileSync(path, 'latin1'), {
  filename: path,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
process.on('exit', () => writeFileSync(codePath, script.createCachedData()));
process.argv = [node, path, ...words];
script.runInThisContext()(createRequire(path));
