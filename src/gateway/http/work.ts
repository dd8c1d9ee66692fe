import type { FastifyRequest } from 'fastify';
import { fail } from '../../core/errors/errors.ts';
import type { Work } from '../admission/load_limiter.ts';
import type { HttpParts } from './parts.ts';

/** Runs a call of the enclave within the bounds of work in progress. */
export async function asWork<Result>(
  { load }: Pick<HttpParts, 'load'>,
  request: FastifyRequest,
  job: (work: Work) => Promise<Result>,
): Promise<Result> {
  // The client may have disconnected while its body was read.
  if (request.socket.destroyed) fail('not_begun');
  const work = load.begin(request.usage.source);
  request.usage.work = work;
  request.record.askedAtMs = performance.now();
  try {
    return await job(work);
  } finally {
    request.usage.work = undefined;
    work.end();
  }
}
