// Gives tests the public clients as compiled scripts. The packages load in twice the time.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, Script } from 'node:vm';
import { compiledOnce } from './compiled_service.ts';

const require = createRequire(import.meta.url);

/** The folder of the test run; undefined for a test file started on its own. */
const runFolder = process.env['TEST_RUN_FOLDER'];

/** The packages of each script, see `compile_clients.ts`. */
const packages = {
  http: ['@turnkey/http', '@turnkey/api-key-stamper'],
  server: ['@turnkey/sdk-server'],
} as const;

type Clients = {
  readonly http: typeof import('@turnkey/http') & typeof import('@turnkey/api-key-stamper');
  readonly server: typeof import('@turnkey/sdk-server');
};

const loaded: Partial<Record<keyof Clients, object>> = {};
let isInstalled = false;

/** Loads the installed packages in this process instead of the scripts. */
export function useInstalledClients(): void {
  isInstalled = true;
}

/** Returns the exports of the clients: in a test run those of the script, else those of the packages. */
export function clientPackage<Name extends keyof Clients>(name: Name): Clients[Name] {
  loaded[name] ??=
    runFolder === undefined || isInstalled ? installed(name) : compiled(runFolder, name);
  return loaded[name] as Clients[Name];
}

function installed(name: keyof Clients): object {
  const exports = packages[name].map((words) => require(fileURLToPath(import.meta.resolve(words))));
  return Object.assign({}, ...exports);
}

function compiled(run: string, name: keyof Clients): object {
  const folder = compiledOnce(run, 'clients');
  const path = join(folder, `${name}.cjs`);
  // The bundler escapes other characters than ASCII.
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    cachedData: readFileSync(join(folder, `${name}.code`)),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return script.runInThisContext()(createRequire(path));
}
