// Writes the list of the enclave's files after an intended change.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, trustedBase } from '../test/architecture/sources.ts';

writeFileSync(join(root, 'test/architecture/enclave_closure.txt'), trustedBase());
