import type { Queries } from '../../client/generated/operations.ts';
import { Failure } from '../words/failures.ts';

export type WhoAmI = Queries['whoami']['result'];

/** Returns true if the service does not know the key. */
export const isUnknownKey = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && error.status === 401;

/**
 * Returns the organization for the profile: the requested organization, or a sub-organization. Throws
 * `not_verified`.
 */
export function organizationOf({ organizationId }: WhoAmI): string {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(organizationId);
  if (isId) return organizationId;
  throw new Failure({
    exit: 'not_verified',
    code: 'answer_malformed',
    message: 'The service names no organization.',
  });
}
