// The signable messages of Tron, field by field, under the names of the protocol. Fields that policies cannot
// describe are missing here, so they are rejected. https://github.com/tronprotocol/protocol, core/Tron.proto
// and core/contract/*.proto

import { tronAddress } from '../../address/tron.ts';
import { namesOf } from '../../base/table.ts';
import { refuseTransaction } from '../unreadable.ts';
import {
  bytes,
  choice,
  exactBytes,
  type Field,
  type Fields,
  flag,
  int32,
  int64,
  type Members,
  messages,
  optionalBytes,
  optionalMessage,
  readMessage,
  required,
  requiredMessage,
  requireLength,
  text,
  writeMessage,
} from './fields.ts';

/** An address: 21 bytes that begin with `41`, and their base58 text. */
export type TronAddress = { readonly bytes: Uint8Array; readonly base58: string };

const addressLength = 21;
const addressPrefix = 0x41;

function address(number: number): Field<TronAddress> {
  return required(number, {
    read: (encoded, place) => {
      requireLength(encoded, addressLength, place);
      if (encoded[0] !== addressPrefix) refuseTransaction(place, 'expected 41 as the first byte');
      return { bytes: encoded, base58: tronAddress(encoded.subarray(1)) };
    },
    write: (value) => value.bytes,
  });
}

/** The resources that accounts stake for, delegate and reclaim. */
export const resources = ['BANDWIDTH', 'ENERGY', 'TRON_POWER'] as const;
const permissionTypes = ['Owner', 'Witness', 'Active'] as const;

/** Maximum number of keys of one permission, a parameter of the chain. */
const maximumKeys = 5;
/** Maximum number of permissions of kind Active, a bound of the chain. */
const maximumActives = 8;

const key = { address: address(1), weight: int64(2) };

const permission = {
  type: choice(1, permissionTypes),
  id: int32(2),
  permission_name: text(3),
  threshold: int64(4),
  parent_id: int32(5),
  operations: optionalBytes(6, 32),
  keys: messages(7, key, maximumKeys),
};

/** Accounts that may act for an account, and their operations. */
export type TronPermission = Members<typeof permission>;

/** Contracts that the service can sign: the number in `Contract.type`, and the fields of the message. */
const contracts = {
  TransferContract: {
    number: 1,
    fields: { owner_address: address(1), to_address: address(2), amount: int64(3) },
  },
  TriggerSmartContract: {
    number: 31,
    fields: {
      owner_address: address(1),
      contract_address: address(2),
      call_value: int64(3),
      data: bytes(4),
      call_token_value: int64(5),
      token_id: int64(6),
    },
  },
  AccountPermissionUpdateContract: {
    number: 46,
    fields: {
      owner_address: address(1),
      owner: optionalMessage(2, permission),
      witness: optionalMessage(3, permission),
      actives: messages(4, permission, maximumActives),
    },
  },
  FreezeBalanceV2Contract: {
    number: 54,
    fields: {
      owner_address: address(1),
      frozen_balance: int64(2),
      resource: choice(3, resources),
    },
  },
  UnfreezeBalanceV2Contract: {
    number: 55,
    fields: {
      owner_address: address(1),
      unfreeze_balance: int64(2),
      resource: choice(3, resources),
    },
  },
  DelegateResourceContract: {
    number: 57,
    fields: {
      owner_address: address(1),
      resource: choice(2, resources),
      balance: int64(3),
      receiver_address: address(4),
      lock: flag(5),
      lock_period: int64(6),
    },
  },
  UnDelegateResourceContract: {
    number: 58,
    fields: {
      owner_address: address(1),
      resource: choice(2, resources),
      balance: int64(3),
      receiver_address: address(4),
    },
  },
} as const satisfies { readonly [name: string]: { number: number; fields: Fields } };

type Contracts = typeof contracts;
type ContractName = keyof Contracts;
const contractNames = namesOf(contracts);

/** One contract with its members, distinguished by `type`. */
export type TronContract = {
  [Name in ContractName]: {
    readonly type: Name;
    /** The owner's permission that the signature uses; 0 is the Owner permission. */
    readonly permissionId: bigint;
    readonly members: Members<Contracts[Name]['fields']>;
  };
}[ContractName];

const typeUrlPrefix = 'type.googleapis.com/protocol.';

const envelope = {
  type: int32(1),
  parameter: requiredMessage(2, { type_url: text(1), value: bytes(2) }),
  permission_id: int32(5),
};

function readContract(encoded: Uint8Array, place: string): TronContract {
  const { type, parameter, permission_id } = readMessage(envelope, encoded, place);
  const name = contractNames.find((each) => BigInt(contracts[each].number) === type);
  if (name === undefined) {
    const known = contractNames.map((each) => contracts[each].number).join(', ');
    return refuseTransaction(`${place}.type`, `expected one of ${known}, got ${type}`);
  }
  const expected = `${typeUrlPrefix}${name}`;
  if (parameter.type_url !== expected) {
    refuseTransaction(`${place}.parameter.type_url`, `expected ${expected} for type ${type}`);
  }
  const members = readMessage<Fields>(contracts[name].fields, parameter.value, place);
  return { type: name, permissionId: permission_id, members } as TronContract;
}

function writeContract({ type, permissionId, members }: TronContract): Uint8Array {
  const { number, fields } = contracts[type];
  return writeMessage(envelope, {
    type: BigInt(number),
    parameter: {
      type_url: `${typeUrlPrefix}${type}`,
      value: writeMessage<Fields>(fields, members),
    },
    permission_id: permissionId,
  });
}

/** `protocol.Transaction.raw`, the signed part. The chain allows one contract in a transaction. */
export const rawData = {
  ref_block_bytes: exactBytes(1, 2),
  ref_block_hash: exactBytes(4, 8),
  expiration: int64(8),
  data: bytes(10),
  contract: required(11, { read: readContract, write: writeContract }),
  timestamp: int64(14),
  fee_limit: int64(18),
};

export type RawData = Members<typeof rawData>;
