// The log in the layout of C2SP's tlog-tiles: the checkpoint, tiles, and bundles of entries.

import { Buffer } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { logPrefix } from '../protocol/paths.ts';
import type { HttpParts } from './parts.ts';
import { asWork } from './work.ts';

const textType = 'text/plain; charset=utf-8';
/** A checkpoint is replaced at most twice a second; a tile of a given width never changes. */
const caching = { newest: 'public, max-age=1', fixed: 'public, max-age=31536000, immutable' };

export function addLogRoutes(app: FastifyInstance, parts: HttpParts): void {
  const { entryLog } = parts;
  if (!parts.serves.includes('api') || entryLog === undefined) return;
  app.get(`${logPrefix}checkpoint`, async (request, reply) => {
    const { note } = await asWork(parts, request, entryLog.checkpoint);
    if (note === undefined) return reply.callNotFound();
    reply.header('content-type', textType).header('cache-control', caching.newest);
    return reply.send(note);
  });
  app.get(`${logPrefix}policy`, async (request, reply) => {
    const { key } = await asWork(parts, request, entryLog.checkpoint);
    reply.header('content-type', textType).header('cache-control', caching.newest);
    return reply.send(`log ${key}\n${entryLog.witnessLines}`);
  });
  app.get<{ Params: { '*': string } }>(`${logPrefix}tile/*`, async (request, reply) => {
    const path = `tile/${request.params['*']}`;
    const tile = await asWork(parts, request, () => entryLog.tile(path));
    if (tile === undefined) return reply.callNotFound();
    reply.header('content-type', 'application/octet-stream');
    reply.header('cache-control', caching.fixed);
    return reply.send(Buffer.from(tile));
  });
}
