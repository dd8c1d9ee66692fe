// Calls of standards: tokens (ERC-20 with its permits, ERC-721, ERC-777, ERC-1155, ERC-1363, ERC-3009,
// ERC-6909), vaults (ERC-4626), Permit2, and the owners and code of contracts. They are decoded without an
// interface. A contract that follows no standard may interpret them differently.

import {
  type AbiValue,
  decodeArguments,
  itemsOf,
  numberOf,
} from '../../contracts/abi_arguments.ts';
import { layoutOf } from '../../contracts/abi_layout.ts';
import {
  maximumWord,
  selectorOfSignature,
  type TokenFunction,
  tokenFunctions,
  typesOf,
} from '../calls/token_calls.ts';
import { addressText, type Call, selectorOf } from './call.ts';

type Standard =
  | TokenFunction['standard']
  | 'ERC-721'
  | 'ERC-1155'
  | 'Permit2'
  | 'ERC-173'
  | 'ERC-1967'
  | 'ERC-4626'
  | 'ERC-6909'
  | 'the usual form of its owner'
  | 'the access control of OpenZeppelin'
  | 'the debt token of Aave'
  | 'Compound III'
  | 'Morpho';

/** Effect of a standard call. Addresses are in EIP-55. */
export type StandardMeaning = { readonly standard: Standard } & (
  | {
      readonly kind: 'transfer';
      readonly from: string;
      readonly to: string;
      readonly amount: bigint;
    }
  | {
      readonly kind: 'transferItems';
      readonly from: string;
      readonly to: string;
      /** IDs of the moved tokens of a collection, with their amounts. */
      readonly items: readonly { readonly id: bigint; readonly amount: bigint }[];
    }
  | {
      readonly kind: 'approve';
      /** The account whose tokens may be taken. Default: the caller. */
      readonly owner?: string;
      readonly to: string;
      readonly amount: bigint;
      /** True if the allowance grows by the amount. */
      readonly isMore?: true;
      /** The token's contract. Default: the called contract. */
      readonly token?: string;
      /** In seconds since 1970. */
      readonly endsAt?: bigint;
      /** The number of a token within the contract (ERC-6909). */
      readonly id?: bigint;
    }
  | { readonly kind: 'approveAll'; readonly to: string; readonly isAllowed: boolean }
  | {
      /** Gives an account power over the contract, or a contract the place of its code. */
      readonly kind: 'empower';
      readonly to: string;
      /** Verb phrase about the contract: `makes 0x… the owner of 0x…`. */
      readonly act: (contract: string) => string;
    }
  | {
      /** Pays from or into a vault. The assets are another token than the vault. */
      readonly kind: 'vault';
      readonly from: string;
      readonly to: string;
      readonly isOut: boolean;
      /** Undefined if the call states the assets. */
      readonly shares: bigint | undefined;
      readonly act: (contract: string) => string;
    }
);

export type StandardCall = StandardMeaning & { readonly signature: string };

/** The contract of Permit2, at the same address on every chain. */
export const permit2Contract = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/**
 * Returns the standard call in the data. Undefined unless every contract reads the arguments alike, which
 * must be complete and without dirty bytes. `from` is the caller; `addressOf` writes addresses.
 */
export function standardCall(
  call: Call,
  from: string,
  addressOf: (account: Uint8Array) => string = addressText,
): StandardCall | undefined {
  const row = rows.get(selectorOf(call) ?? '');
  const values = row && decodeArguments(row.layout, call.data.subarray(4));
  if (row === undefined || values === undefined) return undefined;
  const meaning = row.read(readerOf(values, addressOf), from);
  return meaning === undefined ? undefined : { ...meaning, signature: row.signature };
}

/** Returns the signature of the standard function with a selector. */
export const standardSignature = (selector: string): string | undefined =>
  rows.get(selector)?.signature;

type Arguments = {
  readonly address: (index: number) => string;
  readonly number: (index: number) => bigint;
  readonly numbers: (index: number) => readonly bigint[];
  readonly isTrue: (index: number) => boolean;
};
type ReadArguments = (given: Arguments, from: string) => StandardMeaning | undefined;

function row(signature: string, read: ReadArguments) {
  const layout = layoutOf(typesOf(signature).map((type) => ({ name: '', type })));
  return [`0x${selectorOfSignature(signature)}` as string, { signature, layout, read }] as const;
}

/** Reads a token function. For a collection (ERC-721), the amount is the number of the token. */
const tokenCall =
  ({ standard, effect, namesOwner }: TokenFunction): ReadArguments =>
  ({ address, number }, from) => {
    const owner = namesOwner ? address(0) : undefined;
    const [to, amount] = namesOwner ? [address(1), number(2)] : [address(0), number(1)];
    if (effect === 'transfer') {
      return { standard, kind: 'transfer', from: owner ?? from, to, amount };
    }
    return {
      standard,
      kind: 'approve',
      ...(owner === undefined ? {} : { owner }),
      to,
      amount,
      ...(effect === 'increase' ? { isMore: true } : {}),
    };
  };

const oneItem: ReadArguments = ({ address, number }) => ({
  standard: 'ERC-721',
  kind: 'transferItems',
  from: address(0),
  to: address(1),
  items: [{ id: number(2), amount: 1n }],
});

const operator =
  (standard: Standard): ReadArguments =>
  ({ address, isTrue }) => ({
    standard,
    kind: 'approveAll',
    to: address(0),
    isAllowed: isTrue(1),
  });

const onlyOperator =
  (isAllowed: boolean): ReadArguments =>
  ({ address }) => ({ standard: 'ERC-777', kind: 'approveAll', to: address(0), isAllowed });

