// Explains an Ethereum transaction in sentences. Each says no more than the bytes and the stored
// interface prove: what a contract makes of a call is only known of those that follow a standard.

import { amountText } from '../../balances/amount_text.ts';
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
import type { InterfaceTexts } from '../described.ts';
import { argumentTexts } from './arguments.ts';
import {
  addressText,
  type NamedArgument,
  type ReadCall,
  readCall,
  type StandardCall,
  selectorOf,
  standardCall,
} from './call.ts';
import { delegationSentence, delegationWarning, isNoCode } from './delegation_explanation.ts';
import { authorityOf } from './facts.ts';

/** All that sentences are made of. */
type CallContext = {
  readonly transaction: EthereumTransaction;
  /** EIP-55; `to` is '' for a creation. */
  readonly from: string;
  readonly to: string;
  readonly selector: string | undefined;
  readonly isInterfaceStored: boolean;
  /** The call that the stored interface names. */
  readonly named: ReadCall | undefined;
  /** The same where the interface reads it whole. */
  readonly call: ExactCall | undefined;
  /** Exact ones alone, unless the stored interface means another function. */
  readonly standard: StandardCall | undefined;
  /** Undefined where the coin of the chain is not known. */
  readonly coin: string | undefined;
};

type ExactCall = ReadCall & { readonly arguments: readonly NamedArgument[] };

const isExact = (call: ReadCall): call is ExactCall => call.arguments !== undefined;

/** The explanation of a transaction, with what the organization knows of the contract. */
export function explainEthereum(
  transaction: EthereumTransaction,
  account: SigningAccount,
  interfaces: InterfaceTexts,
): TransactionExplanation {
  const from = account.address;
  const to = addressText(transaction.to);
  const named = readCall(transaction, interfaces);
  const standard = standardCall(transaction, from);
  const isMeant = named === undefined || named.function.signature === standard?.signature;
  const context: CallContext = {
    transaction,
    from,
    to,
    selector: selectorOf(transaction),
    isInterfaceStored: interfaces.has(to),
    named,
    call: named !== undefined && isExact(named) ? named : undefined,
    standard: standard?.isExact === true && isMeant ? standard : undefined,
    coin: coins.get(transaction.chainId ?? 0n),
  };
  return {
    summary: summaryOf(context),
    effects: [
      ...valueEffects(context),
      ...dataEffects(context),
      ...standardEffects(context),
      ...blobEffects(context),
      ...transaction.authorizationList.map((each) => delegationEffect(each, context)),
    ],
    fee: feeOf(context),
    warnings: warningsOf(context),
  };
}

/** Coins of 18 decimals, by chain. */
const coins: ReadonlyMap<bigint, string> = new Map([
  ...[1n, 10n, 8453n, 42161n, 84532n, 421614n, 11155111n, 11155420n].map(
    (chain) => [chain, 'ETH'] as const,
  ),
  [56n, 'BNB'],
  [97n, 'BNB'],
  [137n, 'POL'],
  [80002n, 'POL'],
]);

function money(amount: bigint, coin: string | undefined): string {
  if (coin !== undefined) return `${amountText(String(amount), 18)} ${coin}`;
  return `${amount} of the smallest unit of the chain's coin`;
}

function assetOf({ coin, transaction: { chainId } }: CallContext): string {
  if (coin !== undefined) return coin;
  return chainId === undefined ? 'coin of any chain' : `coin of eip155:${chainId}`;
}

function summaryOf(context: CallContext): string {
  const { transaction, from } = context;
  const { chainId, authorizationList } = transaction;
  const where = chainId === undefined ? 'on any chain' : `on chain ${chainId}`;
  const count = authorizationList.length;
  const also = count === 0 ? '' : `, and delivers ${counted(count, 'authorization')} to set code`;
  return `${from} ${deedOf(context)} ${where}${also}.`;
}

function deedOf({ transaction, to, selector, call, coin }: CallContext): string {
  const { value } = transaction;
  const amount = money(value, coin);
  if (to === '') return `creates a contract${value === 0n ? '' : ` and sends it ${amount}`}`;
  if (call !== undefined) {
    return `calls ${call.function.name} of ${to}${value === 0n ? '' : ` and sends it ${amount}`}`;
  }
  if (selector === undefined) return `sends ${amount} to ${to}`;
  return `sends ${value === 0n ? '' : `${amount} and `}call data to ${to}`;
}

