// Responds to requests for the script of a service worker. The page registers none. A program that once
// listened at the same address may have planted a worker, which would alter the page.

import type { FastifyInstance } from 'fastify';
import { singleHeader } from '../protocol/request_headers.ts';

/**
 * A script that replaces a planted worker: it unregisters itself, and reloads the pages that the worker
 * controlled.
 */
export const unregisteringScript = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) =>
  event.waitUntil(
    registration
      .unregister()
      .then(() => clients.matchAll({ type: 'window' }))
      .then((pages) => Promise.all(pages.map((page) => page.navigate(page.url)))),
  ),
);
`;

/** The headers of the response with this script. */
export const scriptHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Serves the script at every path for requests for a service worker. */
export function answerForeignWorkers(app: FastifyInstance): void {
  // Without a promise, because every request runs this hook.
  app.addHook('onRequest', (request, reply, next) => {
    if (request.method !== 'GET' || singleHeader(request, 'service-worker') !== 'script') {
      next();
      return;
    }
    // Pages of other origins must not read it.
    reply.removeHeader('access-control-allow-origin');
    reply.headers(scriptHeaders).send(unregisteringScript);
  });
}
