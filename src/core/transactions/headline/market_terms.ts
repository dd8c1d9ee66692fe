// The terms of deposits, withdrawals and swaps.

/** The terms of a request to a market. Amounts are in the smallest unit. */
export type MarketTerms = {
  readonly kind: 'deposit' | 'withdraw' | 'swap';
  /** Undefined for a withdrawal of everything. */
  readonly amount: bigint | undefined;
  /** The contract of a token, the coin of the chain, or a description of an unknown token. */
  readonly asset: string;
  /** The minimum output of a swap. */
  readonly least?: { readonly amount: bigint; readonly asset: string };
  readonly from: string;
  readonly to: string;
  /** The name of the vault as reported by the service. */
  readonly vaultName?: string | undefined;
};

/** Vaults and the account of a quote as reported by a service, which may be lying. */
export type ReportedMarket = {
  readonly vaults?: readonly ReportedVault[] | undefined;
  /** The account of the quote in a swap. */
  readonly quoteSigner?: string | undefined;
};

type ReportedVault = {
  readonly wrapperAddress: string;
  readonly caip19: string;
  readonly name: string;
};
