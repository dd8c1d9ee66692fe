// The call and the source of a request, looked up once for all steps before the web framework.

import type { IncomingMessage } from 'node:http';
import type { Source } from '../admission/rate_limit.ts';
import { callOf, pathOf } from './paths.ts';
import { sourceIn } from './request_headers.ts';

type Arrival = {
  /** The call of the path as it was sent. */
  readonly call: ReturnType<typeof callOf>;
  readonly sender: Source;
  /** The source to which the request is charged. */
  readonly source: string;
};

const key = Symbol('arrival');

/** Returns the arrival of a request; `sourceOf` must be the same for all requests of a server. */
export function arrivalOf(
  request: IncomingMessage & { [key]?: Arrival },
  sourceOf: (sender: Source) => string,
): Arrival {
  const known = request[key];
  if (known !== undefined) return known;
  const sender = sourceIn(request);
  const call = callOf(pathOf(request.url ?? ''));
  const arrival = { call, sender, source: sourceOf(sender) };
  request[key] = arrival;
  return arrival;
}
