// Requests to the onboarding proxy, as pages send them, and the organization behind it.

import assert from 'node:assert/strict';
import { textOfUtf8, utf8 } from '../../../src/core/base/bytes.ts';
import { startTestService, type TestAnswer, type TestService } from '../../support/harness.ts';

/** Starts a service whose first organization has its proxy enabled. */
export const startProxyService = (
  options: NonNullable<Parameters<typeof startTestService>[0]> = {},
): Promise<TestService> => startTestService({ enablesAuthProxy: true, ...options });

export type ProxyAnswer = TestAnswer & { readonly allowedOrigin: string | undefined };

/** The headers of a page. The default configuration is that of the first organization. */
export type ProxyHeaders = {
  readonly configId?: string | undefined;
  readonly origin?: string;
  readonly captchaToken?: string;
};

let serial = 0;

/** Sends a request of a page; without a body it sends no bytes. */
export async function callProxy(
  service: TestService,
  operation: string,
  body?: object | Uint8Array,
  headers: ProxyHeaders = {},
): Promise<ProxyAnswer> {
  serial += 1;
  // Two equal requests are sent at two times.
  service.advance(1);
  const sent = {
    'x-auth-proxy-config-id': service.root.authProxyConfigId,
    ...('configId' in headers ? { 'x-auth-proxy-config-id': headers.configId } : {}),
    origin: headers.origin,
    'x-captcha-token': headers.captchaToken,
  };
  const answer = await service.enclave.request({
    requestId: `proxy-${serial}`,
    kind: 'proxy',
    operation,
    headers: Object.entries(sent).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value }],
    ),
    timestampObjects: false,
    remoteAddress: service.remoteAddress,
    body: bytesOf(body),
  });
  const { status, allowedOrigin } = answer;
  return { status, allowedOrigin, body: JSON.parse(textOfUtf8(answer.body) ?? '') };
}

function bytesOf(body: object | Uint8Array | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  return body instanceof Uint8Array ? body : utf8(JSON.stringify(body));
}

/** A sign-up without any credential. */
export const nobody = { apiKeys: [], authenticators: [], oauthProviders: [] };

/** Returns the body of an answer that must not be a refusal. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
export async function accepted(answer: Promise<TestAnswer>): Promise<any> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export const enable = {
  operation: 'enable_auth_proxy',
  type: 'ACTIVITY_TYPE_ENABLE_AUTH_PROXY',
  intent: 'enableAuthProxyIntent',
  result: 'enableAuthProxyResult',
} as const;
export const disable = {
  operation: 'disable_auth_proxy',
  type: 'ACTIVITY_TYPE_DISABLE_AUTH_PROXY',
  intent: 'disableAuthProxyIntent',
  result: 'disableAuthProxyResult',
} as const;
export const update = {
  operation: 'update_auth_proxy_config',
  type: 'ACTIVITY_TYPE_UPDATE_AUTH_PROXY_CONFIG',
  intent: 'updateAuthProxyConfigIntent',
  result: 'updateAuthProxyConfigResult',
} as const;

/** Sends an activity that must be accepted; returns its result. */
export async function done(
  service: TestService,
  wire: { readonly operation: string; readonly type: string },
  parameters: object = {},
) {
  const { activity } = await accepted(service.submit(wire.operation, wire.type, parameters));
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
  // biome-ignore lint/suspicious/noExplicitAny: results are looked into by path in tests
  return Object.values(activity.result)[0] as any;
}

/** Changes settings of the proxy. */
export const configure = (service: TestService, settings: object) =>
  done(service, update, settings);

/** Returns the proxy configuration that users of the organization read. */
export const shownProxy = (service: TestService) =>
  accepted(service.query('get_auth_proxy_config'));
