// The answer to a request for an unknown path.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../core/errors/errors.ts';
import { unknownOperation } from '../../core/errors/unknown_operation.ts';
import { callOf, type HttpPart, methodsOf, pathOf, shownPath } from '../protocol/paths.ts';
import { preflightHeaders, proxyPreflightHeaders } from '../protocol/request_headers.ts';

/** Answers OPTIONS for a known path. Otherwise raises the unknown operation or the allowed methods. */
export function answerUnknownPath(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    serves,
    isPage,
  }: {
    readonly serves: readonly HttpPart[];
    /** Returns true for the path of a page or of a file of a page. */
    readonly isPage: (path: string) => boolean;
  },
): FastifyReply {
  const path = pathOf(request.url);
  const allowed = isPage(path) ? 'GET, HEAD' : methodsOf(path, serves);
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
