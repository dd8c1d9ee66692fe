import { solanaFormat } from '../../core/chains/solana/sign.ts';
import { keysUsedBy } from '../../core/freezes/frozen.ts';
import { answerText, boolean, list, object, optional, text } from '../../core/schema/schema.ts';
import {
  lifespanAfter,
  olderSolanaTransaction,
  requestedSend,
  requireBlockhash,
  requireSigners,
  startSolanaSend,
} from '../../core/sends/solana_send.ts';
import { readTransaction } from '../../core/transactions/kinds.ts';
import { caip2, chainOf } from '../balances/chain_of.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';
import { readWithInterfaces } from '../signing/transactions.ts';
import {
  externalSignatures,
  factsOfSigners,
  solanaSigners,
  withSignatures,
} from './solana_signers.ts';
import { solanaSponsor } from './solana_sponsor.ts';
import { countFee, withSponsor } from './sponsor.ts';

const address = () => text({ minimum: 1, maximum: 64 });
const terms = {
  unsignedTransaction: text({ minimum: 1, maximum: 2 + 2 * solanaFormat.maximumBytes }),
  caip2: caip2(),
  sponsor: optional(boolean()),
  recentBlockhash: optional(text({ minimum: 1, maximum: 64 })),
};
const type = 'TRANSACTION_TYPE_SOLANA';

export const sol_send_transaction = activity({
  wire: wireOf('ACTIVITY_TYPE_SOL_SEND_TRANSACTION_V2'),
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_SOL_SEND_TRANSACTION'),
      parameters: object({ ...terms, signWith: address() }),
      upgrade: ({ signWith, unsignedTransaction, ...rest }) => ({
        ...rest,
        signWiths: [signWith],
        unsignedTransaction: olderSolanaTransaction(unsignedTransaction),
      }),
    }),
  ],
  summary: 'Signs a transaction of Solana and sends it, until it is in a final block.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters: object({ ...terms, signWiths: list(address(), { minimum: 1, maximum: 16 }) }),
  result: object({ sendTransactionStatusId: answerText() }),

  callsExternal: () => true,
  signs: true,

  load: async ({ organization, parameters, read, services }) => {
    const { deployment, external, pause } = services;
    const chain = chainOf(deployment, parameters.caip2, {
      family: 'solana:',
      field: 'parameters.caip2',
    });
    const signers = await solanaSigners(parameters.signWiths, organization, read);
    const [signer, ...cosigners] = signers;
    const others = cosigners.map((each) => each.account.address);
    const account = { ...signer.account, others };
    const { recentBlockhash } = parameters;
    // Each address is a signer of the transaction.
    for (const each of signers) readTransaction(type, parameters.unsignedTransaction, each.account);
    const given = Uint8Array.fromHex(parameters.unsignedTransaction.replace(/^0x/, ''));
    const asking = { caip2: chain.caip2, unsigned: given, recentBlockhash, signer };
    const sponsor = parameters.sponsor === true ? await solanaSponsor(asking, services) : undefined;
    const unsignedTransaction = sponsor?.unsignedTransaction ?? parameters.unsignedTransaction;
    const readable = { unsignedTransaction, account, organization, read, pause };
    const described = await readWithInterfaces(readable);
    const bytes = sponsor === undefined ? given : Uint8Array.fromHex(unsignedTransaction);
    const transaction = solanaFormat.read(bytes, account);
    const own = new Set([...signers, ...listed(sponsor)].map((each) => each.account.address));
    requireSigners(transaction, own);
    const asked = requestedSend(transaction);
    requireBlockhash(recentBlockhash, asked);
    services.rejectEarlyIfImpossible(factsOfSigners({ signers, ...described }), { isWhole: true });
    await sponsor?.requireAllowed(described.interfaces);
    const filled = await external.fetchSolanaFields({ ...asked, caip2: chain.caip2 });
    const lifespan = lifespanAfter(asked, filled);
    return { signers, sponsor, own, caip2: chain.caip2, lifespan, unsigned: bytes, ...described };
  },
  facts: ({ loaded }) => factsOfSigners(loaded),
  explain: ({ loaded: { transaction, interfaces, sponsor } }) => {
    const explanation = transaction.explain(interfaces);
    return sponsor === undefined ? explanation : withSponsor(explanation, sponsor.sponsor);
  },
  obtain: (input) => externalSignatures(input.loaded, input),
  apply: ({ loaded, obtained, ...input }) => {
    const { activityId, organization, submitter, keyring, context, changeSponsor } = input;
    const { signers, sponsor, own, caip2, lifespan, unsigned } = loaded;
    const { id: userId } = submitter;
    const keyIds = [...signers, ...listed(sponsor)].flatMap(({ found }) => keysUsedBy(found.facts));
    const origin = { submitterId: userId, keyIds };
    if (sponsor !== undefined) countFee(sponsor, organization, { userId, changeSponsor }, context);
    const signed = withSignatures(unsigned, signers, keyring, obtained);
    const transaction =
      sponsor === undefined
        ? signed
        : withSignatures(signed.bytes, [sponsor], sponsor.sponsor.keyring);
    const { address } = signers[0].account;
    const paid = sponsor === undefined ? {} : { isSponsored: true as const };
    const sent = { transaction, own, userId, origin };
    const begun = { activityId, caip2, address, ...lifespan, ...paid, ...sent };
    return { sendTransactionStatusId: startSolanaSend(organization, begun, context).id };
  },
});

const listed = <Item>(item: Item | undefined): readonly Item[] =>
  item === undefined ? [] : [item];
