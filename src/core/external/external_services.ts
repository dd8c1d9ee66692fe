// Services outside the enclave, through which the gateway fetches and sends. The enclave verifies answers if
// possible, and trusts none with a decision.

import type { Asset, GasStation } from '../balances/chains.ts';
import type { ChainName } from '../balances/cursor.ts';
import type { ContractRead } from '../balances/evm_questions.ts';
import type { Rewards, SwapContracts, Vault } from '../balances/market_contracts.ts';
import type { Json } from '../schema/json.ts';
import type { OutgoingMessage } from './outgoing_message.ts';

export type ExternalServices = {
  /**
   * Fetches the key set (JWKS) of an issuer; `keyId` is the key that it should contain. Raises
   * `oidc_issuer_unavailable` and `oidc_issuer_not_accepted`.
   */
  issuerKeys(issuer: string, keyId: string | undefined): Promise<Json>;
  /** Queues messages, without waiting for their delivery. */
  deliver(messages: readonly OutgoingMessage[]): Promise<void>;
  /** Sends one HTTP request to an OAuth 2.0 provider. Raises `oauth2_provider_unavailable`. */
  fetch(request: ExternalRequest): Promise<ExternalResponse>;
  /** Returns why webhooks may not be sent to a URL, to follow the word "refused:"; undefined if they may. */
  refusedTarget(url: string): Promise<string | undefined>;
  /** Returns true if the captcha provider accepts the token. */
  verifyCaptcha(token: string, remoteAddress: string): Promise<boolean>;
  /**
   * Returns the balance of an address on a chain, by CAIP-19 in the smallest unit, of the chain's coin
   * and the listed tokens. Raises `chain_node_unavailable`.
   */
  chainAmounts(caip2: string, address: string): Promise<ReadonlyMap<string, string>>;
  /** Returns the chains whose nodes answer, and the time of the last backup, in milliseconds since 1970. */
  serviceHealth(): Promise<ServiceHealth>;
  /**
   * Returns the number of mined transactions of an address (lower case) on a chain with Ethereum's JSON-RPC,
   * decimal. Raises `chain_node_unavailable`.
   */
  transactionCount(caip2: string, address: string): Promise<string>;
  /**
   * Fetches the missing members of a transaction on a chain with Ethereum's JSON-RPC. Raises
   * `chain_node_unavailable`, and `transaction_would_revert` if a gas estimate fails.
   */
  fetchEthereumFields(asked: EthereumToFill): Promise<EthereumFilled>;
  /**
   * Fetches the chain state that a sponsored transaction needs before it is signed. Raises
   * `chain_node_unavailable`, and `transaction_would_revert` if a gas estimate of a call fails.
   */
  fetchSponsoredFields(asked: SponsoredToFill): Promise<SponsoredFilled>;
  /**
   * Returns the first word of each contract call's result in the newest block; undefined for a reverted call
   * or an empty result. Raises `chain_node_unavailable`.
   */
  fetchContractValues(asked: ValuesToFetch): Promise<readonly (bigint | undefined)[]>;
  /**
   * Returns the rewards of an address (lower case) on a chain, as the source of the operator publishes them:
   * JSON, not verified. Raises `rewards_unavailable`.
   */
  fetchRewards(asked: { readonly caip2: string; readonly address: string }): Promise<string>;
  /**
   * Returns the lifetime of a Solana transaction. Raises `chain_node_unavailable`, and
   * `transaction_would_revert` if its simulation fails.
   */
  fetchSolanaFields(asked: SolanaToFill): Promise<SolanaFilled>;
  /** Hands an order to the holder of an external key. Raises `external_signer_unavailable`. */
  orderSignatures(order: OrderToHolder): Promise<HolderAnswer>;
};

/** JSON text with the service's signature. */
type OrderToHolder = { readonly order: string; readonly signature: Uint8Array };

export type HolderAnswer = {
  /** The kind of the holder. */
  readonly heldBy: string;
  /** The holder's signatures, one for each message; not verified. */
  readonly signatures: readonly Uint8Array[];
};

