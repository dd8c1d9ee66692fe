import { bytesOfHex, hex } from '../../core/base/bytes.ts';
import type { ChainSignature } from '../../core/chains/chain.ts';
import { readEthereum } from '../../core/chains/ethereum/read.ts';
import { assert } from '../../core/errors/errors.ts';
import { keysUsedBy } from '../../core/freezes/frozen.ts';
import { answerText, object } from '../../core/schema/schema.ts';
import { priceOf, requestedTerms } from '../../core/sends/ethereum_send.ts';
import { leastGas } from '../../core/sends/least_gas.ts';
import { requireSendRoom } from '../../core/sends/nonces.ts';
import { startSend } from '../../core/sends/sends.ts';
import {
  authorizationGas,
  noCode,
  signUndelegation,
  undelegation,
} from '../../core/sends/undelegation.ts';
import { readBeforeAuthorization } from '../../core/transactions/unsigned_undelegation.ts';
import { caip2 } from '../balances/chain_of.ts';
import { activity, olderVersion, wireOf } from '../operation.ts';
import { type OrderInput, signExternally } from '../signing/external_keys.ts';
import type { ExternalKey } from '../signing/signing_key.ts';
import { transactionFacts } from '../signing/transactions.ts';
import { sizeOnceSigned } from './ethereum_prepared.ts';
import { amount, freeNonce, from, requireNamedNonce, senderOf } from './ethereum_sender.ts';

/** Number of used nonces: of the transaction, and of its authorization. */
const nonces = 2;
const parameters = object({
  from: from(),
  caip2: caip2(),
  nonce: amount(),
  gasLimit: amount(),
  maxFeePerGas: amount(),
  maxPriorityFeePerGas: amount(),
});

export const eth_undelegate_7702 = activity({
  wire: wireOf('ACTIVITY_TYPE_ETH_UNDELEGATE_7702'),
  // Older spellings in some clients.
  older: [
    olderVersion({
      wire: wireOf('ACTIVITY_TYPE_ETH_UNDELEGATE7702'),
      parameters,
      upgrade: (same) => same,
    }),
  ],
  summary: 'Removes the code that acts for an address by EIP-7702, in a transaction that is sent.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters,
  result: object({ sendTransactionStatusId: answerText() }),

  callsExternal: () => true,
  signs: true,

  load: async ({ organization, parameters, read, services }) => {
    const { found, account, place } = await senderOf(parameters, { organization, read, services });
    requireNamedNonce(found, 'nonce', parameters.nonce);
    const asked = requestedTerms(parameters, place.caip2);
    services.rejectEarlyIfImpossible(found.facts, { isWhole: false });
    // Estimate as for a plain transfer, because the account has no code when the call runs.
    const filled = await services.external.fetchEthereumFields({
      caip2: place.caip2,
      from: place.address,
      to: `0x${hex(noCode)}`,
      value: 0n,
      data: '0x',
      estimatesGas: asked.gas === undefined,
    });
    const least = leastGas({ to: noCode, data: new Uint8Array(), authorizationList: [noCode] });
    const price = priceOf(asked, filled, { least, more: authorizationGas });
    const { used } = filled;
    const nonce = await freeNonce(
      { asked: asked.nonce, used, fees: price, nonces },
      { place, organization, read },
    );
    const sender = bytesOfHex(place.address.slice(2));
    assert(sender !== undefined, 'an address is hex');
    const bytes = undelegation({ chainId: asked.chainId, nonce, price, sender });
    const transaction = readBeforeAuthorization(bytes, account);
    return { found, account, place, nonce, bytes, transaction, interfaces: new Map() };
  },
  facts: ({ loaded }) => transactionFacts(loaded),
  explain: ({ loaded: { transaction, interfaces } }) => transaction.explain(interfaces),
  obtain: (input) => {
    const { found, bytes, place } = input.loaded;
    const key = found.external;
    return key && signedByHolder({ key, bytes, place }, input);
  },
  apply: ({ activityId, organization, submitter, keyring, context, loaded, obtained }) => {
    const { found, account, place, nonce, bytes } = loaded;
    const sign = (digest: Uint8Array) => keyring.signAll(found.key, account.scheme, [digest]);
    const signed = obtained ?? signedHere(bytes, sign);
    const origin = { submitterId: submitter.id, keyIds: keysUsedBy(found.facts) };
    const { id } = startSend(
      organization,
      { activityId, ...place, nonce, nonces, signed, userId: submitter.id, origin },
      context,
    );
    return { sendTransactionStatusId: id };
  },
});

function signedHere(
  bytes: Uint8Array,
  sign: (digest: Uint8Array) => readonly ChainSignature[],
): string {
  const signing = signUndelegation(readEthereum(bytes));
  let step = signing.next();
  while (step.done !== true) step = signing.next(onlySignature(sign(step.value)));
  return step.value;
}

/** Orders two signatures from the holder of an external key, one after the other. */
async function signedByHolder(
  of: {
    readonly key: ExternalKey;
    readonly bytes: Uint8Array;
    readonly place: Parameters<typeof requireSendRoom>[1];
  },
  input: OrderInput,
): Promise<string> {
  const { key, bytes, place } = of;
  const { organization, submitter } = input;
  const size = { characters: sizeOnceSigned(bytes, 2), userId: submitter.id };
  requireSendRoom(organization, place, [size]);
  const order = (digest: Uint8Array) => signExternally(key, [digest], input);
  const signing = signUndelegation(readEthereum(bytes));
  let step = signing.next();
  while (step.done !== true) step = signing.next(onlySignature(await order(step.value)));
  return step.value;
}

function onlySignature([signature]: readonly ChainSignature[]): ChainSignature {
  assert(signature !== undefined, 'a digest has a signature');
  return signature;
}
