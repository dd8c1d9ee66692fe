// Settings of an organization for yields and swaps, which hold for its sub-organizations too.

export type MarketSettings = {
  /** The fee of swaps. Optional; only parents have one. */
  readonly swapFee?: SwapFee;
  /** Addresses of vaults that are closed for deposits: lower-case hex with `0x`. Optional. */
  readonly closedVaults?: readonly string[];
};

export type SwapFee = {
  /** Share of the output in basis points. */
  readonly bps: number;
  /** The organization's account that receives the share: lower-case hex with `0x`. */
  readonly receiver: string;
};