type ServiceHealth = {
  readonly answering: ReadonlySet<string>;
  /** Undefined if this node's data folder has no backup. */
  readonly lastBackupAtMs: number | undefined;
};

/** Calls of contracts on a chain with Ethereum's JSON-RPC: lower-case hex with `0x`. */
type ValuesToFetch = { readonly caip2: string; readonly calls: readonly ContractRead[] };

/** Hash and account in base58, the transaction in base64. */
type SolanaToFill = {
  readonly caip2: string;
  readonly transaction: string;
  /** Its blockhash, or the nonce that its nonce account must contain. */
  readonly hash: string;
  readonly nonceAccount: string | undefined;
};

type SolanaFilled = {
  /** Slot and height of the chain. */
  readonly slot: number;
  readonly height: number;
  /** True if blocks still accept the hash as a recent blockhash. */
  readonly isRecent: boolean;
  /** The current nonce of the nonce account (base58), if the transaction uses one. */
  readonly nonce: string | undefined;
};

/** Addresses and data in lower-case hex with `0x`, the amount in wei. */
type EthereumToFill = {
  readonly caip2: string;
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly estimatesGas: boolean;
};

export type EthereumFilled = {
  /** Number of the sender's mined transactions. */
  readonly used: bigint;
  /** In wei per unit of gas: the base fee of the next block, and the recent priority fees. */
  readonly baseFee: bigint;
  readonly tip: bigint;
  /** Undefined if no estimate was requested. */
  readonly gas: bigint | undefined;
};

/** A sponsored transaction: `sponsor` pays for the calls of `from`. */
type SponsoredToFill = {
  readonly caip2: string;
  readonly sponsor: string;
  readonly from: string;
  readonly station: Pick<GasStation, 'address' | 'delegate'>;
  readonly calls: readonly Pick<EthereumToFill, 'to' | 'value' | 'data'>[];
  readonly estimatesGas: boolean;
};

/** The nonce and fees of the sponsor, and the state of the sender and of the contracts. */
export type SponsoredFilled = EthereumFilled & {
  /** Number of the sender's transactions and authorizations in blocks. */
  readonly usedBySender: bigint;
  readonly stationNonce: bigint;
  /** Code of the sender in lower-case hex with `0x`. */
  readonly senderCode: string;
  readonly stationCode: string;
  readonly delegateCode: string;
};

export type ExternalRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type ExternalResponse = { readonly status: number; readonly body: Uint8Array };

/** A chain in the operator's setting, without the addresses of its nodes. */
export type DeployedChain = ChainName & {
  readonly assets: readonly Asset[];
  readonly gasStation: GasStation | undefined;
  readonly vaults: readonly Vault[];
  readonly swaps: SwapContracts | undefined;
  readonly rewards: Pick<Rewards, 'distributor'> | undefined;
};

/** The settings of the deployment that the enclave receives when it starts. */
export type Deployment = {
  /** Public URL of the service without a trailing slash; the issuer of its OIDC tokens. */
  readonly publicUrl: string;
  /** Enables test contacts and other conveniences that are unsafe in production. */
  readonly isDevelopment: boolean;
  /** True if a channel for e-mail is configured. */
  readonly sendsEmail: boolean;
  readonly sendsSms: boolean;
  /** Allowed prefixes of the recipients of text messages. Default: any. */
  readonly smsPrefixes: readonly string[] | undefined;
  /** True if webhooks also carry the headers of the public clients. */
  readonly compatibleWebhooks: boolean;
  /** Accepted issuers of OIDC tokens besides the service itself, compared exactly. Default: any. */
  readonly oidcIssuers: readonly string[] | undefined;
  /** True if verification tokens without a key are issued and accepted. */
  readonly acceptsUnboundTokens: boolean;
  /** True if ID tokens register accounts regardless of the key they name. */
  readonly acceptsUnboundIdentities: boolean;
  /** True if requests with unknown members are rejected. */
  readonly refusesUnknownMembers: boolean;
  /** The site key of captchas, if the operator configured a provider. */
  readonly captchaSiteKey: string | undefined;
  /** The configured chains, with their coin and tokens. */
  readonly chains: readonly DeployedChain[];
};
