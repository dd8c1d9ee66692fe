// Stored forms of values that conditions compare exactly; other spellings never match.

import { credentialTypes, curveNames, hashFunctions, payloadEncodings } from '../../base/enums.ts';
import type { Literal } from './lint_analysis.ts';

/**
 * Returns an Ethereum address with the letter case of EIP-55; takes its 40 hexadecimal digits in lower
 * case. Who lints passes it in: a web page lints without Keccak.
 */
export type Checksum = (digits: string) => string;

/**
 * Returns what is wrong with the spelling of a value that is compared with `Struct.member`. Returns
 * undefined if nothing is; without `checksum` the letter case of Ethereum addresses goes unchecked.
 */
export function storedFormProblem(
  key: string,
  literal: Literal,
  checksum: Checksum | undefined,
): string | undefined {
  return literal.kind === 'text' ? forms.get(key)?.(literal.value, checksum) : undefined;
}

type Form = (text: string, checksum: Checksum | undefined) => string | undefined;

const forms: ReadonlyMap<string, Form> = new Map([
  ...rows(address, ['WalletAccount.address']),
  ...rows(identifier, [
    'Wallet.id',
    'PrivateKey.id',
    'PrivateKey.tags[]',
    'WalletAccount.wallet_id',
    'User.id',
    'User.tags[]',
    'Credential.id',
    'Credential.user_id',
    'ActivityParams.user_id',
    'ActivityParams.user_ids[]',
    'ActivityParams.api_key_ids[]',
    'ActivityParams.wallet_id',
    'ActivityParams.endpoint_id',
  ]),
  ...rows(lowerHex, [
    'EthereumTransaction.data',
    'EthereumTransaction.data[..]',
    'EthereumTransaction.function_signature',
    'SolanaInstruction.instruction_data_hex',
    'TronContract.data',
    'TronContract.data[..]',
    'Credential.public_key',
  ]),
  ...rows(targetKey, ['ActivityParams.target_public_key']),
  ...rows(oneOf(hashFunctions), ['ActivityParams.hash_function']),
  ...rows(oneOf(payloadEncodings), ['ActivityParams.encoding']),
  ...rows(oneOf(credentialTypes), ['Credential.type']),
  ...rows(oneOf(curveNames), ['WalletAccount.curve']),
  ...rows(
    oneOf([
      'TRANSACTION_TYPE_ETHEREUM',
      'TRANSACTION_TYPE_SOLANA',
      'TRANSACTION_TYPE_TRON',
      'TRANSACTION_TYPE_BITCOIN',
      'TRANSACTION_TYPE_TEMPO',
    ]),
    ['ActivityParams.type'],
  ),
  ...rows(oneOf(['LEGACY', 'TYPE_1', 'TYPE_2', 'TYPE_3', 'TYPE_4']), ['EthereumTransaction.type']),
  ...rows(
    oneOf([
      'TransferContract',
      'TriggerSmartContract',
      'DelegateResourceContract',
      'UnDelegateResourceContract',
      'FreezeBalanceV2Contract',
      'UnfreezeBalanceV2Contract',
      'AccountPermissionUpdateContract',
    ]),
    ['TronContract.type'],
  ),
  ...rows(oneOf(['ENERGY', 'BANDWIDTH']), ['TronContract.resource']),
  ...rows(oneOf(['Owner', 'Witness', 'Active']), ['TronPermission.type']),
  ...rows(oneOf(['Seconds', 'Blocks']), ['BitcoinLocktime.type']),
]);

function rows(form: Form, keys: readonly string[]): [string, Form][] {
  return keys.map((key) => [key, form]);
}

function address(text: string, checksum: Checksum | undefined): string | undefined {
  const [, digits] = /^0x([0-9a-f]{40})$/i.exec(text) ?? [];
  if (digits === undefined || checksum === undefined) return undefined;
  const stored = checksum(digits.toLowerCase());
  return stored === text ? undefined : `the address is stored as \`${stored}\``;
}

function identifier(text: string): string | undefined {
  if (uuid.test(text)) return undefined;
  return uuid.test(text.toLowerCase())
    ? 'identifiers are stored in lower case'
    : 'an identifier is a UUID, not a name';
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function lowerHex(text: string): string | undefined {
  return /[A-F]/.test(text) && /^(0x)?[0-9a-f]*$/i.test(text)
    ? 'these hexadecimal digits are stored in lower case'
    : undefined;
}

function targetKey(text: string): string | undefined {
  return /^04[0-9a-f]{128}$/.test(text)
    ? undefined
    : 'a target key is stored uncompressed, as 130 hexadecimal digits in lower case';
}

function oneOf(names: readonly string[]): Form {
  return (text) => (names.includes(text) ? undefined : `it is one of ${names.join(', ')}`);
}
