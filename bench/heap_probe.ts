// Reports the bytes that both processes of a measured service have allocated so far. It is preloaded into the
// gateway, preloads itself into the enclave, and writes to standard error at each SIGUSR2.

import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { createInterface } from 'node:readline';
import { getHeapStatistics } from 'node:v8';

const thisFile = import.meta.filename;
const allocated = (): number => getHeapStatistics().total_allocated_bytes;

if (process.permission === undefined) probeGateway();
else process.on('SIGUSR2', () => process.stderr.write(`${allocated()}\n`));

/** Starts each enclave with this probe, which is the only additional file that the enclave may read. */
function probeGateway(): void {
  const { spawn } = childProcess;
  let enclave: ChildProcess | undefined;
  const spawnProbed = (command: string, words: readonly string[], options: object) => {
    const probe = ['--allow-fs-read', thisFile, '--import', thisFile];
    enclave = spawn(command, [...probe, ...words], options);
    if (enclave.stderr !== null) {
      createInterface(enclave.stderr).on('line', (line) => {
        process.stderr.write(`allocated ${allocated()} ${line}\n`);
      });
    }
    return enclave;
  };
  Reflect.set(childProcess, 'spawn', spawnProbed);
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => enclave?.kill('SIGUSR2'));
}
