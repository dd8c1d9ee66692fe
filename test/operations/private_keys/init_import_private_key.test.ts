// OP-INIT-IMPORT-01 to OP-INIT-IMPORT-07

import { checkInitImport } from '../wallets/init_import.ts';

checkInitImport({
  purpose: 'private_key',
  wire: {
    operation: 'init_import_private_key',
    type: 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY',
    intent: 'initImportPrivateKeyIntent',
    result: 'initImportPrivateKeyResult',
  },
});
