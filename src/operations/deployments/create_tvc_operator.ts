import { createHostedOperator, operatorAccounts } from '../../core/deployments/hosted_operators.ts';
import { failField } from '../../core/errors/errors.ts';
import {
  createWallet,
  deriveAccounts,
  mnemonicLengthOf,
  requireWallet,
} from '../../core/keys/wallets.ts';
import { answerText, label, object, optional, uuid } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { accountPath } from '../shapes.ts';
import { ensureAccountsNew } from '../wallets/free_accounts.ts';

export const create_tvc_operator = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_TVC_OPERATOR'),
  summary:
    'Creates an operator from two accounts of an existing or a new wallet: `/0` below the path is its encryption key, `/1` its signing key.',
  subject: { resource: 'TVC_OPERATOR', action: 'CREATE' },
  authority: 'none',
  parameters: object({
    walletName: optional(label()),
    walletId: optional(uuid()),
    path: accountPath(),
    operatorName: label(),
  }),
  result: object({
    walletId: answerText(),
    operatorId: answerText(),
    encryptPublicKey: answerText(),
    signPublicKey: answerText(),
  }),

  load: async ({ organization, parameters, keyring, read }) => {
    const { walletId, walletName } = parameters;
    if ((walletId === undefined) === (walletName === undefined)) {
      const found = walletId === undefined ? 'neither' : 'both';
      failField('parameters.walletId', `expected either it or \`walletName\`, got ${found}`);
    }
    const accounts = operatorAccounts(parameters.path, 'parameters.path');
    if (walletId === undefined) return;
    const wallet = requireWallet(organization, walletId);
    const derived = deriveAccounts(wallet, accounts, keyring, 'parameters');
    await ensureAccountsNew(wallet.id, derived, read);
  },
  apply: ({ organization, parameters, keyring, context }) => {
    const { walletId, walletName = '', path, operatorName } = parameters;
    const wallet =
      walletId === undefined
        ? createWallet(
            {
              id: context.newId(),
              name: walletName,
              mnemonicLength: mnemonicLengthOf(undefined, ''),
              now: context.now,
            },
            organization,
            keyring,
          )
        : requireWallet(organization, walletId);
    const accounts = operatorAccounts(path, 'parameters.path');
    const derived = deriveAccounts(wallet, accounts, keyring, 'parameters');
    const made = createHostedOperator(operatorName, wallet, derived, organization, context);
    return { walletId: wallet.id, ...made };
  },
});
