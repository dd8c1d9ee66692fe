// The path of a request to the onboarding proxy. The request carries no stamp, only the id of a
// configuration. The proxy submits activities for it in the name of the proxy's user: with that user's
// stamp and vote, decided by the policies of the organization.

import { isOpen } from '../core/activity/activity.ts';
import { base64url, hex, utf8 } from '../core/base/bytes.ts';
import { identityMethods } from '../core/base/enums.ts';
import { p256 } from '../core/crypto/p256.ts';
import { derOfEcdsaSignature } from '../core/crypto/signature_der.ts';
import { assert, fail, ServiceError } from '../core/errors/errors.ts';
import { unknownOperation } from '../core/errors/unknown_operation.ts';
import type { AuthProxyConfig } from '../core/organization/model.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import { isUuid } from '../core/schema/formats.ts';
import type { JsonObject } from '../core/schema/json.ts';
import { checkMembers, memberNamesOf, warningsOfIgnored } from '../core/schema/unknown_members.ts';
import { validatorOf } from '../core/schema/validator.ts';
import { whyProxyIsOff } from '../core/settings/auth_proxy.ts';
import { acceptsOrigin, completeSettings } from '../core/settings/auth_proxy_settings.ts';
import { PolicyRefusedError } from '../core/views/policy_refused_error.ts';
import type { Acted, ActMore, ProxyCall } from '../operations/auth_proxy/proxy_operation.ts';
import { activityOperations, proxyOperations } from '../operations/index.ts';
import type { SubmitAnswer } from './answer.ts';
import type { Catalog } from './catalog.ts';
import { findChildByCredential } from './children.ts';
import { parseBodyInParts } from './parse_body.ts';
import type { Ports, Request } from './ports.ts';
import { verifyIdToken } from './verify_id_token.ts';

/** An admitted request. */
type Entered = {
  /** The origin of the page, which may read every answer. */
  readonly origin: string | undefined;
  readonly answer: () => Promise<{
    readonly body: JsonObject;
    readonly organizationId: string;
    /** The omitted members of the request. */
    readonly ignored: readonly string[];
  }>;
};

type Submit = (request: Request) => Promise<SubmitAnswer>;

/** A request with its configuration. */
type Configured = {
  readonly request: Request;
  readonly config: AuthProxyConfig;
  readonly state: OrganizationState;
};

/**
 * Admits requests by the origin of their page. Raises `operation_unknown`, `header_invalid`,
 * `proxy_config_not_found`, `proxy_origin_not_allowed`.
 */
export function createProxy(
  submit: Submit,
  catalog: Pick<Catalog, 'memberNames'>,
  ports: Ports,
): (request: Request) => Promise<Entered> {
  const names = memberNamesOf(Object.values(proxyOperations).map(({ body }) => body));
  const knownNames = new Set([...names, ...catalog.memberNames]);
  const tolerance = ports.deployment.refusesUnknownMembers ? undefined : { knownNames };
  return async (request) => {
    const operation = proxyOperations[request.operation];
    if (operation === undefined) {
      throw unknownOperation(request.operation, Object.keys(proxyOperations));
    }
    const configured = { request, ...(await findConfig(request, ports)) };
    const { config, state } = configured;
    const settings = completeSettings(config.settings);
    const origin = onlyHeader(request, 'origin', 'Origin');
    if (!acceptsOrigin(settings, origin)) {
      fail('proxy_origin_not_allowed', { origin: (origin ?? '').slice(0, 255) });
    }
    const answer = async () => {
      const reason = whyProxyIsOff(config, viewOf(state));
      if (reason !== undefined) fail('proxy_stopped', { reason });
      const { body: bytes } = request;
      const sent = bytes.length === 0 ? {} : await parseBodyInParts(bytes, ports.pause);
      const checked = { schema: operation.body, validate: validatorOf(operation.body) };
      const { value: body, ignored } = checkMembers(checked, sent, '', tolerance);
      if (operation.takesCaptcha === true && settings.captchaEnabled) {
        await requireCaptcha(request, ports);
      }
      const call = callOf(configured, submit, ports);
      const answered = await operation.answer(call, body);
      const warnings = ignored.length === 0 ? {} : { warnings: warningsOfIgnored(ignored) };
      return { body: { ...answered, ...warnings }, organizationId: state.id, ignored };
    };
    return { origin, answer };
  };
}

