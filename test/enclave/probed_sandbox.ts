// Attempts forbidden actions in an enclave process. The enclave's own program is started exactly like the
// service starts it, with a module loaded first that makes the attempts.

import { fileURLToPath } from 'node:url';
import type * as Launching from '../../src/gateway/enclave/process.ts';
import type { EnclaveProcess } from '../../src/gateway/enclave/process.ts';

const probe = fileURLToPath(new URL('sandbox_probe.ts', import.meta.url));

const denied = 'ERR_ACCESS_DENIED';
const notCompiled = 'EvalError: Code generation from strings disallowed for this context';
export const expectedOutcomes: Readonly<Record<string, string>> = {
  'TCP connect': denied,
  'TLS connect': denied,
  'Unix socket connect': denied,
  'TCP listen': denied,
  'Unix socket listen': denied,
  'HTTP listen': denied,
  'HTTP request': denied,
  'HTTP/2 connect': denied,
  'UDP bind': denied,
  'UDP send': denied,
  'DNS lookup': denied,
  'DNS resolve': denied,
  fetch: denied,
  'read of /etc/passwd': denied,
  'read of the environment of the process': denied,
  'read of the read-me': denied,
  'read of the data directory': denied,
  'list of the project': denied,
  'list of /': denied,
  'status of a file': denied,
  'read by a module loader': denied,
  'read by import': denied,
  'read as a blob': denied,
  'load of an environment file': denied,
  'write beside the sources': denied,
  'write to /tmp': denied,
  'new directory': denied,
  'removal of a source': denied,
  'symbolic link': denied,
  'compile cache': 'NOT_ENABLED',
  'heap snapshot': denied,
  'diagnostic report': denied,
  // Not compiled into this Node, so permissions do not matter.
  'node:sqlite': 'ERR_UNKNOWN_BUILTIN_MODULE',
  'foreign functions': 'ERR_UNKNOWN_BUILTIN_MODULE',
  'child process': denied,
  'child process, synchronous': denied,
  'process replacement': denied,
  'cluster worker': denied,
  'worker thread': denied,
  addon: 'ERR_DLOPEN_DISABLED',
  WASI: denied,
  'inspector server': denied,
  'inspector session': denied,
  eval: notCompiled,
  'new Function': notCompiled,
  'process.binding': denied,
};

type Report = {
  outcomes: Record<string, string>;
  environment: string[];
  hasProto: boolean;
  globals: string[];
};

/** Starts an enclave with the given launch module, from the sources or from a package. */
export function startProbed({
  enclaveFlags,
  startEnclaveProcess,
}: Pick<typeof Launching, 'enclaveFlags' | 'startEnclaveProcess'>): {
  enclave: EnclaveProcess;
  report: Promise<Report>;
} {
  const lines: string[] = [];
  const report = Promise.withResolvers<Report>();
  const enclave = startEnclaveProcess({
    log: (_level, _message, { line }) => {
      lines.push(String(line));
      if (lines.at(-1)?.startsWith('{')) report.resolve(JSON.parse(String(line)));
    },
    flags: [...enclaveFlags(), `--allow-fs-read=${probe}`, '--import', probe],
  });
  void enclave.exited.then((how) => report.reject(new Error(`${how}: ${lines.join('\n')}`)));
  return { enclave, report: report.promise };
}
