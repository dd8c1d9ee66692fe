// Explains a Tron transaction.

import { tronAddress } from '../../address/tron.ts';
import { amountText } from '../../balances/amount_text.ts';
import { hex, textOfUtf8 } from '../../base/bytes.ts';
import type { SigningAccount } from '../../chains/chain.ts';
import type { resources, TronContract, TronPermission } from '../../chains/tron/messages.ts';
import type { TronTransaction } from '../../chains/tron/transaction.ts';
import type {
  Effect,
  Fee,
  TransactionExplanation,
  Warning,
} from '../../organization/records/transaction_explanation.ts';
import { bytesText, callEffects, callWarnings } from '../calls/call_explanation.ts';
import { instantText } from '../text/instant_text.ts';
import { quotedText } from '../text/shown_text.ts';

/** Explains a Tron transaction for the account that signs it. */
export function explainTron(
  { raw }: TronTransaction,
  account: SigningAccount,
): TransactionExplanation {
  const { contract } = raw;
  const [first, ...more] = effectsOf(contract);
  const fee = contract.type === 'TriggerSmartContract' ? energyFee(raw.fee_limit) : undefined;
  return {
    summary: first.text,
    effects: [
      first,
      ...more,
      ...(raw.data.length === 0 ? [] : [memoEffect(raw.data)]),
      { kind: 'VALIDITY', text: `It is valid before ${instantText(raw.expiration)}.` },
    ],
    ...(fee === undefined ? {} : { fee }),
    warnings: [
      ...authorityWarnings(contract, account),
      ...lockWarnings(contract),
      ...ownerWarnings(contract, account),
      ...warningsOfCall(contract),
      ...(fee === undefined ? [] : feeWarnings(raw.fee_limit)),
    ],
  };
}

type Of<Type extends TronContract['type']> = Extract<TronContract, { type: Type }>['members'];
type Effects = readonly [Effect, ...Effect[]];

function effectsOf(contract: TronContract): Effects {
  switch (contract.type) {
    case 'TransferContract':
      return [transfer(contract.members)];
    case 'TriggerSmartContract':
      return call(contract.members);
    case 'AccountPermissionUpdateContract':
      return permissionChange(contract.members);
    case 'FreezeBalanceV2Contract':
      return [stake(contract.members)];
    case 'UnfreezeBalanceV2Contract':
      return [unstake(contract.members)];
    case 'DelegateResourceContract':
      return [delegation(contract.members)];
    case 'UnDelegateResourceContract':
      return [undelegation(contract.members)];
  }
}

function transfer({ owner_address, to_address, amount }: Of<'TransferContract'>): Effect {
  const [from, to] = [owner_address.base58, to_address.base58];
  return {
    kind: 'TRANSFER',
    text: `${from} sends ${trx(amount)} to ${to}.`,
    from,
    to,
    amount: String(amount),
    asset: 'TRX',
  };
}

function call(members: Of<'TriggerSmartContract'>): Effects {
  const { owner_address, contract_address, call_value, call_token_value, token_id } = members;
  const [from, contract] = [owner_address.base58, contract_address.base58];
  const value: Effect[] = [];
  if (call_value > 0n) {
    value.push({
      kind: 'TRANSFER',
      text: `${from} sends ${trx(call_value)} to ${contract} with the call.`,
      from,
      to: contract,
      amount: String(call_value),
      asset: 'TRX',
    });
  }
  if (call_token_value > 0n) {
    value.push({
      kind: 'TOKEN_TRANSFER',
      text: `${from} sends ${call_token_value} units of the TRC-10 token ${token_id} to ${contract} with the call.`,
      from,
      to: contract,
      amount: String(call_token_value),
      asset: String(token_id),
    });
  }
  return [
    ...callEffects({ caller: from, contract, data: members.data, addressOf: tronAddress }),
    ...value,
  ];
}

function permissionChange(members: Of<'AccountPermissionUpdateContract'>): Effects {
  const account = members.owner_address.base58;
  const named = [members.owner, members.witness, ...members.actives];
  return [
    {
      kind: 'PERMISSION_CHANGE',
      text: `${account} replaces the permissions that control it.`,
      from: account,
    },
    ...named.flatMap((permission): Effect[] =>
      permission === undefined ? [] : [permissionEffect(permission, account)],
    ),
  ];
}

function permissionEffect({ type, threshold, keys, operations }: TronPermission, from: string) {
  const list = keys.map(({ address, weight }) => `${address.base58} (weight ${weight})`);
  const holders = list.length === 0 ? 'no key' : list.join(', ');
  return {
    kind: 'PERMISSION_CHANGE',
    text: `The permission ${type} needs a weight of ${threshold} from ${holders}.`,
    from,
    arguments: [
      ...keys.map(({ address, weight }) => ({ name: address.base58, value: String(weight) })),
      ...(operations.length === 0 ? [] : [{ name: 'operations', value: hex(operations) }]),
    ],
  } as const satisfies Effect;
}

function stake({ owner_address, frozen_balance, resource }: Of<'FreezeBalanceV2Contract'>): Effect {
  const from = owner_address.base58;
  return {
    kind: 'RESOURCE_CHANGE',
    text: `${from} stakes ${trx(frozen_balance)} for ${resourceNames[resource]}.`,
    from,
    amount: String(frozen_balance),
    asset: 'TRX',
  };
}

