// Sponsored calls on Ethereum: the sender signs the calls, and the parent's sponsor account pays. The sponsor
// signs the transaction that delivers the calls to the gas station of the chain.

import type { GasStation } from '../../core/balances/chains.ts';
import { bytesOfHex, hex } from '../../core/base/bytes.ts';
import type { Context } from '../../core/base/context.ts';
import type { SignedAuthorization } from '../../core/chains/ethereum/transaction.ts';
import { writeEthereum } from '../../core/chains/ethereum/write.ts';
import { keccak256 } from '../../core/crypto/hashes.ts';
import { assert, fail, failField } from '../../core/errors/errors.ts';
import type { SponsoredFilled } from '../../core/external/external_services.ts';
import { keysUsedBy } from '../../core/freezes/frozen.ts';
import type { TransactionExplanation } from '../../core/organization/records/transaction_explanation.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import { hashAuthorization } from '../../core/payload/eip7702.ts';
import type { Facts } from '../../core/policy/decision/access.ts';
import {
  amountOf,
  type EthereumSendParameters,
  type Price,
  priceOf,
  requestedCalls,
  requestedTerms,
} from '../../core/sends/ethereum_send.ts';
import {
  intentDigest,
  maximumCalls,
  type StationCall,
  type StationIntent,
  stationData,
} from '../../core/sends/gas_station.ts';
import { priceOfFee } from '../../core/sends/gas_usage.ts';
import { leastGas } from '../../core/sends/least_gas.ts';
import { requireSendRoom } from '../../core/sends/nonces.ts';
import { startSend } from '../../core/sends/sends.ts';
import { nextStationNonce, stationUses } from '../../core/sends/station_nonces.ts';
import { withSignature } from '../../core/sends/undelegation.ts';
import type { Descriptions, InterfaceTexts } from '../../core/transactions/described.ts';
import { type ReadTransaction, readTransaction } from '../../core/transactions/kinds.ts';
import { joinExplanations } from '../../core/transactions/text/joined_explanations.ts';
import { readBeforeAuthorization } from '../../core/transactions/unsigned_undelegation.ts';
import type { LoadInput } from '../operation.ts';
import type { Reader } from '../reader.ts';
import { descriptionsOf } from '../signing/descriptions.ts';
import type { OrderInput } from '../signing/external_keys.ts';
import type { FoundKey } from '../signing/signing_key.ts';
import { interfacesOf, transactionPart } from '../signing/transactions.ts';
import { type EthereumStart, type PreparedSend, sizeOnceSigned } from './ethereum_prepared.ts';
import {
  type ChainAddress,
  ethereumChain,
  firstUnused,
  freeNonce,
  requireNamedNonce,
  type Sender,
  senderOf,
} from './ethereum_sender.ts';
import { countFee, requireFee, type SponsorAccount, sponsorOf, withSponsor } from './sponsor.ts';

