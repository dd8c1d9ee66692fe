import { utf8 } from '../../../src/core/base/bytes.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { mnemonicOfEntropy } from '../../../src/core/derivation/mnemonic.ts';
import { tenantAccount } from '../../hostile/tenants.ts';
import { hasWallet, usedTargets } from '../../simulation/effect_parts.ts';
import { importer, newAccounts, sealedImport } from '../../simulation/request_parts.ts';
import { activityCase } from '../case.ts';
import { label } from '../case_parts.ts';

export default activityCase({
  types: 'IMPORT_WALLET',
  subject: 'WALLET IMPORT',
  rule: 'policies',
  calls: [
    {
      parameters: ({ rootUserId: userId, sealedWallet: encryptedBundle }) => ({
        userId,
        walletName: label,
        encryptedBundle,
        accounts: [tenantAccount()],
      }),
    },
  ],
  generate: {
    weight: 5,
    parameters: (world) => ({
      ...importer(world),
      walletName: `Wallet ${world.serial}`,
      encryptedBundle: sealedImport(
        world,
        'wallet',
        mnemonicOfEntropy(sha256(utf8(String(world.serial)))),
      ),
      accounts: newAccounts(world),
    }),
  },
  effect: ({ intent, result, before, after }) => {
    const used = usedTargets(intent, 'wallet', before, after);
    const made = after.rows.wallet.get(result.walletId);
    return {
      ...used,
      created: { wallet: [result.walletId], wallet_account: intent.accounts.length },
      facts: {
        ...used.facts,
        'it is marked': made?.imported === true && !made.exported,
        'it has its accounts': hasWallet(after, result.walletId, result.addresses),
      },
    };
  },
});
