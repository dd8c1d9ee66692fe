// Calls of token standards: ERC-20 with its permits (ERC-2612), ERC-721, ERC-1155, and Permit2. They are
// decoded without an interface. A contract that follows no standard may interpret them differently.

import { eip55 } from '../../address/ethereum.ts';
import { hex, utf8 } from '../../base/bytes.ts';
import { type AbiValue, decodeArguments } from '../../contracts/abi_arguments.ts';
import { layoutOf } from '../../contracts/abi_layout.ts';
import { keccak256 } from '../../crypto/hashes.ts';
import { type Call, selectorOf } from './call.ts';

type TokenStandard = 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'ERC-20 or ERC-721' | 'Permit2';

/** Effect of a standard call. Addresses are in EIP-55. */
export type StandardMeaning = { readonly standard: TokenStandard } & (
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
    }
  | { readonly kind: 'approveAll'; readonly to: string; readonly isAllowed: boolean }
);

export type StandardCall = StandardMeaning & { readonly signature: string };

/** The contract of Permit2, at the same address on every chain. */
export const permit2Contract = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/**
 * Returns the standard call in the data. Undefined unless every contract reads the arguments alike, which
 * must be complete and without dirty bytes. `from` is the caller.
 */
export function standardCall(call: Call, from: string): StandardCall | undefined {
  const row = rows.get(selectorOf(call) ?? '');
  const values = row && decodeArguments(row.layout, call.data.subarray(4));
  if (row === undefined || values === undefined) return undefined;
  const meaning = row.read(readerOf(values), from);
  return meaning === undefined ? undefined : { ...meaning, signature: row.signature };
}

type Arguments = {
  readonly address: (index: number) => string;
  readonly number: (index: number) => bigint;
  readonly numbers: (index: number) => readonly bigint[];
  readonly isTrue: (index: number) => boolean;
};
type ReadArguments = (given: Arguments, from: string) => StandardMeaning | undefined;

function row(signature: string, read: ReadArguments) {
  const types = signature.slice(signature.indexOf('(') + 1, -1).split(',');
  const layout = layoutOf(types.map((type) => ({ name: '', type })));
  const selector = `0x${hex(keccak256(utf8(signature)).subarray(0, 4))}`;
  return [selector, { signature, layout, read }] as const;
}

/** For a collection (ERC-721), the number is that of a token, which the other account may then move. */
const allowance: ReadArguments = ({ address, number }) => ({
  standard: 'ERC-20 or ERC-721',
  kind: 'approve',
  to: address(0),
  amount: number(1),
});

const moreAllowance: ReadArguments = ({ address, number }) => ({
  standard: 'ERC-20',
  kind: 'approve',
  to: address(0),
  amount: number(1),
  isMore: true,
});

const oneItem: ReadArguments = ({ address, number }) => ({
  standard: 'ERC-721',
  kind: 'transferItems',
  from: address(0),
  to: address(1),
  items: [{ id: number(2), amount: 1n }],
});

const rows = new Map([
  row('transfer(address,uint256)', ({ address, number }, from) => ({
    standard: 'ERC-20',
    kind: 'transfer',
    from,
    to: address(0),
    amount: number(1),
  })),
  row('transferFrom(address,address,uint256)', ({ address, number }) => ({
    standard: 'ERC-20 or ERC-721',
    kind: 'transfer',
    from: address(0),
    to: address(1),
    amount: number(2),
  })),
  row('approve(address,uint256)', allowance),
  row('increaseAllowance(address,uint256)', moreAllowance),
  row('increaseApproval(address,uint256)', moreAllowance),
  row('setApprovalForAll(address,bool)', ({ address, isTrue }) => ({
    standard: 'ERC-721',
    kind: 'approveAll',
    to: address(0),
    isAllowed: isTrue(1),
  })),
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
  row('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', ({ address, number }) => ({
    standard: 'ERC-20',
    kind: 'approve',
    owner: address(0),
    to: address(1),
    amount: number(2),
  })),
  row('approve(address,address,uint160,uint48)', ({ address, number }) => ({
    standard: 'Permit2',
    kind: 'approve',
    to: address(1),
    amount: number(2),
    token: address(0),
    endsAt: number(3),
  })),
]);

function readerOf(values: readonly AbiValue[]): Arguments {
  const numberOf = (value: AbiValue | undefined) => (value?.kind === 'integer' ? value.value : 0n);
  return {
    address: (index) => {
      const value = values[index];
      return value?.kind === 'address' ? eip55(value.hex.slice(2)) : '';
    },
    number: (index) => numberOf(values[index]),
    numbers: (index) => {
      const value = values[index];
      return value?.kind === 'list' ? value.items.map(numberOf) : [];
    },
    isTrue: (index) => {
      const value = values[index];
      return value?.kind === 'boolean' && value.value;
    },
  };
}