const type = 'TRANSACTION_TYPE_ETHEREUM';
/** Gas for the station and the delegate, in addition to the calls and their data. */
const stationGas = 80_000n;
const secondsOfDeadline = { usual: 3_600n, most: 86_400n };
/** Members that only the service sets, because they decide when the sponsor's transaction is included. */
const setByService = ['nonce', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;

type Parameters = EthereumSendParameters & {
  readonly from: string;
  readonly caip2: string;
  readonly deadline?: string | undefined;
  readonly gasStationNonce?: string | undefined;
};

/** A call in the form that policies and approvers read. */
type ReadCall = {
  readonly transaction: ReadTransaction;
  readonly interfaces: InterfaceTexts;
  readonly descriptions: Descriptions | undefined;
};

/**
 * Prepares a sponsored transaction. Raises the errors of `senderOf` and `sponsorOf`, and
 * `gas_station_changed`, `sponsor_refused`, `field_invalid`.
 */
export async function sponsoredSend({
  organization,
  parameters,
  read,
  context,
  services,
}: Pick<
  LoadInput<Parameters>,
  'organization' | 'read' | 'context' | 'services' | 'parameters'
>): Promise<PreparedSend> {
  for (const name of setByService) {
    if (parameters[name] === undefined) continue;
    failField(`parameters.${name}`, 'expected nothing: the service sets it for a sponsor');
  }
  const calls = requestedCalls(parameters);
  if (calls.length > maximumCalls) {
    failField('parameters.calls', `expected at most ${maximumCalls}, got ${calls.length}`);
  }
  const sender = await senderOf(parameters, { organization, read, services });
  const { found, account, place } = sender;
  requireNamedNonce(found, 'gasStationNonce', parameters.gasStationNonce);
  const { gasStation } = ethereumChain(parameters.caip2, services);
  const sponsor = await sponsorOf(place.caip2, type, services);
  const station = requireStation(gasStation, sponsor, place);
  services.rejectEarlyIfImpossible(found.facts, { isWhole: false });
  const asked = requestedTerms(parameters, place.caip2);
  const filled = await services.external.fetchSponsoredFields({
    caip2: place.caip2,
    sponsor: sponsor.account.address.toLowerCase(),
    from: place.address,
    station,
    calls: calls.map(({ to, value, data }) => ({
      to: `0x${hex(to)}`,
      value,
      data: `0x${hex(data)}`,
    })),
    estimatesGas: asked.gas === undefined,
  });
  requireCode(filled, station, place.caip2);
  const { nonce, authorization } = await stationTerms(
    { parameters, chainId: asked.chainId, filled, station },
    { sender, sponsor, organization, read },
  );
  const intent: StationIntent = {
    chainId: asked.chainId,
    sender: bytesOf(place.address),
    nonce,
    deadline: deadlineOf(parameters.deadline, context),
    calls,
  };
  const authorizationList = authorization === undefined ? [] : [authorization];
  const envelope = { to: bytesOf(station.address), data: stationData(intent), authorizationList };
  const least = leastGas(envelope);
  const price = priceOf(asked, filled, { least, more: least + stationGas });
  const at = { caip2: place.caip2, address: sponsor.account.address.toLowerCase() };
  const nonceOfSponsor = await freeNonce(
    { asked: undefined, used: filled.used, fees: price },
    { place: at, organization: sponsor.organization, read: sponsor.read },
  );
  const views = { intent, price, authorizationList, sender, nonceOfSponsor };
  const own = callsOf(views, free(price), intent.nonce);
  const paid = callsOf(views, price, nonceOfSponsor);
  const seen: ReadCall[] = [];
  for (const transaction of own) {
    const sources = { account, organization, read, pause: services.pause };
    const interfaces = await interfacesOf(transaction, sources);
    const descriptions = await descriptionsOf(transaction.contracts, sources);
    seen.push({ transaction, interfaces, descriptions });
  }
  const shown = paid.map((transaction, i) => {
    const { interfaces = new Map(), descriptions } = seen[i] ?? {};
    return { transaction, interfaces, descriptions };
  });
  await sponsor.requireAllowed(factsOf(sponsor.found, shown));
  const units = priceOfFee(price.gas * price.maxFeePerGas, sponsor.named, 'eip155');
  const { external: key } = found;
  const requireWithinLimits = (input: OrderInput) => {
    requireFee({ sponsor, units }, input);
    const { organization: sending, submitter } = input;
    const child = sending.id === sponsor.organization.id ? {} : { organizationId: sending.id };
    const characters = largestSize(views, station);
    const size = { characters, userId: submitter.id, ...child };
    requireSendRoom(sponsor.organization, at, [size]);
  };
  const signedBytes = signedBytesOf(views);
  return {
    ...(key === undefined ? {} : { external: { key, signedBytes, requireWithinLimits } }),
    facts: () => factsOf(found, seen),
    explain: () => withSponsor(explanationOf(shown, sponsor), sponsor),
    start: (input) => start({ ...views, sponsor, station, units, at }, input),
  };
}

/** Returns the contracts that the operator configured, if the sponsor names the same delegate. */
function requireStation(
  station: GasStation | undefined,
  { named, account, organization }: SponsorAccount,
  { caip2, address }: ChainAddress,
): GasStation {
  if (station === undefined) {
    failField('parameters.sponsor', `expected \`false\`: ${caip2} has no \`gasStation\``);
  }
  if (named.delegate !== station.delegate) {
    return fail('sponsor_not_configured', { organizationId: organization.id, caip2 });
  }
  if (account.address.toLowerCase() === address) {
    failField('parameters.from', 'expected another account than the sponsor');
  }
  return station;
}

/** Raises `gas_station_changed` unless nodes report the code hashes that the operator configured. */
function requireCode(filled: SponsoredFilled, station: GasStation, caip2: string): void {
  const { address, codeHash, delegate, delegateCodeHash } = station;
  const hashOf = (code: string) => `0x${hex(keccak256(bytesOf(code)))}`;
  if (hashOf(filled.stationCode) !== codeHash) fail('gas_station_changed', { address, caip2 });
  if (hashOf(filled.delegateCode) === delegateCodeHash) return;
  fail('gas_station_changed', { address: delegate, caip2 });
}

/** Returns the nonce of the calls, and the authorization that the sender must still sign, if any. */
async function stationTerms(
  of: {
    readonly parameters: Parameters;
    readonly chainId: bigint;
    readonly filled: SponsoredFilled;
    readonly station: GasStation;
  },
  at: {
    readonly sender: Sender;
    readonly sponsor: SponsorAccount;
    readonly organization: OrganizationView;
    readonly read: Reader;
  },
): Promise<{ readonly nonce: bigint; readonly authorization: SignedAuthorization | undefined }> {
  const { parameters, chainId, filled, station } = of;
  const { sender, sponsor, organization, read } = at;
  const { place } = sender;
  const uses = stationUses(sponsor.organization, { caip2: place.caip2, sender: place.address });
  const sends = await sponsor.read.sends(uses.map(({ sendId }) => sendId));
  const { nonce, isDelegated } = nextStationNonce(filled.stationNonce, uses, sends);
  const { gasStationNonce } = parameters;
  if (gasStationNonce !== undefined) {
    const field = 'parameters.gasStationNonce';
    const named = amountOf(field, gasStationNonce);
    if (named !== nonce) failField(field, `expected ${nonce}, which is the next, got ${named}`);
  }
  const code = filled.senderCode;
  if (code === `0xef0100${station.delegate.slice(2)}` || (code === '0x' && isDelegated)) {
    return { nonce, authorization: undefined };
  }
  const field = 'parameters.from';
  if (code !== '0x') {
    failField(field, 'expected no other code: `eth_undelegate_7702` takes it away');
  }
  const isBusy = organization
    .list('sender')
    .some(({ caip2, address }) => caip2 === place.caip2 && address === place.address);
  if (isBusy) {
    failField(field, 'expected no transaction under way: the first sponsored one takes a nonce');
  }
  const first = await firstUnused(filled.usedBySender, place, read);
  const unsigned = { yParity: 0n, r: 0n, s: 0n };
  return {
    nonce,
    authorization: { chainId, address: bytesOf(station.delegate), nonce: first, ...unsigned },
  };
}

/** Returns the requested deadline. Default: one hour from now. Raises `field_invalid`. */
function deadlineOf(text: string | undefined, { now }: Pick<Context, 'now'>): bigint {
  const seconds = BigInt(Math.floor(now / 1_000));
  const { usual, most } = secondsOfDeadline;
  if (text === undefined) return seconds + usual;
  const field = 'parameters.deadline';
  const deadline = amountOf(field, text);
  if (deadline > seconds && deadline <= seconds + most) return deadline;
  const expected = `expected a time in seconds after ${seconds}, by at most ${most}`;
  return failField(field, `${expected}, got ${deadline}`);
}

type Views = {
  readonly intent: StationIntent;
  readonly price: Price;
  readonly authorizationList: readonly SignedAuthorization[];
  readonly sender: Sender;
  readonly nonceOfSponsor: bigint;
};

/** The price of a call for the sender, who pays no fees. */
const free = ({ gas }: Price): Price => ({ gas, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });

/** Returns each call as a transaction of the sender, for policies and approvers. */
function callsOf(
  { intent, authorizationList, sender }: Views,
  price: Price,
  nonce: bigint,
): readonly ReadTransaction[] {
  return intent.calls.map((call) => {
    const bytes = transactionOf({ intent, price, nonce, authorizationList, call });
    return readBeforeAuthorization(bytes, sender.account);
  });
}

function transactionOf(of: {
  readonly intent: Pick<StationIntent, 'chainId'>;
  readonly price: Price;
  readonly nonce: bigint;
  readonly authorizationList: readonly SignedAuthorization[];
  readonly call: StationCall;
}): Uint8Array {
  const { intent, price, nonce, authorizationList, call } = of;
  return writeEthereum({
    type: authorizationList.length === 0 ? 'TYPE_2' : 'TYPE_4',
    chainId: intent.chainId,
    nonce,
    ...price,
    ...call,
    accessList: [],
    blobVersionedHashes: [],
    authorizationList,
  });
}

/** Returns the facts with one part per call. Policies decide on each part separately. */
function factsOf({ facts }: FoundKey, calls: readonly ReadCall[]): Facts {
  const parts = calls.map((call) => ({ ...transactionPart(call), moves: call.transaction }));
  return { ...facts, parts };
}

/** Returns one explanation of all calls. */
function explanationOf(
  calls: readonly ReadCall[],
  { account }: Pick<SponsorAccount, 'account'>,
): TransactionExplanation {
  const all = calls.map(({ transaction, interfaces, descriptions }) =>
    transaction.explain(interfaces, descriptions),
  );
  const joined = joinExplanations(all);
  const { fee } = joined;
  return fee === undefined ? joined : { ...joined, fee: { ...fee, payer: account.address } };
}

/** Returns the digests that the sender signs: of the calls, and of the authorization that they need. */
const signedBytesOf = ({ intent, authorizationList }: Views): readonly Uint8Array[] => [
  intentDigest(intent),
  ...authorizationList.map(hashAuthorization),
];

/** Returns the maximum size of the sponsor's transaction once all have signed. */
function largestSize(of: Views, station: GasStation): number {
  const { intent, price, nonceOfSponsor: nonce, authorizationList } = of;
  const call = { to: bytesOf(station.address), value: 0n, data: stationData(intent) };
  const bytes = transactionOf({ intent, price, nonce, authorizationList, call });
  // The calls, the transaction and each authorization have a signature.
  return sizeOnceSigned(bytes, 2 + authorizationList.length);
}

/** Signs the calls and the transaction, counts its fee, and stores it in the organization of the sponsor. */
function start(
  of: Views & {
    readonly sponsor: SponsorAccount;
    readonly station: GasStation;
    readonly units: bigint;
    readonly at: ChainAddress;
  },
  { activityId, organization, submitter, keyring, context, changeSponsor, obtained }: EthereumStart,
): string {
  const { intent, price, authorizationList, sender, sponsor, station, units, at } = of;
  const { found, account } = sender;
  const [ofCalls, ...ofList] =
    obtained ?? keyring.signAll(found.key, account.scheme, signedBytesOf(of));
  assert(ofCalls !== undefined, 'the calls are signed');
  const signedList = authorizationList.map((each, i) => withSignature(each, ofList[i]));
  const data = stationData(intent, ofCalls);
  const call = { to: bytesOf(station.address), value: 0n, data };
  const nonce = of.nonceOfSponsor;
  const bytes = transactionOf({ intent, price, nonce, authorizationList: signedList, call });
  const transaction = readTransaction(type, hex(bytes), sponsor.account);
  const { key } = sponsor.found;
  const { scheme } = sponsor.account;
  const signed = transaction.attach(sponsor.keyring.signAll(key, scheme, transaction.signedBytes));
  const userId = submitter.id;
  countFee({ sponsor, units }, organization, { userId, changeSponsor }, context);
  const keyIds = [sender, sponsor].flatMap(({ found }) => keysUsedBy(found.facts));
  const { id: organizationId } = organization;
  const sending = sponsor.state.id === organizationId ? {} : { organizationId };
  const origin = { submitterId: userId, keyIds, ...sending };
  const delegation = authorizationList.length === 0 ? {} : { isDelegation: true as const };
  const use = { sender: sender.place.address, nonce: String(intent.nonce), ...delegation };
  const begun = { activityId, ...at, nonce, signed, userId, origin, station: use };
  return startSend(changeSponsor(sponsor.state), begun, context).id;
}

/** Decodes lower-case hex with `0x`. */
function bytesOf(text: string): Uint8Array {
  const bytes = bytesOfHex(text.slice(2));
  assert(bytes !== undefined, 'addresses and code are hex');
  return bytes;
}
