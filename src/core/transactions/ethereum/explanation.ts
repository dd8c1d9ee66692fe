// Explains an Ethereum transaction in sentences. Each states only facts that the bytes and the stored
// interface prove: the effect of a call is only known for contracts that follow a standard.

import type { SigningAccount } from '../../chains/chain.ts';
import type {
  EthereumTransaction,
  SignedAuthorization,
} from '../../chains/ethereum/transaction.ts';
import type {
  Effect,
  Fee,
  TransactionExplanation,
  Warning,
} from '../../organization/records/transaction_explanation.ts';
import { knownCalls } from '../calls/known_calls.ts';
import type { Descriptions, InterfaceTexts } from '../described.ts';
import { describeCall } from '../descriptions/describe.ts';
import { shownText } from '../text/shown_text.ts';
import { argumentTexts } from './arguments.ts';
import {
  addressText,
  isZeroAddress,
  type NamedArgument,
  type ReadCall,
  readCall,
  selectorOf,
} from './call.ts';
import { delegationSentence, delegationWarning } from './delegation_explanation.ts';
import { authorityOf } from './facts.ts';
import { innerEffects } from './inner_effects.ts';
import { coinAsset, coinOfChain, coinText, hasBoundedFees, onChain } from './known_chains.ts';
import { standardCall } from './standard_calls.ts';
import {
  type CalledStandard,
  isKnownToken,
  standardDeed,
  standardEffect,
  standardWarnings,
} from './standard_effects.ts';

/** The facts for the sentences. */
type CallContext = {
  readonly transaction: EthereumTransaction;
  /** In EIP-55; `to` is '' for a contract creation. */
  readonly from: string;
  readonly to: string;
  readonly selector: string | undefined;
  readonly isInterfaceStored: boolean;
  /** The call by the stored interface. */
  readonly named: ReadCall | undefined;
  /** The same call if the interface decodes it completely, and names no other function than `known`. */
  readonly call: ExactCall | undefined;
  readonly standard: CalledStandard | undefined;
  /** The signature of the standard or wrapper with the selector of the call. */
  readonly known: string | undefined;
  /** True if the stored interface names another function with the selector of `known`. */
  readonly isRenamed: boolean;
  /** The inner calls of the call, if it is a known wrapper. */
  readonly inner: ReturnType<typeof innerEffects>;
  /** Undefined if the chain's coin is unknown. */
  readonly coin: string | undefined;
};

type ExactCall = ReadCall & { readonly arguments: readonly NamedArgument[] };

const isExact = (call: ReadCall): call is ExactCall => call.arguments !== undefined;

/** Explains a transaction, with the interface that the organization stores for the contract. */
export function explainEthereum(
  transaction: EthereumTransaction,
  account: SigningAccount,
  interfaces: InterfaceTexts,
  descriptions?: Descriptions,
): TransactionExplanation {
  const from = account.address;
  const to = addressText(transaction.to);
  const named = readCall(transaction, interfaces);
  const standard = standardCall(transaction, from);
  // Names with a given selector are found in seconds, so the author of an interface could hide an approval.
  const selector = selectorOf(transaction);
  const known = selector === undefined ? undefined : knownCalls.signatureOf(selector);
  const isRenamed =
    named !== undefined && known !== undefined && named.function.signature !== known;
  const { chainId } = transaction;
  const context: CallContext = {
    transaction,
    from,
    to,
    selector,
    isInterfaceStored: interfaces.has(to),
    named,
    call: named !== undefined && isExact(named) && !isRenamed ? named : undefined,
    standard: standard && { call: standard, chainId, contract: to },
    known,
    isRenamed,
    inner: innerEffects(transaction, { chainId, caller: from }),
    coin: coinOfChain(chainId),
  };
  const described =
    descriptions === undefined ? undefined : describeCall(transaction, from, descriptions);
  return {
    summary: summaryOf(context),
    effects: [
      ...valueEffects(context),
      ...dataEffects(context),
      ...(context.standard === undefined ? [] : [standardEffect(context.standard)]),
      ...context.inner.effects,
      ...blobEffects(context),
      ...transaction.authorizationList.map((each) => delegationEffect(each, context)),
      ...(described?.effects ?? []),
    ],
    fee: feeOf(context),
    warnings: [...warningsOf(context), ...(described?.warnings ?? [])],
  };
}

