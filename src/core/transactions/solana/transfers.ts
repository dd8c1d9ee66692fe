// The transfers of a Solana transaction that velocity controls count.

import { type SigningAccount, signersOf } from '../../chains/chain.ts';
import { base58Key } from '../../chains/solana/base58_key.ts';
import type { SolanaInstruction, SolanaTransaction } from '../../chains/solana/transaction.ts';
import { hiddenAmount } from '../calls/transfer_rules.ts';
import type { VisibleTransfer } from '../described.ts';
import {
  accountAt,
  hiddenAccount,
  isHiddenTransfer,
  isUnknownSystemCall,
  isUnknownTokenCall,
  tokenTransferOf,
} from './facts.ts';
import { loaderMoves } from './loader.ts';
import { isUnknownOf, newWithdrawerOf, type Placed, withdrawalsOf } from './native.ts';
import { stakeProgram } from './stake.ts';
import { voteProgram } from './vote.ts';

const holdingPrograms = [stakeProgram, voteProgram];

/**
 * Returns the SOL that the system program and withdrawals of stake and votes move, and the tokens that token
 * programs move, with their mint if the transaction names it. Tokens move between token accounts. A transfer
 * between two token accounts of one owner is included: addresses do not prove an owner, since a token account
 * can have the address of a wallet and another owner.
 */
export function solanaTransfers(
  transaction: SolanaTransaction,
  account: SigningAccount,
): readonly VisibleTransfer[] {
  return transaction.instructions
    .flatMap((instruction) => [
      ...solTransfers(instruction, transaction),
      ...tokenTransfers(instruction, transaction),
      ...withdrawnSol(instruction, transaction),
      ...mostOf(account, (signer) => ownTransfers({ instruction, transaction, account: signer })),
      ...withheldFees(instruction, transaction),
      ...allowances(instruction, transaction),
    ])
    .map(apart);
}

/** Returns the longest list of the signing accounts, since what one gives to another one leaves its payer. */
function mostOf(
  account: SigningAccount,
  transfersOf: (signer: SigningAccount) => readonly VisibleTransfer[],
): readonly VisibleTransfer[] {
  const [most = []] = signersOf(account)
    .map(transfersOf)
    .toSorted((a, b) => b.length - a.length);
  return most;
}

/** Returns the transfers that do not count if the signing account gets them. */
const ownTransfers = (placed: Placed): readonly VisibleTransfer[] => [
  ...holdingPrograms.flatMap((each) => withdrawalsOf(each, placed)),
  ...unknownTransfers(placed),
  ...newOwners(placed),
];

/**
 * Removes a recipient in a lookup table, since payer and recipient would have the same placeholder although
 * they may differ.
 */
function apart(transfer: VisibleTransfer): VisibleTransfer {
  return transfer.to === hiddenAccount ? { ...transfer, to: '' } : transfer;
}

/** Instructions of token programs that send SOL of a token account to another account. */
const withdrawals: ReadonlySet<string> = new Set([
  'CloseAccount',
  'WithdrawExcessLamports',
  'UnwrapLamports',
]);

