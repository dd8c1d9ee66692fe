// Names the shapes that the OpenAPI document repeats, so that generated clients have one type for a wallet
// instead of one for each answer with wallets.

import { activityOperations, queryOperations } from '../index.ts';
import { described } from '../vocabulary/index.ts';

/** The members of a JSON Schema in the document. */
type Schema = {
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

/** Shapes by name, and the place of each: operation, schema, and members. */
const places: Readonly<Record<string, string>> = {
  Activity: 'get_activity response activity',
  Vote: 'get_activity response activity votes',
  Failure: 'get_activity response activity failure',
  Explanation: 'get_activity response activity explanation',
  Timestamp: 'get_wallet response wallet createdAt',
  User: 'get_user response user',
  ApiKey: 'get_api_key response apiKey',
  Authenticator: 'get_authenticator response authenticator',
  Credential: 'get_api_key response apiKey credential',
  OauthProvider: 'get_user response user oauthProviders',
  MfaPolicy: 'get_mfa_policy response mfaPolicy',
  RequiredAuthenticationMethods: 'get_mfa_policy response mfaPolicy requiredAuthenticationMethods',
  AuthenticationMethod: 'get_mfa_policy response mfaPolicy requiredAuthenticationMethods any',
  Tag: 'list_user_tags response userTags',
  Wallet: 'get_wallet response wallet',
  WalletAccount: 'get_wallet_account response account',
  PrivateKey: 'get_private_key response privateKey',
  PrivateKeyAddress: 'get_private_key response privateKey addresses',
  Policy: 'get_policy response policy',
  VelocityControl: 'get_velocity_control response velocityControl',
  VelocityControlDataSource: 'get_velocity_control response velocityControl dataSource',
  VelocityControlAggregation: 'get_velocity_control response velocityControl aggregation',
  SmartContractInterface: 'get_smart_contract_interface response smartContractInterface',
  Oauth2Credential: 'get_oauth2_credential response oauth2Credential',
  SessionProfile: 'get_session_profile response sessionProfile',
  Feature: 'get_organization_configs response configs features',
  WebhookEndpoint: 'list_webhook_endpoints response webhookEndpoints',
  AppProof: 'list_app_proofs response appProofs',
  BootProof: 'get_boot_proof response bootProof',
  TvcApp: 'get_tvc_app response tvcApp',
  TvcDeployment: 'get_tvc_deployment response tvcDeployment',
  TvcOperator: 'list_tvc_operators response tvcOperators',
  TvcOperatorSet: 'get_tvc_app response tvcApp manifestSet',
  PaginationOptions: 'list_activities body paginationOptions',
  WalletAccountParams: 'create_wallet parameters accounts',
  WalletParams: 'create_sub_organization parameters wallet',
  PrivateKeyParams: 'create_private_keys parameters privateKeys',
  ApiKeyParams: 'create_api_keys parameters apiKeys',
  AuthenticatorParams: 'create_authenticators parameters authenticators',
  Attestation: 'create_authenticators parameters authenticators attestation',
  OauthProviderParams: 'create_oauth_providers parameters oauthProviders',
  PolicyParams: 'create_policies parameters policies',
  EmailCustomization: 'init_otp parameters emailCustomization',
  ClientSignature: 'otp_login parameters clientSignature',
  MailCustomization: 'email_auth parameters emailCustomization',
  AuthProxySettings: 'get_auth_proxy_config response settings',
  WalletKitSettings: 'get_auth_proxy_config response settings walletKitSettings',
  EvaluatedPolicy: 'simulate_policies response decisions policies',
  EvaluatedClause: 'simulate_policies response decisions policies clauses',
  NamedValue: 'get_activity response activity explanation effects arguments',
  MfaStatus: 'get_mfa_status response mfaStatuses',
  RootQuorum: 'get_organization_configs response configs quorum',
  HistoryTransfer: 'list_eth_transaction_history response transactions transfers',
  DisplayedAmount: 'get_wallet_address_balances response balances display',
  PageInfo: 'list_velocity_controls response pageInfo',
  SoftwareStatement: 'get_boot_proof response bootProof softwareStatement',
  TvcOperatorSetParams: 'create_tvc_app parameters manifestSetParams',
  WebhookSubscription: 'create_webhook_endpoint parameters subscriptions',
};

type SharedComponents = {
  /** The shapes by name, and enumerations by the common prefix of their values. */
  readonly schemas: Readonly<Record<string, object>>;
  /** Returns a part of the document whose equal shapes below the top are references. */
  readonly refer: (part: object) => object;
};

/** Returns the components for a document with these parts. */
export function sharedComponents(parts: readonly object[]): SharedComponents {
  const shapes = { ...namedShapes(), ...namedEnumerations(parts) };
  const names = new Map(Object.entries(shapes).map(([name, shape]) => [formOf(shape), name]));
  const refer = (part: object): object =>
    mapBelow(part, (below) => {
      const name = names.get(formOf(below));
      if (name === undefined) return refer(below);
      const { title, description }: Schema = below;
      return {
        $ref: `#/components/schemas/${name}`,
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
      };
    });
  // The title and description of a member do not describe its shape.
  const schemas = Object.entries(shapes).map(
    ([name, { title: _, description: __, ...shape }]) => [name, refer(shape)] as const,
  );
  return { schemas: Object.fromEntries(schemas), refer };
}

/** Returns the shapes by name, with the descriptions of their members. */
export function namedShapes(): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(places).map(([name, place]) => [name, shapeAt(place)]));
}

