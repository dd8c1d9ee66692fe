// The web servers without compilers of JSON schemas: no route has a schema, because the operations parse
// their own bodies.

import type { FastifyServerOptions } from 'fastify';

function rejectSchema(): never {
  throw new Error('a route has a schema, but the server has no compiler for it');
}

/** Option of Fastify. By default, each start loads more than a hundred modules of compilers. */
export const noSchemas: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema },
};