function unstake(members: Of<'UnfreezeBalanceV2Contract'>): Effect {
  const from = members.owner_address.base58;
  const { unfreeze_balance: amount, resource } = members;
  return {
    kind: 'RESOURCE_CHANGE',
    text: `${from} takes back ${trx(amount)} staked for ${resourceNames[resource]}.`,
    from,
    amount: String(amount),
    asset: 'TRX',
  };
}

function delegation(members: Of<'DelegateResourceContract'>): Effect {
  const [from, to] = [members.owner_address.base58, members.receiver_address.base58];
  const { balance, resource, lock, lock_period } = members;
  const blocks = lock_period === 0n ? 'the usual time' : `${lock_period} blocks`;
  const locked = lock ? `, locked for ${blocks}` : '';
  return {
    kind: 'RESOURCE_CHANGE',
    text: `${from} lends the ${resourceNames[resource]} of ${trx(balance)} staked to ${to}${locked}.`,
    from,
    to,
    amount: String(balance),
    asset: 'TRX',
  };
}

function undelegation(members: Of<'UnDelegateResourceContract'>): Effect {
  const [owner, receiver] = [members.owner_address.base58, members.receiver_address.base58];
  const { balance, resource } = members;
  return {
    kind: 'RESOURCE_CHANGE',
    text: `${owner} takes back the ${resourceNames[resource]} of ${trx(balance)} staked from ${receiver}.`,
    from: receiver,
    to: owner,
    amount: String(balance),
    asset: 'TRX',
  };
}

const resourceNames: Readonly<Record<(typeof resources)[number], string>> = {
  BANDWIDTH: 'bandwidth',
  ENERGY: 'energy',
  TRON_POWER: 'voting power',
};

function memoEffect(memo: Uint8Array): Effect {
  const shown = hex(memo.subarray(0, maximumShownBytes));
  const value = memo.length > maximumShownBytes ? `${shown}…` : shown;
  const words = textOfUtf8(memo);
  const text = words === undefined ? '' : `: ${quotedText(words, maximumShownBytes)}`;
  return {
    kind: 'DATA',
    text: `It carries a public memo of ${bytesText(memo)}${text}.`,
    arguments: [{ name: 'memo', value }],
  };
}

/** Maximum number of displayed bytes of a memo in hex, and of its characters. */
const maximumShownBytes = 256;

/** Returns the fee limit, which does not cover bandwidth, memos, new accounts and several signatures. */
function energyFee(limit: bigint): Fee {
  return {
    maximum: String(limit),
    asset: 'TRX',
    text: `At most ${trx(limit)} for energy; bandwidth and other fees of the chain are extra.`,
  };
}

/** Warns of a stake that its owner cannot take back for a time that the request chooses. */
function lockWarnings(contract: TronContract): Warning[] {
  if (contract.type !== 'DelegateResourceContract' || !contract.members.lock) return [];
  const { balance, receiver_address } = contract.members;
  const text = `Until the lock ends, ${receiver_address.base58} keeps the use of the ${trx(balance)}, which cannot be unstaked.`;
  return [{ code: 'NEW_AUTHORITY', text }];
}

function authorityWarnings(contract: TronContract, account: SigningAccount): Warning[] {
  if (contract.type !== 'AccountPermissionUpdateContract') return [];
  const { owner_address, owner } = contract.members;
  const warnings: Warning[] = [
    {
      code: 'NEW_AUTHORITY',
      text: `Only the keys named here will control ${owner_address.base58}.`,
    },
  ];
  const own = owner?.keys.find(({ address }) => address.base58 === account.address);
  const problem =
    own === undefined
      ? 'is not one of the new owner keys'
      : 'has too little weight to act as the owner without other keys';
  if (own === undefined || own.weight < (owner?.threshold ?? 0n)) {
    const text = `The key that signs, ${account.address}, ${problem}.`;
    warnings.push({ code: 'NEW_AUTHORITY', text });
  }
  return warnings;
}

function ownerWarnings({ members, permissionId }: TronContract, account: SigningAccount) {
  const owner = members.owner_address.base58;
  if (owner === account.address) return [];
  const text = `It acts for ${owner} by permission ${permissionId}; ${account.address} signs.`;
  return [{ code: 'OWNER_IS_ANOTHER', text }] satisfies Warning[];
}

function warningsOfCall(contract: TronContract): readonly Warning[] {
  if (contract.type !== 'TriggerSmartContract') return [];
  const { owner_address, contract_address, data } = contract.members;
  return callWarnings({
    caller: owner_address.base58,
    contract: contract_address.base58,
    data,
    addressOf: tronAddress,
  });
}

/** Fee limits from this value, in sun, get a warning. */
const highFeeLimit = 1_000_000_000n;

function feeWarnings(limit: bigint): Warning[] {
  if (limit < highFeeLimit) return [];
  return [{ code: 'HIGH_FEE', text: `The energy may cost up to ${trx(limit)}.` }];
}

function trx(amount: bigint): string {
  return `${amountText(String(amount), sunDecimals)} TRX`;
}

const sunDecimals = 6;
