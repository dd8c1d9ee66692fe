// Operations of the onboarding proxy: the form of the body, and the answer within the proxy's authority.

import type { OidcClaims } from '../../core/auth/oidc_token.ts';
import type { AuthMethod } from '../../core/base/enums.ts';
import type { ServiceKeys } from '../../core/crypto/service_keys.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { AppProof } from '../../core/organization/records/activity.ts';
import type { OrganizationView } from '../../core/organization/state.ts';
import type { JsonObject } from '../../core/schema/json.ts';
import type { TSchema, ValueOfSchema } from '../../core/schema/schema.ts';
import type { CompleteSettings } from '../../core/settings/auth_proxy_settings.ts';
import type { ChildIndex } from '../reader.ts';

/** The calls that an operation may make, all with the authority of the proxy's user. */
export type ProxyCall = {
  readonly deployment: Deployment;
  readonly serviceKeys: ServiceKeys;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The organization of the proxy. */
  readonly organization: OrganizationView;
  readonly settings: CompleteSettings;
  /** Submits an activity in the name of the proxy's user. Raises the activity's errors. */
  act(operation: string, parameters: JsonObject, more?: ActMore): Promise<Acted>;
  /** Returns the one child of the organization with this value. Raises `credential_ambiguous`. */
  childWith(index: ChildIndex, value: string): Promise<string | undefined>;
  /** Returns the state of an existing child. Raises `organization_not_found`. */
  child(organizationId: string): Promise<OrganizationView>;
  /** Rejects an id that is not that of an existing child. Raises `organization_not_found`. */
  requireChild(organizationId: string): Promise<string>;
  /** Raises `oidc_token_invalid`, `oidc_issuer_unavailable`, `oidc_issuer_not_accepted`. */
  verifyIdToken(token: string): Promise<OidcClaims>;
  /** Rejects a login method that the settings do not allow. Raises `proxy_method_not_allowed`. */
  requireMethod(method: AuthMethod): void;
};

export type ActMore = {
  /** An activity type older than the newest. Default: the newest. */
  readonly type?: string;
  /** The child in which the activity runs. Default: the proxy's organization. */
  readonly organizationId?: string;
  /** True if the request asks for proofs. */
  readonly generateAppProofs?: boolean;
};

export type Acted = { readonly result: JsonObject; readonly appProofs?: readonly AppProof[] };

/** An operation at `POST /v1/<name>`. */
export type ProxyOperation = {
  readonly kind: 'proxy';
  readonly summary: string;
  readonly body: TSchema;
  readonly response: TSchema;
  /** The operation requires a solved captcha if the settings say so. */
  readonly takesCaptcha?: true;
  readonly answer: (call: ProxyCall, body: JsonObject) => Promise<JsonObject>;
};

/**
 * Declares an operation of the proxy; the validator has checked the body against the schema that
 * types it.
 */
export function proxy<B extends TSchema, A extends TSchema>(definition: {
  readonly summary: string;
  readonly body: B;
  readonly response: A;
  readonly takesCaptcha?: true;
  readonly answer: (
    call: ProxyCall,
    body: ValueOfSchema<B>,
  ) => Promise<ValueOfSchema<A>> | ValueOfSchema<A>;
}): ProxyOperation {
  return { kind: 'proxy', ...definition } as unknown as ProxyOperation;
}
