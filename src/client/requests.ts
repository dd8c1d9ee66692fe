// Builds and sends the requests of one client.

import { hexOf, sha256, utf8 } from './bytes.ts';
import type { SentRequest } from './errors.ts';
import { versions } from './generated/operations.ts';
import { errorOf } from './outcome.ts';
import type { Stamp } from './stamps.ts';
import { type Answer, send, type World } from './transport.ts';

export type CallOptions = {
  /** Aborts the call. The service may still execute a request that was sent. */
  readonly signal?: AbortSignal | undefined;
};

export type SubmitOptions = CallOptions & {
  /** True to request app proofs of the executed activity. */
  readonly generateAppProofs?: boolean;
};

export type Requests = ReturnType<typeof requestsOf>;

/** Returns the functions that build and send requests of one credential for one organization. */
export function requestsOf(
  from: { readonly url: string; readonly organizationId: string; readonly stamp: Stamp },
  world: World,
  clock: () => number,
) {
  const { url, organizationId, stamp } = from;
  const request = async (path: string, content: object): Promise<SentRequest> => {
    const body = JSON.stringify(content);
    const { name, value } = await stamp.header(utf8(body));
    const headers = { 'content-type': 'application/json', [name.toLowerCase()]: value };
    return { url: `${url}/public/v1/${path}`, method: 'POST', headers, body };
  };
  const activityRequest = (name: string, parameters: object = {}, more: object = {}) =>
    request(`submit/${name}`, {
      type: typeOf(name),
      timestampMs: String(clock()),
      organizationId,
      parameters,
      ...more,
    });
  const queryRequest = (name: string, parameters: object = {}) =>
    request(`query/${name}`, { organizationId, ...parameters });
  /** Sends a request. Throws the error in the answer. */
  const answerTo = async (sent: SentRequest, { signal }: CallOptions = {}): Promise<Answer> => {
    const answer = await send(sent, world, signal);
    if (answer.status !== 200) throw errorOf(answer);
    return answer;
  };
  const query = async (name: string, parameters?: object, options?: CallOptions) =>
    (await answerTo(await queryRequest(name, parameters), options)).body;
  return { activityRequest, queryRequest, answerTo, query };
}

/** Returns the activity type of the newest version of an operation. */
export function typeOf(name: string): string {
  const [version, , own] = versionsOf(name);
  return `ACTIVITY_TYPE_${(own ?? name).toUpperCase()}${version ? `_V${version}` : ''}`;
}

/** Returns the name of the only member of the operation's result. */
export function resultOf(name: string): string {
  const [, version, own] = versionsOf(name);
  const camel = (own ?? name).replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return `${camel}Result${version ? `V${version}` : ''}`;
}

/** Returns the versions of type and result, and their common name if it differs from the operation's name. */
const versionsOf = (name: string) =>
  (Object.hasOwn(versions, name) ? versions[name] : undefined)?.split(' ') ?? [];

/** Returns the fingerprint of an activity: the SHA-256 of its body. */
export const fingerprintOf = async (body: string): Promise<string> =>
  `sha256:${hexOf(await sha256(utf8(body)))}`;