/** Returns the calls that an operation may make for this request. */
function callOf(configured: Configured, submit: Submit, ports: Ports): ProxyCall {
  const { config, state } = configured;
  const settings = completeSettings(config.settings);
  const child = async (organizationId: string) => {
    const { state: found } = await ports.repository.organization(organizationId.toLowerCase());
    const isChild = found?.parentId === state.id && found.head.deletedAtMs === undefined;
    return isChild ? viewOf(found) : fail('organization_not_found', { organizationId });
  };
  return {
    deployment: ports.deployment,
    serviceKeys: ports.serviceKeys,
    now: ports.clock(),
    organization: viewOf(state),
    settings,
    act: (operation, parameters, more = {}) =>
      act({ operation, parameters, organizationId: state.id, ...more }, configured, submit, ports),
    childWith: (index, value) =>
      findChildByCredential(state.id, { index, value }, 'what was asked for', ports),
    child,
    requireChild: async (organizationId) => (await child(organizationId)).id,
    verifyIdToken: (token) => verifyIdToken(token, ports),
    requireMethod: (method) => {
      if (settings.allowedAuthMethods.includes(method)) return;
      // Public clients recognize the words OAUTH disallowed.
      const kind = identityMethods.some((each) => each === method) ? 'OAUTH' : method.toUpperCase();
      fail('proxy_method_not_allowed', { kind, method });
    },
  };
}

/** Submits one activity with the proxy's stamp, on the path of all activities. */
async function act(
  requested: ActMore & {
    readonly operation: string;
    readonly parameters: JsonObject;
    readonly organizationId: string;
  },
  { request: { remoteAddress }, config, state }: Configured,
  submit: Submit,
  ports: Ports,
): Promise<Acted> {
  const { operation: name, type, ...content } = requested;
  const operation = activityOperations[name];
  if (operation === undefined) return fail('feature_unavailable', { what: name });
  const wire = [operation, ...operation.older]
    .map((version) => version.wire)
    .find((each) => type === undefined || each.type === type);
  assert(wire !== undefined, 'the proxy names types that there are');
  const timestampMs = String(ports.clock());
  const body = utf8(JSON.stringify({ type: wire.type, timestampMs, ...content }));
  const request: Request = {
    operation: name,
    headers: [{ name: 'x-stamp', value: stampOf(body, config, state.id, ports) }],
    timestampObjects: false,
    remoteAddress,
    isOwn: true,
    body,
  };
  const { activity } = await submit(request).catch(inWordsOfTheProxy);
  assert(activity !== undefined, 'a submit makes an activity');
  if (isOpen(activity)) fail('proxy_waits', { activityId: activity.id });
  const { appProofs } = activity;
  return {
    result: activity.result[wire.result] as JsonObject,
    ...(appProofs === undefined ? {} : { appProofs }),
  };
}

/** Returns the stamp of the proxy's user over a body. */
function stampOf(
  body: Uint8Array,
  config: AuthProxyConfig,
  organizationId: string,
  ports: Ports,
): string {
  const signature = ports
    .keyring(organizationId)
    .useHeldKey('auth_proxy', config, (key) => p256.sign(key, ports.sha256(body)));
  const stamp = {
    publicKey: config.publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    signature: hex(derOfEcdsaSignature(signature)),
  };
  return base64url(utf8(JSON.stringify(stamp)));
}

/** Returns the configuration that a request names, and its organization. */
async function findConfig(
  request: Request,
  { repository }: Ports,
): Promise<{ readonly config: AuthProxyConfig; readonly state: OrganizationState }> {
  const header = 'X-Auth-Proxy-Config-Id';
  const given = onlyHeader(request, 'x-auth-proxy-config-id', header);
  if (given === undefined || !isUuid(given)) fail('header_invalid', { header, expected: 'a UUID' });
  const configId = given.toLowerCase();
  const organizationId = await repository.proxyOrganization(configId);
  const found =
    organizationId === undefined ? undefined : await repository.organization(organizationId);
  const state = found?.state;
  // The store's answer is not verified; the sealed configuration is.
  const config = state?.records.auth_proxy_config.get(configId);
  if (state === undefined || config === undefined) fail('proxy_config_not_found', { configId });
  return { config, state };
}

async function requireCaptcha(request: Request, { external }: Ports): Promise<void> {
  const token = onlyHeader(request, 'x-captcha-token', 'X-Captcha-Token');
  const isSolved =
    token !== undefined && (await external.verifyCaptcha(token, request.remoteAddress));
  if (!isSolved) fail('captcha_not_solved');
}

function onlyHeader(request: Request, name: string, shown: string): string | undefined {
  const [only, second] = request.headers.filter((header) => header.name === name);
  if (second !== undefined) fail('header_invalid', { header: shown, expected: 'it once' });
  return only?.value;
}

/** Raises a refusal without details, because a stranger must not see policies or parameters. */
function inWordsOfTheProxy(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  if (error instanceof PolicyRefusedError) {
    fail('proxy_stopped', { reason: 'the policies of the organization do not allow it' });
  }
  const plain = (path: string) => path.replace(/^parameters\.(rootUsers\.0\.)?/, '');
  const { field } = error.details;
  const details = typeof field === 'string' ? { field: plain(field) } : {};
  const violations = error.fieldViolations.map((violation) => ({
    ...violation,
    field: plain(violation.field),
  }));
  throw new ServiceError(error.code, { ...error.details, ...details }, violations);
}
