// Serves the page for passkeys of key holders and operators on this machine. The page belongs to this
// package, so no service can alter the program that sees the secret. Its passkeys belong to `localhost`, not
// to a domain of the operator.

import { randomInt } from 'node:crypto';
import { type FastifyReply, fastify } from 'fastify';
import { equalBytes, utf8 } from '../core/base/bytes.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/schema/json.ts';
import { listenAtIpv6 } from '../gateway/base/both_families.ts';
import { noSchemas } from '../gateway/base/no_schemas.ts';
import { pageFiles } from './files.ts';

/** The work of the page. */
export type PasskeyTask = {
  /** Texts that the page shows about the work, by their titles. */
  readonly about: Readonly<Record<string, string>>;
  /** The passkey to create, the id of the one to use, or `any` for any passkey of `localhost`. */
  readonly passkey: NewPasskey | { readonly id: string } | 'any';
  /** Input of the PRF in base64. */
  readonly salt: string;
  /** Public key of the receiver, and the context of the secret; see `sealSecret`. */
  readonly receiver: string;
  readonly info: string;
};

export type NewPasskey = {
  /** The name that the authenticator shows. */
  readonly name: string;
  /** True if the authenticator must find it without its id. */
  readonly isDiscoverable: boolean;
};

/** The result of the page. */
export type PasskeyResult = { readonly credentialId: string; readonly encryptedSecret: string };

export type PasskeyPage = {
  readonly url: string;
  /** Characters that the user types into the page. */
  readonly code: string;
  readonly result: Promise<PasskeyResult>;
  stop(): Promise<void>;
};

const requestTimeoutMs = 10_000;
const maximumConnections = 32;
const maximumBodyBytes = 16 * 1024;

/** Digits and letters that are not read as each other. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/**
 * The code has 50 bits, so wrong codes need no limit: 10,000 guesses a second for ten minutes find it with a
 * probability below 10^-8. A limit would let another user of the machine end the command.
 */
const codeCharacters = 10;

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/**
 * Serves the page at `http://localhost:PORT` on a free port. Other users of the machine can open it too, so
 * the page gets the task, and its result is accepted, only with the code.
 */
export async function servePasskeyPage(task: PasskeyTask): Promise<PasskeyPage> {
  const files = await pageFiles();
  const code = newCode();
  const { promise: result, resolve } = Promise.withResolvers<PasskeyResult>();
  const app = fastify({
    bodyLimit: maximumBodyBytes,
    requestTimeout: requestTimeoutMs,
    schemaController: noSchemas,
    forceCloseConnections: true,
  });
  app.server.maxConnections = maximumConnections;
  let origin = '';
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    // Rejects DNS rebinding and pages of other origins.
    const isOwn = request.headers.origin === origin;
    if (`http://${request.headers.host}` !== origin) return await refuse(reply, 421, 'Wrong host.');
    if (request.method !== 'GET' && !isOwn) return await refuse(reply, 403, 'Wrong origin.');
    return undefined;
  });
  for (const [path, { type, text }] of files) {
    app.get(path, (_request, reply) => reply.type(type).send(text));
  }
  app.addHook('preHandler', async ({ method, body }, reply) => {
    if (method === 'GET') return undefined;
    const { code: typed } = membersOf(body);
    if (typeof typed === 'string' && equalBytes(utf8(typed), utf8(code))) return undefined;
    return await refuse(reply, 403, 'The code is wrong. Type the code that the terminal shows.');
  });
  app.post('/task', (_request, reply) => reply.send(task));
  app.post('/result', (request, reply) => {
    const { credentialId, encryptedSecret } = membersOf(request.body);
    if (typeof credentialId !== 'string' || typeof encryptedSecret !== 'string') {
      return refuse(reply, 400, 'The result of the page is incomplete.');
    }
    // The caller stops the server as soon as it has the result, so the reply must be sent first.
    reply.raw.once('close', () => resolve({ credentialId, encryptedSecret }));
    return reply.send({});
  });
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  origin = `http://localhost:${port}`;
  const beside = await listenAtIpv6(app.server, port).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  const stop = async () => {
    await Promise.all([app.close(), beside?.close()]);
  };
  return { url: `${origin}/`, code, result, stop };
}

/** Returns a new code. */
function newCode(): string {
  return Array.from({ length: codeCharacters }, () => codeAlphabet[randomInt(32)]).join('');
}

/** Members of a body, which the server parsed from JSON. */
function membersOf(body: unknown): JsonObject {
  const parsed = body as Json | undefined;
  return isJsonObject(parsed) ? parsed : {};
}

const refuse = (reply: FastifyReply, status: number, message: string) =>
  reply.code(status).send({ message });
