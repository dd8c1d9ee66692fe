// Routes for shares of the root key, used when a restarted enclave waits for its key.

import { Buffer } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unsealPath } from '../protocol/paths.ts';
import { answerUnseal, unsealBodyMaximumBytes } from '../root_key/unseal_requests.ts';
import type { HttpParts } from './parts.ts';

export function addUnsealRoutes(app: FastifyInstance, { serves, shares }: HttpParts): void {
  if (!serves.includes('api') || shares === undefined) return;
  const answer = async ({ method, body: given }: FastifyRequest, reply: FastifyReply) => {
    const { status, body } = await answerUnseal(shares, method, async () =>
      given instanceof Uint8Array && given.length <= unsealBodyMaximumBytes ? given : undefined,
    );
    return reply.code(status).header('content-type', 'application/json').send(Buffer.from(body));
  };
  app.get(unsealPath, answer);
  app.post(unsealPath, answer);
}
