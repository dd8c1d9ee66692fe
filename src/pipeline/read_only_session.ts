// The opaque text of a read-only session: what it says was sealed by this service, so the service
// keeps nothing of it.

import { fail } from '../core/errors/errors.ts';
import type { ReadOnlySession } from '../core/users/read_only_session.ts';
import type { Ports } from './ports.ts';

/** Reads a session text. Raises `session_invalid`, `session_expired`. */
export function openSession(
  text: string,
  { serviceKeys, clock }: Pick<Ports, 'serviceKeys' | 'clock'>,
): ReadOnlySession {
  // Only we can have sealed it, so it has the form that we gave it.
  const session = serviceKeys.openToken(text) as ReadOnlySession | undefined;
  if (session === undefined) fail('session_invalid');
  if (clock() >= session.expiresAtMs) fail('session_expired');
  return session;
}
