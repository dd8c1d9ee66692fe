import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { EnclaveProcess } from '../../src/gateway/enclave_process.ts';
import { enclaveFlags, startEnclaveProcess } from '../../src/gateway/enclave_process.ts';

// The enclave's own program, started in the very way the service starts it, with one module loaded
// before it that tries what must be refused.
const probe = fileURLToPath(new URL('sandbox_probe.ts', import.meta.url));

const denied = 'ERR_ACCESS_DENIED';
const notCompiled = 'EvalError: Code generation from strings disallowed for this context';
const expected: Record<string, string> = {
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
  // Not compiled into what this process can reach, whatever its permissions.
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

function startProbed(): { enclave: EnclaveProcess; report: Promise<Report> } {
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

describe('the enclave is refused', async () => {
  const { enclave, report } = startProbed();
  after(() => enclave.kill());
  const { outcomes, environment, hasProto, globals } = await report;

  for (const [name, outcome] of Object.entries(expected)) {
    test(name, () => assert.equal(outcomes[name], outcome));
  }

  test('and nothing was tried without an expectation', () => {
    assert.deepEqual(Object.keys(outcomes).toSorted(), Object.keys(expected).toSorted());
    assert.equal(existsSync('/tmp/keywright-probe'), false);
  });

  test('an environment, but for the number of its threads', () => {
    assert.deepEqual(environment, ['UV_THREADPOOL_SIZE']);
  });

  test('__proto__ and the globals of networks and storage', () => {
    assert.equal(hasProto, false);
    assert.deepEqual(globals, []);
  });

  test('a debugger by signal', () => {
    // With a handler of its own for SIGUSR1, Node would open a debugger at any such signal.
    const status = readFileSync(`/proc/${enclave.pid}/status`, 'utf8');
    const caught = BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1]}`);
    const bitOf = (signal: number) => 1n << BigInt(signal - 1);
    assert.equal(caught & bitOf(constants.signals.SIGUSR1), 0n);
    // The mask is read right: Node does catch this one.
    assert.notEqual(caught & bitOf(constants.signals.SIGINT), 0n);
  });
});

test('the enclave may read the program of the project, random bytes of the kernel and nothing else', () => {
  const allowed = enclaveFlags('/p').filter((flag) => flag.startsWith('--allow'));
  assert.deepEqual(allowed, [
    '--allow-fs-read=/p/src',
    '--allow-fs-read=/p/node_modules',
    '--allow-fs-read=/p/package.json',
    '--allow-fs-read=/p/package-lock.json',
    '--allow-fs-read=/dev/urandom',
  ]);
});
