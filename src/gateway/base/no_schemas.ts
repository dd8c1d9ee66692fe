// Disables the JSON schema compilers of the web servers. No route has a schema, because operations parse
// their own bodies.

import type { FastifyServerOptions } from 'fastify';

function rejectSchema(): never {
  throw new Error('a route has a schema, but the server has no compiler for it');
}

/** Option of Fastify, which by default loads more than a hundred modules of compilers at each start. */
export const noSchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema },
};
