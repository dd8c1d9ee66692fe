// Starts an enclave process from bundled modules, which takes a third of the time.

import { dirname, extname, join } from 'node:path';
import {
  type EnclaveProcess,
  enclaveFlags,
  startEnclaveProcess,
} from '../../src/gateway/enclave/process.ts';
import { serviceProgram } from './compiled_service.ts';

/** Starts an enclave with its usual permissions, on the files of the compiled service. */
export function launchCompiledEnclave(): EnclaveProcess {
  const { main } = serviceProgram();
  return startEnclaveProcess({
    log: () => {},
    flags: enclaveFlags(join(dirname(main), '..')),
    entry: join(dirname(main), 'enclave', `main${extname(main)}`),
  });
}
