// The paths of the dashboard. A path is looked up among the files that were read at the start, as it was
// sent: nothing is decoded, joined or resolved.

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
  /** Absent: the person types it. */
  readonly organizationId?: string | undefined;
  readonly authProxyUrl?: string | undefined;
  readonly authProxyConfigId?: string | undefined;
  readonly passkeyRpId?: string | undefined;
  readonly sessionProfileId?: string | undefined;
  /** Absent: they can be used; `false`: those of the service belong to another host. */
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
  /** Absent if the dashboard was not built. */
  readonly build: BuiltDashboard | undefined;
  readonly config: (asker: Asker) => DashboardConfig;
  /** Origin of a remote service. Default: the page's own origin. */
  readonly apiOrigin?: string | undefined;
};

/** The sentence if there is no build. */
export const notBuilt =
  'The dashboard is not built: run `npm run build`, then load this page again.\n';

/** Returns true if a request is for a file of the dashboard, in any spelling of its path. */
export function isForDashboard(request: FastifyRequest): boolean {
  const { route, url } = request;
  return route?.startsWith(prefix) === true || pathOf(url).startsWith(prefix);
}

/** Returns true if a path is one of the dashboard, and so answers GET and HEAD. */
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
    // The command line reads it too, and needs no build.
    if (path === configPath) {
      reply.header('cache-control', 'no-store');
      const shown = { version: build?.version, ...config(askerOf(request)) };
      return sendJson(reply, 200, bytesOfJson(shown));
    }
    if (build === undefined) {
      return reply.code(404).header('content-type', 'text/plain; charset=utf-8').send(notBuilt);
    }
    const found = build.files.get(path);
    // A file of another build is not the page.
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

/** Caches may store hashed files for a year, the longest usual lifetime. */
export const cacheControlOf = ({ isHashed }: Pick<BuiltFile, 'isHashed'>): string =>
  isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';

/** The best encoding that a client names without refusing it (RFC 9110 section 12.5.3). */
function encodingOf(accepted: string | readonly string[] | undefined): ContentEncoding {
  const named = [accepted ?? []]
    .flat()
    .join(',')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/i.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((encoding) => named.includes(encoding)) ?? 'identity';
}