function valueEffects(context: CallContext): readonly Effect[] {
  const { transaction, from, to, coin } = context;
  if (transaction.value === 0n) return [];
  const receiver = to === '' ? 'the new contract' : to;
  return [
    {
      kind: 'TRANSFER',
      text: `${from} sends ${money(transaction.value, coin)} to ${receiver}.`,
      from,
      to,
      amount: String(transaction.value),
      asset: assetOf(context),
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
    return [{ kind: 'CALL', text, contract: to, functionName, arguments: argumentTexts(given) }];
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

function standardEffects({ standard, to: contract }: CallContext): readonly Effect[] {
  if (standard === undefined) return [];
  const { to } = standard;
  if (standard.kind === 'approveAll') {
    const verb = standard.isAllowed ? 'lets' : 'no longer lets';
    const text = `If ${contract} follows ERC-721 or ERC-1155, the call ${verb} ${to} move all tokens of the caller.`;
    return [{ kind: 'APPROVAL', text, to, asset: contract }];
  }
  const { amount } = standard;
  const members = { to, amount: String(amount), asset: contract };
  if (standard.kind === 'approve') {
    const text = `If ${contract} follows ERC-20, the call lets ${to} take up to ${amount} of its smallest unit from the caller.`;
    return [{ kind: 'APPROVAL', text, ...members }];
  }
  const { from } = standard;
  const text = `If ${contract} follows ERC-20, the call moves ${amount} of its smallest unit from ${from} to ${to}.`;
  return [{ kind: 'TOKEN_TRANSFER', text, from, ...members }];
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
  const unused = isOther ? '; it is for another chain, and passed over on this one' : '';
  if (authority === '') {
    return { kind: 'DELEGATION', text: `An authorization of ${code} has no valid signature.` };
  }
  const text = `${delegationSentence(authorization, authority)}${unused}.`;
  return { kind: 'DELEGATION', text, from: authority, to: code };
}

/** EIP-4844. */
const gasOfBlob = 131_072n;

function feeOf(context: CallContext): Fee {
  const { transaction, coin } = context;
  const maximum = maximumFee(transaction);
  const what = transaction.blobVersionedHashes.length === 0 ? 'gas' : 'gas and blobs';
  const isComplete = transaction.chainId === 1n || transaction.chainId === 11155111n;
  const more = isComplete ? '' : '; the chain may add fees of its own';
  const text = `Fees for ${what} are at most ${money(maximum, coin)}${more}.`;
  return { maximum: String(maximum), asset: assetOf(context), text };
}

function maximumFee(transaction: EthereumTransaction): bigint {
  const { gas, gasPrice = 0n, maxFeePerGas = gasPrice, maxFeePerBlobGas = 0n } = transaction;
  const blobs = BigInt(transaction.blobVersionedHashes.length);
  return gas * maxFeePerGas + blobs * gasOfBlob * maxFeePerBlobGas;
}

/** 0.1 of the coin. */
const highFee = 10n ** 17n;

/** Most serious first. */
function warningsOf(context: CallContext): readonly Warning[] {
  const { transaction, to, selector, named, call, standard, isInterfaceStored, coin } = context;
  const warnings: Warning[] = [];
  if (transaction.authorizationList.some(({ address }) => !isNoCode(address))) {
    warnings.push({ code: 'CODE_DELEGATION', text: delegationWarning });
  }
  if (standard !== undefined && isUnlimited(standard)) {
    const text = `If ${to} follows the standard of this call, ${standard.to} can take all tokens of the caller.`;
    warnings.push({ code: 'UNLIMITED_APPROVAL', text });
  }
  if (transaction.chainId === undefined) {
    const text =
      'The transaction names no chain: each chain that accepts such transactions accepts it.';
    warnings.push({ code: 'NO_CHAIN_ID', text });
  }
  if ((selector ?? named) !== undefined && call === undefined) {
    warnings.push(
      isInterfaceStored
        ? {
            code: 'UNREADABLE_CALL_DATA',
            text: `The stored interface of ${to} does not fit the call.`,
          }
        : { code: 'UNKNOWN_CONTRACT', text: `No interface of ${to} is stored.` },
    );
  }
  const fee = maximumFee(transaction);
  if (coin === 'ETH' && fee >= highFee) {
    warnings.push({ code: 'HIGH_FEE', text: `The fees may be as high as ${money(fee, coin)}.` });
  }
  return warnings;
}

/** Beyond all supplies; 2^96-1 is the whole range of some tokens. */
function isUnlimited(call: StandardCall): boolean {
  if (call.kind === 'approveAll') return call.isAllowed;
  return call.kind === 'approve' && (call.amount >= 2n ** 128n || call.amount === 2n ** 96n - 1n);
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