/** Returns the SOL that a token account's authority sends to another account, often an unstated amount. */
function withdrawnSol(
  { call, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  if (call?.program !== 'token' || !withdrawals.has(call.name)) return [];
  const [, to, authority] = accounts;
  const moved = {
    token: '',
    from: accountAt(transaction, authority),
    to: accountAt(transaction, to),
  };
  const amount = 'amount' in call ? call.amount : undefined;
  return [amount === undefined ? { ...moved, ...hiddenAmount } : { ...moved, amount }];
}

/** Returns unknown amounts for hidden transfers, and for unknown instructions that may be transfers. */
function unknownTransfers(placed: Placed): readonly VisibleTransfer[] {
  const { instruction, transaction } = placed;
  if (isHiddenTransfer(instruction)) {
    const [from, to] = [0, 2].map((place) => accountAt(transaction, instruction.accounts[place]));
    const token = transaction.addresses[instruction.accounts[1] ?? -1];
    return [{ token, from: from ?? '', to: to ?? '', ...hiddenAmount }];
  }
  const isOfSystem =
    isUnknownSystemCall(instruction) || holdingPrograms.some((each) => isUnknownOf(each, placed));
  if (!isOfSystem && !isUnknownTokenCall(instruction)) return [];
  const from = accountAt(transaction, instruction.accounts[0]);
  return [{ token: isOfSystem ? '' : undefined, from, to: '', ...hiddenAmount }];
}

/** Instructions of Token-2022 that pay out fees of a mint: tag of the extension, tag in it, receiver. */
const payouts: readonly (readonly [tag: number, within: number])[] = [
  [26, 2],
  [26, 3],
  [37, 1],
  [37, 2],
];

/** Returns unknown amounts for withheld fees that the authority of a mint sends to a token account. */
function withheldFees(
  { call, data, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  if (call?.program !== 'token') return [];
  if (!payouts.some(([tag, within]) => tag === call.tag && within === data[1])) return [];
  const [mint, to] = [0, 1].map((place) => accountAt(transaction, accounts[place]));
  const token = transaction.addresses[accounts[0] ?? -1];
  return [{ token, from: mint ?? '', to: to ?? '', ...hiddenAmount }];
}

/** Kinds of authorities that own a token account, and that close it with its wrapped SOL. */
const [owning, closing] = [2, 3];
/** From this size on, an account with data can become a nonce account of anyone. */
const nonceBytes = 80n;

/** Instructions of the system program that give an account with its SOL to a program or a key. */
const assignments: ReadonlySet<string> = new Set([
  'Assign',
  'AssignWithSeed',
  'AllocateWithSeed',
  'CreateAccountAllowPrefund',
  'AuthorizeNonceAccount',
]);

/** An account that another program or key gets, with all that it holds. An empty text means anyone. */
type Given = { readonly from: string; readonly to: string; readonly tokens: readonly Token[] };
type Token = VisibleTransfer['token'];

/** Returns unknown amounts for accounts that get another owner. The signing account may take them over. */
function newOwners(placed: Placed): readonly VisibleTransfer[] {
  const given = [...givenBySystem(placed), ...givenByToken(placed), ...givenByNative(placed)];
  return given.flatMap(({ tokens, ...moved }) =>
    tokens.map((token) => ({ token, ...moved, ...hiddenAmount })),
  );
}

function givenBySystem({
  instruction: { call, accounts },
  transaction,
  account: { address },
}: Placed): readonly Given[] {
  if (call?.program !== 'system') return [];
  const from = accountAt(transaction, accounts[0]);
  const isOpen = call.name === 'Allocate' && (call.space ?? 0n) >= nonceBytes;
  if (!(assignments.has(call.name) || isOpen)) return [];
  const to = call.owner === undefined ? '' : base58Key(call.owner);
  return to === address ? [] : [{ from, to, tokens: [''] }];
}

function givenByToken({
  instruction: { call, accounts },
  transaction,
  account: { address },
}: Placed): readonly Given[] {
  if (call?.program !== 'token' || !call.newAuthority) return [];
  const [from, to] = [accountAt(transaction, accounts[0]), base58Key(call.newAuthority)];
  if (to === address) return [];
  if (call.authorityType === owning) return [{ from, to, tokens: [undefined, ''] }];
  return call.authorityType === closing ? [{ from, to, tokens: [''] }] : [];
}

function givenByNative(placed: Placed): readonly Given[] {
  const { instruction, transaction } = placed;
  const [withdrawer] = holdingPrograms.flatMap((each) => newWithdrawerOf(each, placed) ?? []);
  const from = accountAt(transaction, instruction.accounts[0]);
  const given =
    withdrawer === undefined
      ? loaderMoves(instruction, transaction)
      : { from, to: withdrawer, holder: withdrawer };
  if (given === undefined || given.holder === placed.account.address) return [];
  return [{ from: given.from, to: given.to, tokens: [''] }];
}

/** Positions of the delegate in approvals. */
const delegates: ReadonlyMap<string, number> = new Map([
  ['Approve', 1],
  ['ApproveChecked', 2],
]);

/** The maximum of a u64, which applications write for no limit. */
const unlimited = 2n ** 64n - 1n;

/** Returns an allowance as a transfer to the delegate, who needs no further signature of the owner. */
function allowances(
  { call, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  if (call?.program !== 'token' || call.amount === undefined || call.amount === 0n) return [];
  const place = delegates.get(call.name);
  if (place === undefined) return [];
  const mint = place === 2 ? transaction.addresses[accounts[1] ?? -1] : undefined;
  const [from, to] = [0, place].map((each) => accountAt(transaction, accounts[each]));
  const moved = { token: mint, from: from ?? '', to: to ?? '', amount: call.amount };
  return [call.amount === unlimited ? { ...moved, ...hiddenAmount } : moved];
}

/** Positions of payer and receiver in the instructions that move SOL. */
const movers: ReadonlyMap<string, readonly [from: number, to: number]> = new Map([
  ['Transfer', [0, 1]],
  ['CreateAccount', [0, 1]],
  ['CreateAccountWithSeed', [0, 1]],
  ['CreateAccountAllowPrefund', [1, 0]],
  ['WithdrawNonceAccount', [0, 1]],
  ['TransferWithSeed', [0, 2]],
]);

function solTransfers(
  { call, accounts }: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  if (call?.program !== 'system' || call.lamports === undefined) return [];
  const places = movers.get(call.name);
  if (places === undefined || accounts.length < 2) return [];
  const [from, to] = places;
  return [
    {
      token: '',
      from: accountAt(transaction, accounts[from]),
      to: accountAt(transaction, accounts[to]),
      amount: call.lamports,
    },
  ];
}

function tokenTransfers(
  instruction: SolanaInstruction,
  transaction: SolanaTransaction,
): readonly VisibleTransfer[] {
  const transfer = tokenTransferOf(instruction);
  if (transfer === undefined) return [];
  const { mint, from, to, amount } = transfer;
  return [
    {
      token: mint === undefined ? undefined : transaction.addresses[mint],
      from: accountAt(transaction, from),
      to: accountAt(transaction, to),
      amount,
    },
  ];
}
