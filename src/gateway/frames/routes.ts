// The paths of the frames that applications embed for exports and imports. A frame has the origin of the
// service, so an application of another origin cannot read the secret in it.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageFile } from '../base/browser_modules.ts';
import { sharedBytes } from '../base/shared_bytes.ts';
import { pathOf } from '../protocol/paths.ts';

/** All paths of the frames begin with it. */
export const framePrefix = '/frames/';

export type Frames = {
  /** Origins of the applications that may embed the frames; at least one. */
  readonly origins: readonly string[];
  /** Pages, style and modules by their paths. */
  readonly files: ReadonlyMap<string, PageFile>;
};

/** Returns true if a request is for a file of a frame, in any spelling of its path. */
export function isForFrames({ route, url }: FastifyRequest): boolean {
  return route?.startsWith(framePrefix) === true || pathOf(url).startsWith(framePrefix);
}

/** Adds the routes to a server. */
export function addFrameRoutes(app: FastifyInstance, { origins, files }: Frames): void {
  const headers = headersFor(origins);
  for (const [path, { type, text }] of files) {
    const bytes = sharedBytes(new TextEncoder().encode(text));
    app.get(path, (_request, reply) =>
      reply.headers(headers).header('content-type', type).send(bytes),
    );
  }
}

/** Returns the headers of all files. A frame runs only its own modules and reaches only the service. */
function headersFor(origins: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${origins.join(' ')}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'permissions-policy': 'clipboard-write=(self), clipboard-read=()',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Applications with this policy can only embed pages that have it too.
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-cache',
  };
}
