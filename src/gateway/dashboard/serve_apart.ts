// The dashboard of an installed package, served on this machine, for a service elsewhere: the page comes from
// files that the person has, not from the service that it looks at.

import { fastify } from 'fastify';
import type { BuiltDashboard } from './built_files.ts';
import { addDashboardRoutes } from './routes.ts';

export type ServedApart = {
  /** With its end: `http://localhost:PORT/dashboard/`. */
  readonly url: string;
  stop(): Promise<void>;
};

const requestTimeoutMs = 10_000;

/**
 * Serves a build on the loopback address, port 0 for any that is free. `apiUrl` is where the page reaches the
 * service; `organizationId` is filled in at the sign-in. Raises what listening raises.
 */
export async function serveApart(
  build: BuiltDashboard,
  { apiUrl, organizationId, port }: ServiceOfPage,
): Promise<ServedApart> {
  const app = fastify({ bodyLimit: 1, requestTimeout: requestTimeoutMs });
  // A name of somebody else that leads to this machine is not this page.
  app.addHook('onRequest', async (request, reply) => {
    if (!isOfThisMachine(request.headers.host)) return await reply.code(421).send();
    return undefined;
  });
  const config = () => ({ apiUrl, organizationId, development: false, passkeys: false });
  addDashboardRoutes(app, { build, config, apiOrigin: new URL(apiUrl).origin });
  const address = new URL(await app.listen({ host: '127.0.0.1', port }));
  return {
    url: `http://localhost:${address.port}/dashboard/`,
    stop: () => app.close(),
  };
}

type ServiceOfPage = {
  readonly apiUrl: string;
  readonly organizationId: string | undefined;
  readonly port: number;
};

function isOfThisMachine(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host ?? '');
}