const money = (amount: bigint, { transaction: { chainId } }: CallContext): string =>
  coinText(amount, chainId);

function summaryOf(context: CallContext): string {
  const { transaction, from } = context;
  const { chainId, authorizationList } = transaction;
  const count = authorizationList.length;
  const also = count === 0 ? '' : `, and delivers ${counted(count, 'authorization')} to set code`;
  const { call, standard } = context;
  if (call === undefined && standard !== undefined) {
    const value =
      transaction.value === 0n ? '' : `, and sends ${money(transaction.value, context)} to it`;
    const condition = isKnownToken(standard)
      ? ''
      : `, if ${context.to} follows the standard of this call`;
    return `${from} ${standardDeed(standard, from)} ${onChain(chainId)}${condition}${value}${also}.`;
  }
  return `${from} ${deedOf(context)} ${onChain(chainId)}${also}.`;
}

function deedOf(context: CallContext): string {
  const { transaction, to, selector, call, inner } = context;
  const { value } = transaction;
  const amount = money(value, context);
  if (to === '') return `creates a contract${value === 0n ? '' : ` and sends it ${amount}`}`;
  if (call !== undefined) {
    return `calls ${call.function.name} of ${to}${value === 0n ? '' : ` and sends it ${amount}`}`;
  }
  if (selector === undefined) return `sends ${amount} to ${to}`;
  const count = inner.effects.length;
  if (count > 0) {
    const also = value === 0n ? '' : `sends ${amount} to ${to}, and `;
    return `${also}has ${to} make ${count === 1 ? 'a call' : `calls of ${count} effects`}`;
  }
  return `sends ${value === 0n ? '' : `${amount} and `}call data to ${to}`;
}

function valueEffects(context: CallContext): readonly Effect[] {
  const { transaction, from, to } = context;
  if (transaction.value === 0n) return [];
  const receiver = to === '' ? 'the new contract' : to;
  return [
    {
      kind: 'TRANSFER',
      text: `${from} sends ${money(transaction.value, context)} to ${receiver}.`,
      from,
      to,
      amount: String(transaction.value),
      asset: coinAsset(transaction.chainId),
    },
  ];
}

function dataEffects(context: CallContext): readonly Effect[] {
  const { transaction, to, selector, named, call } = context;
  const size = counted(transaction.data.length, 'byte');
  if (to === '') {
    return [{ kind: 'CONTRACT_CREATION', text: `Creates a contract from ${size} of init code.` }];
  }
  if (call !== undefined) {
    const { name: functionName, signature } = call.function;
    const { arguments: given } = call;
    const text = `Calls ${signature} of ${to}, as the stored interface describes it.`;
    const { rows } = argumentTexts(given);
    return [{ kind: 'CALL', text, contract: to, functionName, arguments: rows }];
  }
  if (selector !== undefined) {
    const text = `Sends ${size} of call data to ${to}, which begin with the selector ${selector}.`;
    return [{ kind: 'CALL', text, contract: to }];
  }
  if (transaction.data.length === 0) return [];
  const meaning =
    named === undefined
      ? 'too few to name a function'
      : `which contracts of old compilers read as a call of ${named.function.signature}`;
  return [{ kind: 'DATA', text: `Sends ${size} of data to ${to}, ${meaning}.` }];
}

function blobEffects({ transaction: { blobVersionedHashes } }: CallContext): readonly Effect[] {
  const { length } = blobVersionedHashes;
  if (length === 0) return [];
  return [
    { kind: 'DATA', text: `Carries ${counted(length, 'blob')}, of which the hash is signed.` },
  ];
}

function delegationEffect(
  authorization: SignedAuthorization,
  { transaction }: CallContext,
): Effect {
  const { chainId } = authorization;
  const code = addressText(authorization.address);
  const authority = addressText(authorityOf(authorization) ?? new Uint8Array());
  const isOther = chainId !== 0n && chainId !== transaction.chainId;
  const unused = isOther ? '; it is for another chain and has no effect on this one' : '';
  if (authority === '') {
    return { kind: 'DELEGATION', text: `An authorization of ${code} has no valid signature.` };
  }
  const text = `${delegationSentence(authorization, authority)}${unused}.`;
  return { kind: 'DELEGATION', text, from: authority, to: code };
}

