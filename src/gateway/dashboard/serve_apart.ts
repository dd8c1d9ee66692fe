// Serves the dashboard of an installed package on this machine for a remote service. The page then comes from
// the user's own files, not from the service.

import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { base64url, equalBytes, utf8 } from '../../core/base/bytes.ts';
import { noSchemas } from '../base/no_schemas.ts';
import { pathOf } from '../protocol/paths.ts';
import { singleHeader } from '../protocol/request_headers.ts';
import type { BuiltDashboard } from './built_files.ts';
import { addDashboardRoutes } from './routes.ts';

export type ServedApart = {
  /** The address to open, valid once: `http://127.0.0.1:PORT/open/SECRET`. */
  readonly url: string;
  stop(): Promise<void>;
};

const requestTimeoutMs = 10_000;
const secretBytes = 16;
const openPath = '/open/';

const notOpened =
  'Nothing is served here without the address that keywright dashboard printed. It opens the page once: for another browser, start the command again.\n';

/** The headers of responses other than files of the page. */
const textHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/**
 * Serves a build on the loopback address; port 0 means any free port. `apiUrl` is the address of the service
 * for the page; `organizationId` prefills the sign-in. Raises the errors of `listen`.
 *
 * The host is 127.0.0.1. For `localhost` a browser tries ::1 first, where another user of the machine can
 * listen. This page uses no passkeys, so it does not need the name.
 */
export async function serveApart(
  build: BuiltDashboard,
  { apiUrl, organizationId, port }: ServiceOfPage,
): Promise<ServedApart> {
  const app = fastify({
    bodyLimit: 1,
    requestTimeout: requestTimeoutMs,
    schemaController: noSchemas,
    // Browsers open connections in advance. Without this call, `stop` waits up to a minute for them.
    forceCloseConnections: true,
  });
  const entrance = createEntrance();
  let host = '';
  app.addHook('onRequest', async (request, reply) => {
    // Rejects foreign host names that resolve to this machine (DNS rebinding).
    if (request.headers.host !== host) return await reply.code(421).send();
    return await entrance(request, reply);
  });
  const config = () => ({ apiUrl, organizationId, development: false, passkeys: false });
  addDashboardRoutes(app, { build, config, apiOrigin: new URL(apiUrl).origin });
  host = new URL(await app.listen({ host: '127.0.0.1', port })).host;
  return { url: `http://${host}${openPath}${entrance.secret}`, stop: () => app.close() };
}

type ServiceOfPage = {
  readonly apiUrl: string;
  readonly organizationId: string | undefined;
  readonly port: number;
};

/**
 * Returns a hook that rejects every browser except the browser that opened the printed address. That browser
 * exchanges the secret of the address for a cookie, and the secret becomes void. Pages of other sites cannot
 * open this page, because the browser does not send the cookie with their requests.
 */
function createEntrance() {
  const newSecret = () => base64url(crypto.getRandomValues(new Uint8Array(secretBytes)));
  const [secret, ticket] = [newSecret(), newSecret()];
  let isOpened = false;
  const enter = async (request: FastifyRequest, reply: FastifyReply) => {
    // Cookies are shared by all ports of a host, so the cookie name separates two dashboards.
    const cookie = `keywright-${request.socket.localPort}`;
    const path = pathOf(request.url);
    const isInside = cookieIn(request.headers.cookie, cookie).some((value) =>
      isSame(value, ticket),
    );
    if (!path.startsWith(openPath)) {
      if (isInside || isForWorker(request)) return undefined;
      return await reply.code(403).headers(textHeaders).send(notOpened);
    }
    const opens = !isOpened && isSame(path.slice(openPath.length), secret);
    if (request.method !== 'GET' || !(isInside || opens)) {
      return await reply.code(403).headers(textHeaders).send(notOpened);
    }
    if (!isInside) {
      isOpened = true;
      reply.header('set-cookie', `${cookie}=${ticket}; Path=/; HttpOnly; SameSite=Strict`);
    }
    return await reply.headers(textHeaders).redirect('/dashboard/', 303);
  };
  return Object.assign(enter, { secret });
}

/** Browsers request such a script if a worker was planted earlier; the response removes the worker. */
const isForWorker = (request: FastifyRequest): boolean =>
  singleHeader(request, 'service-worker') === 'script';

const isSame = (given: string, expected: string): boolean =>
  equalBytes(utf8(given), utf8(expected));

/** Returns the values of a cookie in a `Cookie` header. */
function cookieIn(header: string | undefined, name: string): readonly string[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const [key, value] = pair.trim().split('=');
    return key === name && value !== undefined ? [value] : [];
  });
}
