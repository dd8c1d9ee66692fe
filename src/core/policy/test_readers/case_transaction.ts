// Reads the transaction of a policy test like `sign_transaction`, so that a test need not contain its facts.

import { otherBitcoinSpellings } from '../../address/bitcoin_spellings.ts';
import { type AddressFormatName, addressFormats } from '../../address/index.ts';
import { bytesOfHex, hex, utf8 } from '../../base/bytes.ts';
import type { TransactionType } from '../../base/enums.ts';
import type { SigningAccount } from '../../chains/chain.ts';
import { curves } from '../../crypto/curves.ts';
import { sha256 } from '../../crypto/hashes.ts';
import { ServiceError } from '../../errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { InterfaceTexts } from '../../transactions/described.ts';
import {
  accountFormatsOf,
  maximumTransactionCharacters,
  readTransaction,
  requireTransactionType,
} from '../../transactions/kinds.ts';
import { PolicyTestError } from '../simulator/policy_scenario_facts.ts';
import type { CaseReaders, TransactionOfCase } from '../simulator/policy_scenario_file.ts';

const memberNames = ['type', 'unsignedTransaction', 'account', 'interfaces'];
const maximumInterfaces = 100;

/** Readers that support every chain and every spelling of addresses, like the service. */
export const caseReaders: CaseReaders = {
  transaction: readCaseTransaction,
  spellings: otherBitcoinSpellings,
};

/** Reads `{type, unsignedTransaction, account, interfaces}`; raises `PolicyTestError`. */
function readCaseTransaction(json: Json, path: string): TransactionOfCase {
  const members = objectOf(json, path, memberNames);
  const unsigned = textOf(members, 'unsignedTransaction', path);
  if (unsigned.length > maximumTransactionCharacters) {
    throw new PolicyTestError(`${path}.unsignedTransaction`, 'is too long');
  }
  try {
    const type = requireTransactionType(textOf(members, 'type', path));
    const account = readAccount(members['account'], `${path}.account`, type);
    const transaction = readTransaction(type, unsigned, account);
    return { type, facts: transaction.facts(readInterfaces(members['interfaces'], path)) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new PolicyTestError(path, error.message);
  }
}

/** Formats whose transactions are read without the public key of the account. */
const readByAddress: readonly AddressFormatName[] = [
  'ADDRESS_FORMAT_ETHEREUM',
  'ADDRESS_FORMAT_TRON',
];

function readAccount(json: Json | undefined, path: string, type: TransactionType): SigningAccount {
  const members = objectOf(json, path, ['address', 'addressFormat', 'publicKey']);
  const format = readFormat(members, path, accountFormatsOf(type));
  if (members['publicKey'] === undefined && readByAddress.includes(format)) {
    return { address: textOf(members, 'address', path), format, publicKey: new Uint8Array(0) };
  }
  const [curve] = addressFormats[format].curves;
  const bytes = bytesOfHex(textOf(members, 'publicKey', path));
  const publicKey = bytes && curve && curves[curve].parsePublicKey(bytes);
  if (curve === undefined || publicKey === undefined) {
    throw new PolicyTestError(`${path}.publicKey`, `expected a public key of ${curve} in hex`);
  }
  const address = addressFormats[format].encode(publicKey, curve);
  if ((members['address'] ?? address) !== address) {
    throw new PolicyTestError(`${path}.address`, `the public key has the address ${address}`);
  }
  return { address, format, publicKey };
}

function readFormat(
  members: JsonObject,
  path: string,
  formats: readonly AddressFormatName[],
): AddressFormatName {
  const [only, ...others] = formats;
  const expected =
    others.length === 0 ? (members['addressFormat'] ?? only) : members['addressFormat'];
  const format = formats.find((each) => each === expected);
  if (format !== undefined) return format;
  throw new PolicyTestError(`${path}.addressFormat`, `expected one of ${formats.join(', ')}`);
}

function readInterfaces(json: Json | undefined, path: string): InterfaceTexts {
  const list = json ?? [];
  if (!Array.isArray(list) || list.length > maximumInterfaces) {
    throw new PolicyTestError(
      `${path}.interfaces`,
      `expected a list of at most ${maximumInterfaces}`,
    );
  }
  return new Map(
    list.map((item: Json, i) => {
      const at = `${path}.interfaces[${i}]`;
      const members = objectOf(item, at, ['smartContractAddress', 'smartContractInterface']);
      const text = textOf(members, 'smartContractInterface', at);
      const digest = hex(sha256(utf8(text)));
      return [textOf(members, 'smartContractAddress', at), { text, digest }];
    }),
  );
}

function objectOf(json: Json | undefined, path: string, known: readonly string[]): JsonObject {
  if (!isJsonObject(json)) throw new PolicyTestError(path, 'expected an object');
  const unknown = Object.keys(json).find((name) => !known.includes(name));
  if (unknown === undefined) return json;
  throw new PolicyTestError(path, `unknown member \`${unknown}\`, expected ${known.join(', ')}`);
}

function textOf(members: JsonObject, name: string, path: string): string {
  const value = members[name];
  if (typeof value === 'string') return value;
  throw new PolicyTestError(
    `${path}.${name}`,
    value === undefined ? 'is missing' : 'expected a text',
  );
}
