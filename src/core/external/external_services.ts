// What the enclave may ask of the world: the gateway fetches and sends for it. Answers are evidence,
// to be checked where that can be done; nothing here is trusted with a decision.

import type { Asset } from '../balances/chains.ts';
import type { Json } from '../schema/json.ts';
import type { OutgoingMessage } from './outgoing_message.ts';

export type ExternalServices = {
  /**
   * The key set (JWKS) that an issuer publishes; `keyId` is one that has to be in it, if it exists.
   * Raises `oidc_issuer_unavailable`, `oidc_issuer_not_accepted`.
   */
  issuerKeys(issuer: string, keyId: string | undefined): Promise<Json>;
  /** Hands over what is to be sent; delivery is not waited for. */
  deliver(messages: readonly OutgoingMessage[]): Promise<void>;
  /** One HTTP request to a provider of OAuth 2.0. Raises `oauth2_provider_unavailable`. */
  fetch(request: ExternalRequest): Promise<ExternalResponse>;
  /** Why webhooks may not be sent to a URL, to follow the word "refused:"; undefined where they may. */
  refusedTarget(url: string): Promise<string | undefined>;
  /** Whether a provider says that a person solved its puzzle. */
  verifyCaptcha(token: string, remoteAddress: string): Promise<boolean>;
  /**
   * What an address holds on a chain now, by CAIP-19 in the smallest unit, of the chain's coin and the
   * listed tokens. Raises `chain_node_unavailable`.
   */
  chainAmounts(caip2: string, address: string): Promise<ReadonlyMap<string, string>>;
  /**
   * How many transactions an address (lower case) sent that are in blocks of a chain with Ethereum's
   * JSON-RPC, decimal. Raises `chain_node_unavailable`.
   */
  transactionCount(caip2: string, address: string): Promise<string>;
};

export type ExternalRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type ExternalResponse = { readonly status: number; readonly body: Uint8Array };

/** A chain that the operator named, without the address of its node. */
export type DeployedChain = { readonly caip2: string; readonly assets: readonly Asset[] };

/** What the enclave is told of its deployment when it starts. */
export type Deployment = {
  /** Where clients reach the service: the issuer of its own OIDC tokens. No slash at the end. */
  readonly publicUrl: string;
  /** Test contacts and other conveniences that are no good in production. */
  readonly isDevelopment: boolean;
  /** Whether there is something that delivers. */
  readonly sendsEmail: boolean;
  readonly sendsSms: boolean;
  /** How numbers begin that text messages may go to; undefined: any. */
  readonly smsPrefixes: readonly string[] | undefined;
  /** Whether webhooks carry the headers of the public clients beside the specified ones. */
  readonly compatibleWebhooks: boolean;
  /** Whose OIDC tokens are accepted beside the service's own, to the letter; undefined: anybody's. */
  readonly oidcIssuers: readonly string[] | undefined;
  /** Whether verification tokens that name no key are issued and taken. */
  readonly acceptsUnboundTokens: boolean;
  /** Whether ID tokens register accounts for whoever sends them, whatever key they name. */
  readonly acceptsUnboundIdentities: boolean;
  /** What pages show captchas with, where there is a provider of them. */
  readonly captchaSiteKey: string | undefined;
  /** The chains that can be asked, with the coin and the tokens of each. */
  readonly chains: readonly DeployedChain[];
};