/** `{to}` stands for the address at an index, `{it}` for the contract. */
const power =
  (standard: Standard, text: string, index = 0): ReadArguments =>
  ({ address }) => {
    const to = address(index);
    const act = (contract: string) => text.replace('{to}', to).replace('{it}', contract);
    return { standard, kind: 'empower', to, act };
  };

/** A payment into a vault for a receiver of shares, or out of the vault from an owner of shares. */
const vaultCall =
  (unit: 'assets' | 'shares', isOut: boolean): ReadArguments =>
  ({ address, number }, from) => {
    const [to, owner] = [address(1), isOut ? address(2) : from];
    const shares = unit === 'shares' ? number(0) : undefined;
    const amount = `${number(0)} of the smallest unit of ${unit}`;
    const act = (contract: string) =>
      isOut
        ? `takes ${amount} of ${owner} out of the vault ${contract} and pays ${to}`
        : `pays ${amount} of ${owner} into the vault ${contract} for ${to}`;
    return { standard: 'ERC-4626', kind: 'vault', from: owner, to, isOut, shares, act };
  };

const owner = 'makes {to} the owner of {it}';
const admin = 'makes {to} the administrator of {it}';

const rows = new Map([
  ...tokenFunctions.map((each) => row(each.signature, tokenCall(each))),
  row('authorizeOperator(address)', onlyOperator(true)),
  row('revokeOperator(address)', onlyOperator(false)),
  row('setOperator(address,bool)', operator('ERC-6909')),
  row('approve(address,uint256,uint256)', ({ address, number }) => ({
    standard: 'ERC-6909',
    kind: 'approve',
    to: address(0),
    id: number(1),
    amount: number(2),
  })),
  row('allow(address,bool)', operator('Compound III')),
  row('setAuthorization(address,bool)', operator('Morpho')),
  row('transfer(address,uint256,uint256)', ({ address, number }, from) => ({
    standard: 'ERC-6909',
    kind: 'transferItems',
    from,
    to: address(0),
    items: [{ id: number(1), amount: number(2) }],
  })),
  row('transferFrom(address,address,uint256,uint256)', ({ address, number }) => ({
    standard: 'ERC-6909',
    kind: 'transferItems',
    from: address(0),
    to: address(1),
    items: [{ id: number(2), amount: number(3) }],
  })),
  row(
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    ({ address, isTrue }) => ({
      standard: 'ERC-20',
      kind: 'approve',
      owner: address(0),
      to: address(1),
      amount: isTrue(4) ? maximumWord : 0n,
    }),
  ),
  row('transferOwnership(address)', power('ERC-173', owner)),
  row('setOwner(address)', power('the usual form of its owner', owner)),
  row('changeOwner(address)', power('the usual form of its owner', owner)),
  row('setAdmin(address)', power('the usual form of its owner', admin)),
  row('setPendingAdmin(address)', power('the usual form of its owner', admin)),
  row('changeAdmin(address)', power('ERC-1967', admin)),
  row('upgradeTo(address)', power('ERC-1967', 'makes {to} the code of {it}')),
  row('upgradeToAndCall(address,bytes)', power('ERC-1967', 'makes {to} the code of {it}')),
  row('upgrade(address,address)', power('ERC-1967', 'makes {to} the code of a proxy of {it}', 1)),
  row(
    'upgradeAndCall(address,address,bytes)',
    power('ERC-1967', 'makes {to} the code of a proxy of {it}', 1),
  ),
  row(
    'grantRole(bytes32,address)',
    power('the access control of OpenZeppelin', 'gives {to} a role in {it}', 1),
  ),
  row(
    'approveDelegation(address,uint256)',
    power('the debt token of Aave', 'lets {to} borrow from {it} what the caller then owes'),
  ),
  row('deposit(uint256,address)', vaultCall('assets', false)),
  row('mint(uint256,address)', vaultCall('shares', false)),
  row('withdraw(uint256,address,address)', vaultCall('assets', true)),
  row('redeem(uint256,address,address)', vaultCall('shares', true)),
  row('setApprovalForAll(address,bool)', operator('ERC-721')),
  row('safeTransferFrom(address,address,uint256)', oneItem),
  row('safeTransferFrom(address,address,uint256,bytes)', oneItem),
  row('safeTransferFrom(address,address,uint256,uint256,bytes)', ({ address, number }) => ({
    standard: 'ERC-1155',
    kind: 'transferItems',
    from: address(0),
    to: address(1),
    items: [{ id: number(2), amount: number(3) }],
  })),
  row(
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    ({ address, numbers }) => {
      const [ids, amounts] = [numbers(2), numbers(3)];
      if (ids.length !== amounts.length) return undefined;
      const items = ids.map((id, i) => ({ id, amount: amounts[i] ?? 0n }));
      return {
        standard: 'ERC-1155',
        kind: 'transferItems',
        from: address(0),
        to: address(1),
        items,
      };
    },
  ),
  row('approve(address,address,uint160,uint48)', ({ address, number }) => ({
    standard: 'Permit2',
    kind: 'approve',
    to: address(1),
    amount: number(2),
    token: address(0),
    endsAt: number(3),
  })),
]);

function readerOf(
  values: readonly AbiValue[],
  addressOf: (account: Uint8Array) => string,
): Arguments {
  return {
    address: (index) => {
      const value = values[index];
      return value?.kind === 'address' ? addressOf(Uint8Array.fromHex(value.hex.slice(2))) : '';
    },
    number: (index) => numberOf(values[index]),
    numbers: (index) => itemsOf(values[index]).map(numberOf),
    isTrue: (index) => {
      const value = values[index];
      return value?.kind === 'boolean' && value.value;
    },
  };
}
