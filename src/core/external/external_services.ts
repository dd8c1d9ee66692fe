// The services outside of the enclave: the gateway fetches and sends for it. Answers are evidence,
// to be checked where that can be done; nothing here is trusted with a decision.

import type { Asset, GasStation } from '../balances/chains.ts';
import type { ChainName } from '../balances/cursor.ts';
import type { ContractRead } from '../balances/evm_questions.ts';
import type { Rewards, SwapContracts, Vault } from '../balances/market_contracts.ts';
import type { Json } from '../schema/json.ts';
import type { OutgoingMessage } from './outgoing_message.ts';

export type ExternalServices = {
  /**
   * The key set (JWKS) that an issuer publishes; `keyId` is one that has to be in it, if it exists.
   * Raises `oidc_issuer_unavailable`, `oidc_issuer_not_accepted`.
   */
  issuerKeys(issuer: string, keyId: string | undefined): Promise<Json>;
  /** Hands over a message to send, without waiting for its delivery. */
  deliver(messages: readonly OutgoingMessage[]): Promise<void>;
  /** One HTTP request to a provider of OAuth 2.0. Raises `oauth2_provider_unavailable`. */
  fetch(request: ExternalRequest): Promise<ExternalResponse>;
  /** Why webhooks may not be sent to a URL, to follow the word "refused:"; undefined where they may. */
  refusedTarget(url: string): Promise<string | undefined>;
  /** Returns true if a provider says that a person solved its puzzle. */
  verifyCaptcha(token: string, remoteAddress: string): Promise<boolean>;
  /**
   * Returns the balance of an address on a chain, by CAIP-19 in the smallest unit, of the chain's coin
   * and the listed tokens. Raises `chain_node_unavailable`.
   */
  chainAmounts(caip2: string, address: string): Promise<ReadonlyMap<string, string>>;
  /** Returns the chains whose nodes answer, and the time of the last backup, in milliseconds since 1970. */
  serviceHealth(): Promise<ServiceHealth>;
  /**
   * Returns the number of transactions that an address (lower case) has in blocks of a chain with Ethereum's
   * JSON-RPC, decimal. Raises `chain_node_unavailable`.
   */
  transactionCount(caip2: string, address: string): Promise<string>;
  /**
   * Returns the members that a transaction on a chain with Ethereum's JSON-RPC needs before it is
   * signed. Raises `chain_node_unavailable`, and `transaction_would_revert` where its gas is to be
   * estimated.
   */
  fetchEthereumFields(asked: EthereumToFill): Promise<EthereumFilled>;
  /**
   * Fetches the chain state that a sponsored transaction needs before it is signed. Raises
   * `chain_node_unavailable`, and `transaction_would_revert` if a gas estimate of a call fails.
   */
  fetchSponsoredFields(asked: SponsoredToFill): Promise<SponsoredFilled>;
  /**
   * Returns the first word of the answer of each call of a contract, as of the newest block; undefined for a
   * call that reverts or has an empty answer. Raises `chain_node_unavailable`.
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

/** JSON text, and the service's signature over it. */
type OrderToHolder = { readonly order: string; readonly signature: Uint8Array };

export type HolderAnswer = {
  /** The kind of the holder. */
  readonly heldBy: string;
  /** One for each message, as the holder made them: untrusted. */
  readonly signatures: readonly Uint8Array[];
};

type ServiceHealth = {
  readonly answering: ReadonlySet<string>;
  /** Undefined if no backup was taken from the data folder of this node. */
  readonly lastBackupAtMs: number | undefined;
};

/** Calls of contracts on a chain with Ethereum's JSON-RPC: lower-case hex with `0x`. */
type ValuesToFetch = { readonly caip2: string; readonly calls: readonly ContractRead[] };

/** Hash and account in base58, the transaction in base64. */
type SolanaToFill = {
  readonly caip2: string;
  readonly transaction: string;
  /** Its blockhash, or the nonce that an account has to hold. */
  readonly hash: string;
  readonly nonceAccount: string | undefined;
};

type SolanaFilled = {
  /** Slot and height of the chain. */
  readonly slot: number;
  readonly height: number;
  /** True if blocks still take the hash as a blockhash. */
  readonly isRecent: boolean;
  /** The nonce in the nonce account, if the transaction has one: base58. */
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
  /** Number of the sender's transactions in blocks. */
  readonly used: bigint;
  /** In wei per unit of gas: the base fee of the next block, and the recent priority fees. */
  readonly baseFee: bigint;
  readonly tip: bigint;
  /** Undefined where it was not to be estimated. */
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
  /** Code in lower-case hex with `0x`. */
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

/** A chain that the operator named, without the address of its node. */
export type DeployedChain = ChainName & {
  readonly assets: readonly Asset[];
  readonly gasStation: GasStation | undefined;
  readonly vaults: readonly Vault[];
  readonly swaps: SwapContracts | undefined;
  readonly rewards: Pick<Rewards, 'distributor'> | undefined;
};

/** The settings of the deployment that the enclave receives when it starts. */
export type Deployment = {
  /** Public address of the service: the issuer of its own OIDC tokens. Without a slash at the end. */
  readonly publicUrl: string;
  /** Test contacts and other conveniences that are no good in production. */
  readonly isDevelopment: boolean;
  /** True if there is something that delivers. */
  readonly sendsEmail: boolean;
  readonly sendsSms: boolean;
  /** Allowed prefixes of the recipients of text messages. Default: any. */
  readonly smsPrefixes: readonly string[] | undefined;
  /** True if webhooks also carry the headers of the public clients. */
  readonly compatibleWebhooks: boolean;
  /** Accepted issuers of OIDC tokens besides the service itself, compared exactly. Default: any. */
  readonly oidcIssuers: readonly string[] | undefined;
  /** True if verification tokens that name no key are issued and taken. */
  readonly acceptsUnboundTokens: boolean;
  /** True if ID tokens register accounts regardless of the key they name. */
  readonly acceptsUnboundIdentities: boolean;
  /** True if a request with a member that no operation knows is refused. */
  readonly refusesUnknownMembers: boolean;
  /** The site key of captchas, if the operator configured a provider. */
  readonly captchaSiteKey: string | undefined;
  /** The chains that can be asked, with the coin and the tokens of each. */
  readonly chains: readonly DeployedChain[];
};
