// The answer to browsers that ask for the script of a service worker. The page has none. A program that once
// listened at the same address may have planted one, which would alter the page from then on.

import type { FastifyInstance } from 'fastify';
import { singleHeader } from '../request_headers.ts';

/** Replaces a planted worker: unregisters itself, and loads the pages anew that the worker controlled. */
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

/** The headers of that script. */
export const scriptHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Answers every path with that script where a browser asks for the script of a worker. */
export function answerForeignWorkers(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' || singleHeader(request, 'service-worker') !== 'script') {
      return undefined;
    }
    // No page of another origin reads it.
    reply.removeHeader('access-control-allow-origin');
    return await reply.headers(scriptHeaders).send(unregisteringScript);
  });
}
