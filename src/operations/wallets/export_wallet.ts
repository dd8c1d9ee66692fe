import { hex } from '../../core/base/bytes.ts';
import { type MnemonicLanguage, mnemonicLanguages } from '../../core/base/enums.ts';
import { parseTargetKey } from '../../core/bundles/target_key.ts';
import { failField } from '../../core/errors/errors.ts';
import { exportBundleOf } from '../../core/keys/exports.ts';
import { markWalletExported, requireWallet } from '../../core/keys/wallets.ts';
import type { Wallet } from '../../core/organization/model.ts';
import { answerText, object, oneOf, optional, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { targetPublicKey } from '../transfer_shapes.ts';

export const export_wallet = activity({
  wire: wireOf('ACTIVITY_TYPE_EXPORT_WALLET'),
  summary:
    'Exports the mnemonic of a wallet, encrypted to a target key; the passphrase of an imported wallet follows on the next line, after `--PASS--` if it could be misread.',
  subject: { resource: 'WALLET', action: 'EXPORT' },
  authority: 'keys',
  parameters: object({
    walletId: uuid(),
    targetPublicKey: targetPublicKey(),
    language: optional(oneOf(mnemonicLanguages)),
  }),
  result: object({ walletId: answerText(), exportBundle: answerText() }),

  load: async ({ organization, parameters }) => {
    const wallet = requireWallet(organization, parameters.walletId);
    requireLanguage(wallet, parameters.language);
    const target = parseTargetKey(parameters.targetPublicKey, 'parameters.targetPublicKey');
    return { wallet, target };
  },
  facts: ({ loaded: { wallet, target } }) => ({
    wallet,
    params: { target_public_key: hex(target) },
  }),
  apply: ({ organization, keyring, context, loaded: { wallet, target }, services }) => {
    const to = { organizationId: organization.id, targetPublicKey: target };
    const exportBundle = keyring.useSentence(wallet, (sentence) =>
      exportBundleOf(sentence, to, services),
    );
    markWalletExported(wallet, organization, context.now);
    return { walletId: wallet.id, exportBundle };
  },
});

/** Rejects another language: the same entropy would give another mnemonic, which opens another wallet. */
function requireLanguage(wallet: Wallet, language: MnemonicLanguage | undefined): void {
  const { language: own = 'MNEMONIC_LANGUAGE_ENGLISH' } = wallet;
  if (language === undefined || language === own) return;
  failField(
    'parameters.language',
    `the sentence of this wallet is in ${own}: in another language it would be another wallet`,
  );
}
