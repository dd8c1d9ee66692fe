// Writes down what the enclave reaches, after a change that is meant to widen or narrow it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, trustedBase } from '../test/architecture/sources.ts';

writeFileSync(join(root, 'test/architecture/enclave_closure.txt'), trustedBase());
