import type { MemberTexts } from './member_text.ts';

/** Transactions that the service sends. */
export const sendTexts: MemberTexts = {
  from: 'Address that sends: of a wallet account or a private key.',
  calls: 'What is sent: exactly one call.',
  'calls.to eth_send_transaction>to': 'Address that is paid or called: 0x and 40 hex digits.',
  'calls.value eth_send_transaction>value': 'Amount in wei: decimal, or hex with 0x. Default: 0.',
  'calls.data eth_send_transaction>data': 'Call data: hex with 0x. Default: none.',
  'eth_undelegate_7702>nonce eth_send_transaction>nonce':
    'Number of the transaction. Default: the next one of the address that is free.',
  'eth_send_raw_transaction>signedTransaction':
    'A signed transaction of Ethereum, without blobs: hex with or without 0x.',
  'transactionHash eth.txHash': ['Hash', 'Hash of the transaction: 0x and 64 hex digits.'],
  'sol_send_transaction>signWiths': [
    'Sign with',
    'Addresses of the accounts that sign. All other signers have signed already.',
  ],
  'sol_send_transaction>recentBlockhash':
    'With a sponsor: the blockhash to sign with. Otherwise it must equal the blockhash of the transaction.',
  sponsor: 'True: an account of the parent pays the fee, within its policies and limits.',
  orgWindowLimitUsd: [
    'Limit',
    'Maximum sponsored fees in a window in US dollars, for the organization and its sub-organizations together.',
  ],
  subOrgWindowLimitUsd: [
    'Limit of a sub-organization',
    'Maximum sponsored fees of each sub-organization in a window, in US dollars.',
  ],
  userWindowLimitUsd: [
    'Limit of a user',
    'Maximum sponsored fees of each user in a window, in US dollars. Default: the limit of a sub-organization.',
  ],
  windowDurationMinutes: ['Window', 'Length of the window in minutes: 1 to 43200.'],
  'upsert_gas_usage_config>enabled': 'False: no transaction is sponsored. Default: true.',
  solanaConfig: ['Solana', 'Settings of Solana.'],
  rentPrefundEnabled: ['Rent', 'Must be false: sponsors pay only fees, not rent.'],
  sponsors: 'Accounts that pay, one for each chain. Default: the current sponsors.',
  'sponsors.address': 'Address of an account of the organization.',
  delegate:
    'On chains of Ethereum: the contract whose code acts for senders, as the operator named it.',
  usdPerCoin: ['Price', 'Price of a coin of the chain in US dollars, used to count fees.'],
  gasUsageConfigId: ['Config ID', 'UUID of the configuration.'],
  windowLimitUsd: ['Limit', 'Maximum sponsored fees in a window, in US dollars.'],
  usageUsd: ['Usage', 'US dollars of sponsored fees in the window until now.'],
  gasLimit: 'Most gas that it may use. Default: what the node estimates, and a fifth.',
  maxFeePerGas: ['Fee', 'Most wei for a unit of gas. Default: twice the base fee, and the tip.'],
  maxPriorityFeePerGas: [
    'Tip',
    'Wei for a unit of gas above the base fee. Default: the usual tip.',
  ],
  deadline:
    'With a sponsor: seconds since 1970 after which the calls are void. Default: in an hour.',
  'eth_send_transaction>gasStationNonce':
    'With a sponsor: the nonce of the calls. It must be the next one.',
  sendTransactionStatusId: ['Status ID', 'UUID to query the status of the transaction.'],
  txStatus: [
    'Status',
    'INITIALIZED: signed and stored. BROADCASTING: a node has it. INCLUDED: in a block. FAILED: it can never land.',
  ],
  'get_send_transaction_status=eth': ['Ethereum', 'The state of a transaction of Ethereum.'],
  txError: ['Error', 'Reason of the failure, or outcome of the execution.'],
  'get_send_transaction_status=error': 'The same with its parts.',
  'error.message originTxError.message': 'Reason of the failure, or outcome of the execution.',
  'get_send_transaction_status=solana': 'The state of a transaction of Solana.',
  'solana.signature': 'First signature of the transaction, its name: base58.',
  'error.solana originTxError.solana': 'How a transaction of Solana failed.',
  'solana.source': 'Where it failed: execution, in a block.',
  transactionErrorJson: ['Transaction error', 'Error that the node reports, as JSON.'],
  logs: 'What programs logged, cut off when long.',
  unitsConsumed: 'Compute units that it used: decimal.',
  innerInstructionsJson: ['Inner instructions', 'What programs called, as JSON; absent when long.'],
  'error.eth originTxError.eth': ['Ethereum', 'What contracts refused with.'],
  revertChain: ['Reverts', 'Calls that reverted, the outermost first.'],
  'revertChain.address': ['Contract', 'Address of the contract that refused.'],
  errorType:
    'Whether it is an error of Solidity (native), of an interface (custom) or neither (unknown).',
  displayMessage: ['Message', 'The refusal as a sentence.'],
  native: ['Native error', 'What Solidity itself refuses with.'],
  nativeType: 'Which of the errors of Solidity it is.',
  'native.message': 'Text that the contract returned.',
  panicCode: 'Code of a panic: hex with 0x.',
  unknown: ['Unknown error', 'What the contract returned.'],
  selector: 'First four bytes of what it returned: hex with 0x.',
  'unknown.data': 'What it returned: hex with 0x, cut off when long.',
};
