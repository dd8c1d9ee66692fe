import { checkInitImport } from './init_import.ts';

checkInitImport({
  purpose: 'wallet',
  wire: {
    operation: 'init_import_wallet',
    type: 'ACTIVITY_TYPE_INIT_IMPORT_WALLET',
    intent: 'initImportWalletIntent',
    result: 'initImportWalletResult',
  },
});
