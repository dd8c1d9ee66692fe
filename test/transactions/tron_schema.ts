// The messages of Tron for @bufbuild/protobuf: our own schema, written from the definitions of the protocol
// without the reader's lists.

import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

const scalars = {
  int64: FieldDescriptorProto_Type.INT64,
  int32: FieldDescriptorProto_Type.INT32,
  bytes: FieldDescriptorProto_Type.BYTES,
  string: FieldDescriptorProto_Type.STRING,
  bool: FieldDescriptorProto_Type.BOOL,
} as const;

/** `name number type`, with `[]` for a list; unknown types are messages. */
const messages: Readonly<Record<string, readonly string[]>> = {
  Any: ['type_url 1 string', 'value 2 bytes'],
  Contract: [
    'type 1 int32',
    'parameter 2 Any',
    'provider 3 bytes',
    'ContractName 4 bytes',
    'Permission_id 5 int32',
  ],
  raw: [
    'ref_block_bytes 1 bytes',
    'ref_block_num 3 int64',
    'ref_block_hash 4 bytes',
    'expiration 8 int64',
    'auths 9 bytes[]',
    'data 10 bytes',
    'contract 11 Contract[]',
    'scripts 12 bytes',
    'timestamp 14 int64',
    'fee_limit 18 int64',
  ],
  Key: ['address 1 bytes', 'weight 2 int64'],
  Permission: [
    'type 1 int32',
    'id 2 int32',
    'permission_name 3 string',
    'threshold 4 int64',
    'parent_id 5 int32',
    'operations 6 bytes',
    'keys 7 Key[]',
  ],
  TransferContract: ['owner_address 1 bytes', 'to_address 2 bytes', 'amount 3 int64'],
  TriggerSmartContract: [
    'owner_address 1 bytes',
    'contract_address 2 bytes',
    'call_value 3 int64',
    'data 4 bytes',
    'call_token_value 5 int64',
    'token_id 6 int64',
  ],
  AccountPermissionUpdateContract: [
    'owner_address 1 bytes',
    'owner 2 Permission',
    'witness 3 Permission',
    'actives 4 Permission[]',
  ],
  FreezeBalanceV2Contract: ['owner_address 1 bytes', 'frozen_balance 2 int64', 'resource 3 int32'],
  UnfreezeBalanceV2Contract: [
    'owner_address 1 bytes',
    'unfreeze_balance 2 int64',
    'resource 3 int32',
  ],
  DelegateResourceContract: [
    'owner_address 1 bytes',
    'resource 2 int32',
    'balance 3 int64',
    'receiver_address 4 bytes',
    'lock 5 bool',
    'lock_period 6 int64',
  ],
  UnDelegateResourceContract: [
    'owner_address 1 bytes',
    'resource 2 int32',
    'balance 3 int64',
    'receiver_address 4 bytes',
  ],
};

const registry = createFileRegistry(
  create(FileDescriptorSetSchema, {
    file: [
      create(FileDescriptorProtoSchema, {
        name: 'tron.proto',
        package: 'protocol',
        syntax: 'proto3',
        messageType: Object.entries(messages).map(([name, fields]) => ({
          name,
          field: fields.map(fieldOf),
        })),
      }),
    ],
  }),
);

function fieldOf(text: string) {
  const [name = '', number, of = ''] = text.split(' ');
  const type = of.replace('[]', '');
  const scalar = Object.entries(scalars).find(([each]) => each === type)?.[1];
  return {
    name,
    jsonName: name,
    number: Number(number),
    label: of.endsWith('[]')
      ? FieldDescriptorProto_Label.REPEATED
      : FieldDescriptorProto_Label.OPTIONAL,
    ...(scalar === undefined
      ? { type: FieldDescriptorProto_Type.MESSAGE, typeName: `.protocol.${type}` }
      : { type: scalar }),
  };
}

/** A decoded value in the form of the library: integers are bigint or number, names are in camel case. */
export type Decoded = Message & { readonly [name: string]: unknown };

/** Returns the message in the bytes, without unknown fields. Throws for bytes that are not a message. */
export function decode(name: string, bytes: Uint8Array): Decoded {
  return fromBinary(schemaOf(name), bytes, { readUnknownFields: false }) as Decoded;
}

/** Returns the bytes of a message. */
export function encode(name: string, message: Message): Uint8Array {
  return toBinary(schemaOf(name), message);
}

function schemaOf(name: string): DescMessage {
  const schema = registry.getMessage(`protocol.${name}`);
  if (schema === undefined) throw new Error(`no message ${name}`);
  return schema;
}
