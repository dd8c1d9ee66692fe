// The answer to a request for an unknown path.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../core/errors/errors.ts';
import { unknownOperation } from '../../core/errors/unknown_operation.ts';
import { isDashboardPath } from '../dashboard/routes.ts';
import { callOf, type HttpPart, methodsOf, pathOf, shownPath } from '../protocol/paths.ts';
import { preflightHeaders, proxyPreflightHeaders } from '../protocol/request_headers.ts';

/** Answers OPTIONS for a known path. Otherwise raises the unknown operation or the allowed methods. */
export function answerUnknownPath(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    serves,
    hasDashboard,
  }: { readonly serves: readonly HttpPart[]; readonly hasDashboard: boolean },
): FastifyReply {
  const path = pathOf(request.url);
  const isPage = hasDashboard && isDashboardPath(path);
  const allowed = isPage ? 'GET, HEAD' : methodsOf(path, serves);
  if (allowed === undefined) throw unknownOperation(shownPath(request.url));
  if (request.method === 'OPTIONS') {
    return reply
      .code(204)
      .headers({
        allow: allowed,
        ...(callOf(path).part === 'proxy' ? proxyPreflightHeaders : preflightHeaders),
      })
      .send();
  }
  reply.header('allow', allowed);
  return fail('method_not_allowed', { method: request.method, allowed });
}
