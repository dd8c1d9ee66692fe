// Statements of the specification as tests. docs/conformance.md takes the ids from the titles. Requests are
// sent to a service, which by default does not carry them out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8 } from '../../src/core/base/bytes.ts';
import { type Tenant, type Tenants, tenantIssuer } from '../hostile/tenants.ts';
import { activityBody } from '../operations/checks.ts';
import { stampOf, type TestAnswer, type TestKey } from '../support/harness.ts';
import { nonceOf } from '../support/identity_provider.ts';

/** Defines a test of the statements with these ids, which are separated by spaces. */
export function statement(ids: string, says: string, check: () => Promise<void> | void): void {
  test(`${ids}: ${says}`, check);
}

// biome-ignore lint/suspicious/noExplicitAny: bodies and answers are looked into by path
export type Members = Record<string, any>;

/** Returns a body with one changed member, which a path names: `authenticator.attestation.transports`. */
export function changed(body: Members, path: string, value: unknown): Members {
  const copy = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce((inside, name) => inside[name], copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

/** Values that are not a text, a number, a list …; `undefined` leaves the member out. */
export const otherThan = {
  text: [null, true, {}, ['text']],
  boolean: [null, 'true', 1, {}],
  list: [null, 'list', {}, 1],
  object: [null, 'object', [], 1],
} as const;

/** Checks that each wrong form of a required member, and its absence, is refused with its name. */
export async function checkRequired(
  send: (body: Members) => Promise<TestAnswer>,
  body: Members,
  path: string,
  field: string,
  wrong: readonly unknown[],
): Promise<void> {
  assertAccepted(await send(body));
  for (const value of [undefined, ...wrong]) {
    assertNames(await send(changed(body, path, value)), field, value);
  }
}

/**
 * Checks that an optional member may be absent, that each good form is accepted, and that others are
 * refused with its name.
 */
export async function checkOptional(
  send: (body: Members) => Promise<TestAnswer>,
  body: Members,
  path: string,
  field: string,
  good: readonly unknown[],
  wrong: readonly unknown[],
): Promise<void> {
  for (const value of [undefined, ...good]) assertAccepted(await send(changed(body, path, value)));
  for (const value of wrong) assertNames(await send(changed(body, path, value)), field, value);
}

export function assertAccepted({ status, body }: TestAnswer): void {
  assert.equal(status, 200, JSON.stringify(body));
  if (body.dryRun !== undefined) assert.equal(body.dryRun.outcome, 'ALLOW', JSON.stringify(body));
}

/** Asserts a refusal that names a member, or a part of it. */
export function assertNames({ status, body }: TestAnswer, field: string, value: unknown): void {
  const what = `${JSON.stringify(value)}: ${JSON.stringify(body)}`;
  assert.deepEqual([status, body.code], [400, 3], what);
  const [violation] = body.details?.[0]?.fieldViolations ?? [];
  const isNamed = violation?.field === field || violation?.field?.startsWith(`${field}.`) === true;
  assert.ok(isNamed, what);
}

/** Sends a request for a decision, without carrying it out. */
export async function tried(
  { service }: Tenants,
  operation: string,
  body: Uint8Array,
  key: TestKey,
): Promise<TestAnswer> {
  const { status, body: answer } = await service.enclave.request({
    requestId: 'tried',
    kind: 'dry_run',
    operation,
    headers: [stampOf(body, key)],
    body,
    timestampObjects: false,
    remoteAddress: '127.0.0.1',
  });
  return { status, body: JSON.parse(textOfUtf8(answer) ?? '') };
}

/** Returns the body of an activity of a tenant’s root user. */
export const bodyOf = (tenants: Tenants, tenant: Tenant, type: string, parameters: Members) =>
  activityBody(tenants.service, type, parameters, tenant.organizationId);

/** Returns a token for the plain user of a tenant, or for another subject, for a session of this key. */
export const oidcTokenFor = (tenants: Tenants, publicKey: string, sub: string): string =>
  tenantIssuer.token(tenants.service, { sub, nonce: nonceOf(publicKey) });
