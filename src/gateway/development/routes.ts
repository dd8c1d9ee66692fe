// The paths below /dev/, only for a developer on this machine.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { textOfUtf8 } from '../../core/base/bytes.ts';
import { fail, failField } from '../../core/errors/errors.ts';
import { unknownOperation } from '../../core/errors/unknown_operation.ts';
import { isJsonObject, type Json, parsedJson } from '../../core/schema/json.ts';
import { type DevelopmentInbox, mayReadInbox } from '../messages/development_inbox.ts';
import { bytesOfJson, sendJson } from '../protocol/answers.ts';
import { inboxPath, pathOf, shownPath } from '../protocol/paths.ts';
import { isForwarded } from '../protocol/request_headers.ts';
import type { Development } from './development.ts';
import { type Entry, inboxPage, pageHeaders, prefersHtml } from './page.ts';
import { createWebhookInbox } from './webhook_inbox.ts';

const prefix = '/dev/';
const peoplePath = '/dev/people';
const signInPath = '/dev/sign-in';
export const webhooksPath = '/dev/webhooks';

type DevelopmentRoutes = {
  readonly inbox: Pick<DevelopmentInbox, 'read' | 'token'>;
  /** Undefined if only the inbox exists. */
  readonly development?: Development | undefined;
  /** Returns the key set (JWKS) of webhooks, as JSON. */
  readonly webhookKeySet: () => Promise<Uint8Array>;
};

/** Returns true if a request is for a path below `/dev/` in any spelling. */
export function isForDeveloper(request: FastifyRequest): boolean {
  const { route, url } = request;
  return route?.startsWith(prefix) === true || pathOf(url).startsWith(prefix);
}

/** Returns true if a request is a delivery to the webhook inbox, which has the normal body limit. */
export function isDeliveryToInbox(request: FastifyRequest): boolean {
  return request.route === webhooksPath;
}

/** Adds the routes to a server. A rejected request gets the answer of an unknown path. */
export function addDevelopmentRoutes(app: FastifyInstance, routes: DevelopmentRoutes): void {
  const { inbox, development } = routes;
  const show = (request: FastifyRequest, reply: FastifyReply, shown: Shown): FastifyReply => {
    requireDeveloper(request, inbox);
    reply.header('cache-control', 'no-store').header('vary', 'accept');
    if (shown.entries === undefined || !prefersHtml(request.headers.accept)) {
      return sendJson(reply, 200, bytesOfJson(shown.json));
    }
    const page = inboxPage(shown.title, shown.empty, shown.entries());
    return reply.headers(pageHeaders).send(page);
  };

  app.get(inboxPath, (request, reply) => show(request, reply, shownMessages(inbox)));
  if (development === undefined) return;

  const webhooks = createWebhookInbox(routes.webhookKeySet, Date.now);
  app.get(webhooksPath, (request, reply) => show(request, reply, shownDeliveries(webhooks.read())));
  app.post(webhooksPath, async (request, reply) => {
    requireLoopback(request);
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array(0);
    const status = await webhooks.receive(request.headers, body);
    return sendJson(reply, status, bytesOfJson({}));
  });
  app.get(peoplePath, (request, reply) => show(request, reply, { json: development.people() }));
  app.post(signInPath, async (request, reply) => {
    requireDeveloper(request, inbox);
    reply.header('cache-control', 'no-store');
    const answer = await development.signIn(signInOf(request.body));
    if (answer !== 'unknown') return sendJson(reply, answer.status, bytesOfJson(answer.body));
    const names = development.people().people.map(({ name }) => `\`${name}\``);
    return failField('user', `expected one of the demo people: ${names.join(', ')}`);
  });
}

type Shown =
  | { readonly json: object; readonly entries?: undefined }
  | {
      readonly json: object;
      readonly title: string;
      readonly empty: string;
      readonly entries: () => readonly Entry[];
    };

function shownMessages(inbox: DevelopmentRoutes['inbox']): Shown {
  const json = inbox.read();
  return {
    json,
    title: 'Inbox',
    empty: 'No messages yet.',
    entries: () =>
      json.messages.map(({ channel, to, subject, text, createdAt }) => ({
        heading: `${createdAt} ${channel} to ${to}${subject === undefined ? '' : `: ${subject}`}`,
        text,
      })),
  };
}

function shownDeliveries(json: ReturnType<ReturnType<typeof createWebhookInbox>['read']>): Shown {
  return {
    json,
    title: 'Webhook deliveries',
    empty: 'No deliveries yet.',
    entries: () =>
      json.deliveries.map(({ receivedAt, sequence, eventType, eventId, body }) => ({
        heading: `${receivedAt} ${sequence} ${eventType} ${eventId}: signature verified`,
        text: JSON.stringify(body, undefined, 2),
      })),
  };
}

/** Raises `operation_unknown` unless a program or page of this machine sends the token. */
function requireDeveloper(request: FastifyRequest, inbox: Pick<DevelopmentInbox, 'token'>): void {
  const { host, origin } = request.headers;
  const token = new URLSearchParams(request.url.split('?')[1]).get('token');
  const secFetchSite = secFetchSiteOf(request);
  const mayRead = mayReadInbox(inbox, { token, host, origin, secFetchSite });
  if (isForwarded(request.headers) || !mayRead) refuse(request);
}

/** Deliveries have a signature instead of a token. Requests of browsers are rejected. */
function requireLoopback(request: FastifyRequest): void {
  const isOfPage = request.headers.origin !== undefined || secFetchSiteOf(request) !== undefined;
  if (isForwarded(request.headers) || isOfPage) refuse(request);
}

function refuse(request: FastifyRequest): never {
  throw unknownOperation(shownPath(request.url));
}

function secFetchSiteOf({ headers }: FastifyRequest): string | undefined {
  const value = headers['sec-fetch-site'];
  return typeof value === 'string' ? value : value?.[0];
}

function signInOf(body: unknown): Parameters<Development['signIn']>[0] {
  const text = body instanceof Uint8Array ? textOfUtf8(body) : undefined;
  const json: Json | undefined = parsedJson(text ?? '');
  if (!isJsonObject(json)) fail('body_malformed', { reason: 'expected a JSON object' });
  const { user, publicKey, sessionProfileId } = json;
  if (typeof user !== 'string') failField('user', 'expected the name of one of the demo people');
  if (typeof publicKey !== 'string' || !/^0[23][0-9a-fA-F]{64}$/.test(publicKey)) {
    failField('publicKey', 'expected a P-256 public key in compressed form: 66 hex digits');
  }
  // The login checks this profile.
  const profile = typeof sessionProfileId === 'string' ? { sessionProfileId } : {};
  return { user, publicKey, ...profile };
}