/** Gas of a blob (EIP-4844). */
const gasOfBlob = 131_072n;

function feeOf(context: CallContext): Fee {
  const { transaction } = context;
  const maximum = maximumFee(transaction);
  const what = transaction.blobVersionedHashes.length === 0 ? 'gas' : 'gas and blobs';
  const more = hasBoundedFees(`eip155:${transaction.chainId}`)
    ? ''
    : '; the chain may add fees of its own';
  const text = `Fees for ${what} are at most ${money(maximum, context)}${more}.`;
  return { maximum: String(maximum), asset: coinAsset(transaction.chainId), text };
}

function maximumFee(transaction: EthereumTransaction): bigint {
  const { gas, gasPrice = 0n, maxFeePerGas = gasPrice, maxFeePerBlobGas = 0n } = transaction;
  const blobs = BigInt(transaction.blobVersionedHashes.length);
  return gas * maxFeePerGas + blobs * gasOfBlob * maxFeePerBlobGas;
}

/** 0.1 coins. */
const highFee = 10n ** 17n;

/** Returns the warnings, most serious first. */
function warningsOf(context: CallContext): readonly Warning[] {
  const { transaction, to, selector, named, call, standard, isInterfaceStored, coin } = context;
  const { known, isRenamed, inner } = context;
  const isExplained = standard !== undefined || inner.effects.length > 0;
  const warnings: Warning[] = [];
  if (transaction.authorizationList.some(({ address }) => !isZeroAddress(address))) {
    warnings.push({ code: 'CODE_DELEGATION', text: delegationWarning });
  }
  if (standard !== undefined) warnings.push(...standardWarnings(standard));
  warnings.push(...inner.warnings);
  if (to === '') {
    const text = 'The effects of the new contract are unknown.';
    warnings.push({ code: 'UNREADABLE_CALL_DATA', text });
  }
  if (transaction.chainId === undefined) {
    const text =
      'The transaction names no chain, so it is valid on each chain that accepts such transactions.';
    warnings.push({ code: 'NO_CHAIN_ID', text });
  }
  const isKnown = standard !== undefined && isKnownToken(standard);
  if (isRenamed) {
    const name = shownText(named?.function.signature ?? '');
    const text = `The stored interface of ${to} names the called function ${name}, but its selector is also that of ${known}.`;
    warnings.push({ code: 'NAME_OF_ANOTHER_CALL', text });
  }
  if (inner.isUnreadable || (isRenamed && !isExplained)) {
    // Old compilers ignore the first bytes of an address, and complete short data by zeros.
    const text = `The data begins like ${known}, and the rest is no standard form: some contracts execute it.`;
    warnings.push({ code: 'UNREADABLE_CALL_DATA', text });
  } else if (named?.function.problem !== undefined) {
    const { signature, problem } = named.function;
    const text = `The stored interface of ${to} does not decode ${shownText(signature)}: ${problem}.`;
    warnings.push({ code: 'NOT_DECODED', text });
  } else if ((selector ?? named) !== undefined && call === undefined && !isKnown && !isRenamed) {
    warnings.push(
      isInterfaceStored
        ? {
            code: 'UNREADABLE_CALL_DATA',
            text: `The stored interface of ${to} does not fit the call.`,
          }
        : { code: 'UNKNOWN_CONTRACT', text: `No interface of ${to} is stored.` },
    );
  }
  if (call !== undefined && !isExplained && !argumentTexts(call.arguments).isWhole) {
    const text = `Only a part of the arguments of ${shownText(call.function.name)} is shown here.`;
    warnings.push({ code: 'UNREADABLE_CALL_DATA', text });
  }
  const fee = maximumFee(transaction);
  if (coin === 'ETH' && fee >= highFee) {
    warnings.push({ code: 'HIGH_FEE', text: `The fees may be as high as ${money(fee, context)}.` });
  }
  return warnings;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