/** Returns the shape of the member at a place, or of its items. */
function shapeAt(place: string): Schema {
  const [operation = '', part = '', ...members] = place.split(' ');
  const found = members.reduce<Schema | undefined>(
    (shape, member) => {
      const { properties } = shape ?? {};
      return properties?.[member]?.items ?? properties?.[member];
    },
    schemaOf(operation, part),
  );
  if (found === undefined) throw new Error(`no such place: ${place}`);
  return found;
}

function schemaOf(operation: string, part: string): Schema | undefined {
  const { body, response } = queryOperations[operation] ?? {};
  const { parameters } = activityOperations[operation] ?? {};
  if (part === 'body') return body && described(operation, part, body);
  if (part === 'response') return response && described(operation, part, response);
  return parameters && described(operation, 'parameters', parameters);
}

function namedEnumerations(parts: readonly object[]): Readonly<Record<string, Schema>> {
  const named: Record<string, Schema> = {};
  const visit = (part: object): object => {
    const { enum: values = [] }: Schema = part;
    const name = values.length > 1 ? pascalCase(commonWords(values)) : '';
    if (name !== '') {
      named[name] ??= part;
    }
    return mapBelow(part, visit);
  };
  parts.forEach(visit);
  return named;
}

/** Returns the common prefix words of all values, such as `ACTIVITY_STATUS`; empty without any. */
function commonWords(values: readonly string[]): string {
  const words = values.map((value) => value.split('_'));
  const [first = []] = words;
  const length = first.findIndex((word, i) => words.some((other) => other[i] !== word));
  return first.slice(0, Math.max(length, 0)).join('_');
}

/** Converts `CREATE_WALLET` to `CreateWallet`. */
export function pascalCase(words: string): string {
  return words
    .toLowerCase()
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
}

/** Returns the same text for schemas that accept the same values, whatever their titles and descriptions. */
function formOf(schema: object): string {
  return JSON.stringify(withoutTexts(schema));
}

function withoutTexts(schema: object): object {
  const { title: _, description: __, ...form }: Schema = schema;
  const { properties } = form;
  const sorted = properties && Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  return mapBelow(
    { ...form, ...(sorted === undefined ? {} : { properties: Object.fromEntries(sorted) }) },
    withoutTexts,
  );
}

/** Maps each object directly below a part; members of `properties` are directly below. */
function mapBelow(part: object, map: (below: object) => object): object {
  const mapped = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mapped);
    return typeof value === 'object' && value !== null ? map(value) : value;
  };
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      name === 'properties' ? mapValues(value, mapped) : mapped(value),
    ]),
  );
}

function mapValues(members: object, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]));
}
