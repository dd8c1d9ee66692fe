import { answerText, object, text, uuid } from '../../core/schema/schema.ts';
import { maximumTransactionCharacters } from '../../core/transactions/kinds.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';
import { externalSignerPubkey, requireNamedKey, signaturesOf } from './external_keys.ts';
import { findSigningKey, signWith } from './signing_key.ts';
import { accountThatSigns, readWithInterfaces, transactionFacts } from './transactions.ts';

const transaction = {
  unsignedTransaction: text({ maximum: maximumTransactionCharacters }),
  type: text({ minimum: 1, maximum: 64 }),
};

export const sign_transaction = activity({
  wire: wireOf('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', ''),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_SIGN_TRANSACTION'),
      parameters: object({ privateKeyId: uuid(), ...transaction }),
      upgrade: ({ privateKeyId, ...rest }) => ({ signWith: privateKeyId, ...rest }),
    }),
  ],
  summary: 'Signs a transaction with a wallet account or a private key.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters: object({
    signWith: signWith(),
    ...transaction,
    externalSignerPubkey: externalSignerPubkey(),
  }),
  result: object({ signedTransaction: answerText() }),

  concurrent: true,

  load: async ({ organization, parameters, read, services: { pause } }) => {
    const found = await findSigningKey(parameters.signWith, organization, read);
    requireNamedKey(parameters.externalSignerPubkey, found);
    const account = accountThatSigns(parameters.type, found);
    const { unsignedTransaction } = parameters;
    return {
      found,
      account,
      ...(await readWithInterfaces({ unsignedTransaction, account, organization, read, pause })),
    };
  },
  facts: ({ parameters, loaded }) => ({
    ...transactionFacts(loaded),
    params: { type: parameters.type },
  }),
  explain: ({ loaded }) => loaded.explain(),
  obtain: (input) => {
    const { found, account, transaction } = input.loaded;
    return signaturesOf({ ...found, scheme: account.scheme }, transaction.signedBytes, input);
  },
  apply: ({ loaded: { transaction }, obtained }) => ({
    signedTransaction: transaction.attach(obtained),
  }),
});
