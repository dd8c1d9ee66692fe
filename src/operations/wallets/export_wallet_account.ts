import { signingSpellings } from '../../core/address/normalization.ts';
import { hex } from '../../core/base/bytes.ts';
import { parseTargetKey } from '../../core/bundles/target_key.ts';
import { fail } from '../../core/errors/errors.ts';
import { exportBundleOf } from '../../core/keys/exports.ts';
import { markAccountExported, requireWallet } from '../../core/keys/wallets.ts';
import { answerText, object, text } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { targetPublicKey } from '../transfer_shapes.ts';

export const export_wallet_account = activity({
  wire: wireOf('ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT'),
  summary:
    'Exports the private key of the account with this address, encrypted to a target key; of several, the first that was created.',
  subject: { resource: 'WALLET', action: 'EXPORT' },
  authority: 'keys',
  parameters: object({
    address: text({ minimum: 1, maximum: 256 }),
    targetPublicKey: targetPublicKey(),
  }),
  result: object({ address: answerText(), exportBundle: answerText() }),

  load: async ({ organization, parameters, read }) => {
    const { address } = parameters;
    const target = parseTargetKey(parameters.targetPublicKey, 'parameters.targetPublicKey');
    const [account] = await read.walletAccountsByAddress(signingSpellings(address));
    if (account === undefined) fail('wallet_account_not_found', { by: 'address', value: address });
    return { account, wallet: requireWallet(organization, account.walletId), target };
  },
  facts: ({ loaded: { account, wallet, target } }) => ({
    wallet,
    walletAccount: account,
    params: { target_public_key: hex(target) },
  }),
  apply: ({ organization, keyring, context, loaded: { account, wallet, target }, services }) => {
    const to = { organizationId: organization.id, targetPublicKey: target };
    const key = { kind: 'wallet_account', wallet, account } as const;
    const exportBundle = keyring.usePrivateKey(key, (privateKey) =>
      exportBundleOf(privateKey, to, services),
    );
    markAccountExported(account, organization, context.now);
    return { address: account.address, exportBundle };
  },
});
