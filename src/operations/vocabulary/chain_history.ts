import type { MemberTexts } from './member_text.ts';

/** Observed transactions of an address. */
export const chainHistoryTexts: MemberTexts = {
  'list_eth_transaction_history?address list_sol_transaction_history?address':
    'Address of a wallet account.',
  transactions: 'Transactions of the address, newest first.',
  'transactions.transactionHash': 'Hash of the transaction: 0x and 64 hex digits.',
  'transactions.signature': 'First signature of the transaction, its name: base58.',
  'transactions.from': 'Address that sent the transaction.',
  'transactions.to':
    'Address that was paid or called; absent if the transaction created a contract.',
  'transactions.feePayer': 'Address that paid the fee: the first signer.',
  'transactions.signers': 'Addresses that signed, in the order of the transaction.',
  'signers.address': 'Address of the signer.',
  'signers.writable': 'Whether the transaction could change the account.',
  'transactions.block': 'Block that the transaction is in.',
  'block.number': 'Number of the block, on Solana its slot: decimal.',
  'block.hash': 'Hash of the block.',
  'block.timestamp': ['Time', 'Time of the block in ISO 8601.'],
  'transactions.status':
    'CONFIRMED: in a block that may still be replaced. FINALIZED: in a final block.',
  'transactions.origin':
    'TURNKEY: the organization sent it through this service. EXTERNAL: all others.',
  executionFailed: 'True if only the fee was paid; otherwise absent.',
  'transactions.fee': 'Fee that the sender or fee payer paid.',
  'fee.amount': 'Fee in the smallest unit of the coin: decimal.',
  'fee.caip19': 'CAIP-19 name of the coin; empty if the chain has none.',
  transfers: 'Transfers to and from the address, one for each asset and direction.',
  direction: 'IN: to the address. OUT: from the address.',
  'transfers.asset': 'Transferred asset; absent if it is no longer configured.',
  'asset.name': 'Name of the asset.',
  'transfers.amount': 'Amount in the smallest unit of the asset: decimal.',
  counterparty: 'Address of the other party; empty if several or none are known.',
  'transfers.display': 'Amount for people.',
  turnkey: ['Sending', 'Details of a transaction that the organization sent.'],
  sponsored: 'True if a sponsor paid the fee.',
  activityFingerprint: ['Fingerprint', 'Fingerprint of the activity that sent it.'],
  submittedAt: ['Sent at', 'Time when it was signed to be sent, in ISO 8601.'],
};
