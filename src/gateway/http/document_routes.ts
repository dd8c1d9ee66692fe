// Documents about the service itself, and health probes.

import type { Buffer } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { sharedBytes } from '../base/shared_bytes.ts';
import { bytesOfJson, sendJson } from '../protocol/answers.ts';
import { healthOf } from '../protocol/health.ts';
import { discoveryDocuments, probes, webhookKeySetPath } from '../protocol/paths.ts';
import type { HttpParts } from './parts.ts';
import { asWork } from './work.ts';

/** Shorter than the time between the publication of a key and its first signature. */
const keySetCaching = 'public, max-age=3600, stale-if-error=86400';

/** Adds the probes, which every server has. */
export function addProbeRoutes(app: FastifyInstance, { notReady }: HttpParts): void {
  for (const path of probes) {
    app.get(path, (_request, reply) => {
      const { status, body } = healthOf(path, notReady);
      return sendJson(reply, status, bytesOfJson(body));
    });
  }
}

/** Adds the OpenAPI document and the documents of the enclave. */
export function addDocumentRoutes(app: FastifyInstance, parts: HttpParts): void {
  if (!parts.serves.includes('api')) return;
  let document: Promise<Buffer> | undefined;
  const makeDocument = async () => {
    const made = await parts.openApi();
    return sharedBytes(made instanceof Uint8Array ? made : bytesOfJson(made));
  };
  app.get('/openapi.json', async (_request, reply) => {
    document ??= makeDocument();
    try {
      return sendJson(reply, 200, await document);
    } catch (error) {
      // The next request retries.
      document = undefined;
      throw error;
    }
  });
  app.get(webhookKeySetPath, async (request, reply) => {
    const keySet = await asWork(parts, request, parts.webhookKeySet);
    reply.header('cache-control', keySetCaching);
    return sendJson(reply, 200, keySet);
  });
  for (const [path, name] of Object.entries(discoveryDocuments)) {
    app.get(path, (_request, reply) => {
      reply.header('cache-control', keySetCaching);
      // A rotation of the root key replaces the documents.
      return sendJson(reply, 200, sharedBytes(parts.discovery[name]));
    });
  }
}
