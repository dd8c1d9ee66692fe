// Writes the enclave's closure after an intended change.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, trustedBase } from '../test/architecture/sources.ts';

writeFileSync(join(root, 'test/architecture/enclave_closure.txt'), trustedBase());
