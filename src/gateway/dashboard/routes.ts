// The paths of the dashboard. A path is looked up as it was sent among the files read at the start, without
// decoding or joining.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownOperation } from '../../core/errors/unknown_operation.ts';
import { prefersHtml } from '../development/page.ts';
import { bytesOfJson, sendJson } from '../protocol/answers.ts';
import { pathOf, shownPath } from '../protocol/paths.ts';
import { isForwarded, singleHeader } from '../protocol/request_headers.ts';
import type { BuiltDashboard, BuiltFile, ContentEncoding } from './built_files.ts';
import { answerForeignWorkers } from './foreign_worker.ts';
import { pageHeaders } from './headers.ts';

const prefix = '/dashboard/';
const configPath = 'config.json';

/** The configuration that the page reads before a sign-in. */
export type DashboardConfig = {
  /** Address of the API, relative to the page. */
  readonly apiUrl: string;
  /** Default: the user types it. */
  readonly organizationId?: string | undefined;
  readonly authProxyUrl?: string | undefined;
  readonly authProxyConfigId?: string | undefined;
  readonly passkeyRpId?: string | undefined;
  readonly sessionProfileId?: string | undefined;
  /** Optional. `false` if the passkeys of the service belong to another host. */
  readonly passkeys?: boolean | undefined;
  readonly development: boolean;
  /** Opens the paths below `/dev/`. */
  readonly developmentToken?: string | undefined;
};

/** Origin of a request for the configuration, by its headers. */
export type Asker = {
  readonly isForwarded: boolean;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
};

export type Dashboard = {
  /** Undefined if the dashboard was not built. */
  readonly build: BuiltDashboard | undefined;
  readonly config: (asker: Asker) => DashboardConfig;
  /** Origin of a remote service. Default: the page's own origin. */
  readonly apiOrigin?: string | undefined;
};

/** The message without a build. */
export const notBuilt =
  'The dashboard is not built: run `npm run build`, then load this page again.\n';

/** Returns true if a request is for a file of the dashboard, in any spelling of its path. */
export function isForDashboard(request: FastifyRequest): boolean {
  const { route, url } = request;
  return route?.startsWith(prefix) === true || pathOf(url).startsWith(prefix);
}

/** Returns true for paths of the dashboard, which answer GET and HEAD. */
export function isDashboardPath(path: string): boolean {
  return path === '/' || path === prefix.slice(0, -1) || path.startsWith(prefix);
}

/** Adds the routes to a server. */
export function addDashboardRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const { config, apiOrigin } = dashboard;
  const headersOf = (build: BuiltDashboard | undefined) =>
    pageHeaders(build?.importMap ?? "'none'", apiOrigin);
  let served = dashboard.build;
  let headers = headersOf(served);
  const toDashboard = (_request: FastifyRequest, reply: FastifyReply) =>
    reply.redirect(prefix, 302);

  answerForeignWorkers(app);
  app.get('/', (request, reply) => {
    reply.header('vary', 'accept');
    if (!prefersHtml(request.headers.accept)) throw unknownOperation(shownPath(request.url));
    return toDashboard(request, reply);
  });
  app.get(prefix.slice(0, -1), toDashboard);
  app.get(`${prefix}*`, async (request: FileRequest, reply) => {
    const { build } = dashboard;
    if (build !== served) {
      served = build;
      headers = headersOf(build);
    }
    reply.headers(headers);
    const path = request.params['*'];
    // The command line reads the configuration too, and needs no build.
    if (path === configPath) {
      reply.header('cache-control', 'no-store');
      const shown = { version: build?.version, ...config(askerOf(request)) };
      return sendJson(reply, 200, bytesOfJson(shown));
    }
    if (build === undefined) {
      return reply.code(404).header('content-type', 'text/plain; charset=utf-8').send(notBuilt);
    }
    const found = build.files.get(path);
    // A missing asset belongs to another build, so the page must not replace it.
    if (found === undefined && path.startsWith('assets/')) {
      throw unknownOperation(shownPath(request.url));
    }
    const file = found ?? build.files.get('index.html');
    if (file === undefined) throw unknownOperation(shownPath(request.url));
    const encoding = encodingOf(request.headers['accept-encoding']);
    const bytes = await file.encoded(encoding);
    reply.header('content-type', file.type).header('vary', 'accept-encoding');
    reply.header('cache-control', cacheControlOf(file));
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.send(bytes);
  });
}

type FileRequest = FastifyRequest<{ Params: { '*': string } }>;

function askerOf(request: FastifyRequest): Asker {
  const { headers } = request;
  const { host, origin } = headers;
  const secFetchSite = singleHeader(request, 'sec-fetch-site');
  return { isForwarded: isForwarded(headers), host, origin, secFetchSite };
}

/**
 * Returns the Cache-Control header of a file. Caches may store hashed files for a year, the longest usual
 * lifetime.
 */
export const cacheControlOf = ({ isHashed }: Pick<BuiltFile, 'isHashed'>): string =>
  isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';

/** Returns the best encoding that a client accepts (RFC 9110 section 12.5.3). */
function encodingOf(accepted: string | readonly string[] | undefined): ContentEncoding {
  const named = [accepted ?? []]
    .flat()
    .join(',')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/i.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((encoding) => named.includes(encoding)) ?? 'identity';
}
