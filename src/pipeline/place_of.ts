// Determines the place of a request in the line of its organization.

import { strangerAt } from '../core/auth/one_time_codes/otp_limits.ts';
import type { OrganizationState } from '../core/organization/state.ts';
import type { Subject } from '../core/policy/decision/access.ts';
import type { Caller } from '../operations/operation.ts';
import type { LinePlace } from './change_lines.ts';
import type { ParsedActivity, ParsedVote } from './parse.ts';
import type { Request } from './ports.ts';

/** Resources whose deletion revokes rights. */
const revocable: ReadonlySet<string> = new Set<Subject['resource']>([
  'USER',
  'CREDENTIAL',
  'INVITATION',
  'POLICY',
  'AUTH_PROXY',
]);

/** Returns the place of a request with a known user. `deciding` is the organization that decides. */
export function placeOf({
  request,
  caller,
  deciding,
  parsed,
}: {
  readonly request: Pick<Request, 'isOwn' | 'remoteAddress'>;
  readonly caller: Caller;
  readonly deciding: OrganizationState;
  readonly parsed: ParsedActivity | ParsedVote;
}): LinePlace {
  const userId = caller.user.id;
  if (request.isOwn === true) {
    return { rank: 'strangers', userId, source: strangerAt(request.remoteAddress) };
  }
  const isFirst = deciding.head.rootQuorum.userIds.includes(userId) || isRevocation(parsed);
  return { rank: isFirst ? 'first' : 'users', userId, source: '' };
}

function isRevocation(parsed: ParsedActivity | ParsedVote): boolean {
  if (parsed.kind === 'vote') return false;
  const { resource, action } = parsed.operation.subject;
  return action === 'DELETE' && revocable.has(resource);
}
