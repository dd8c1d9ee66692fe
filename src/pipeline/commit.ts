// Step 11: the outcome becomes durable, in one atomic change.

import { isIdToken } from '../core/auth/oidc_token.ts';
import { usedBefore } from '../core/auth/verifications.ts';
import { fail, type ServiceError } from '../core/errors/errors.ts';
import { isUuid } from '../core/schema/formats.ts';
import { PolicyRefusedError } from '../core/views/policy_refused_error.ts';
import type { Ports } from './ports.ts';
import type { RecordedOutcome } from './record.ts';

/** Maximum rows that are sealed in the current turn of the event loop; more wait for the next turn. */
const maximumRowsInTurn = 50;

/**
 * Commits an outcome and then sends its messages; a dry run does neither. Returns false if another change was
 * committed first. Raises the recorded refusal once it is durable, and `verification_token_invalid` or
 * `oidc_token_invalid`.
 */
export async function commit(
  decided: RecordedOutcome,
  { dryRun }: { readonly dryRun: boolean },
  {
    repository,
    external,
    pause,
    recordedRefusals,
  }: Pick<Ports, 'repository' | 'external' | 'pause' | 'recordedRefusals'>,
): Promise<boolean> {
  await requireUnclaimed(decided, repository);
  const outcome = await withNewUses(decided, repository);
  if (dryRun) return true;
  requireRecorded(outcome, recordedRefusals);
  if (rowsOf(outcome) > maximumRowsInTurn) await pause();
  const committed = await repository.commit(outcome);
  if (committed === 'conflict') return false;
  if (committed === 'committed') for (const run of outcome.afterCommit ?? []) run();
  if (committed === 'committed' && outcome.messages.length > 0) {
    await external.deliver(outcome.messages);
  }
  if (outcome.refusal !== undefined) throw await recordedRefusal(outcome, committed, repository);
  return committed === 'committed';
}

/** Raises a refusal unrecorded if its user already has many. The organization is unchanged. */
function requireRecorded(
  { refusal, activity, changes }: RecordedOutcome,
  { mayRecord }: Ports['recordedRefusals'],
): void {
  const isPlain = changes.head === undefined && changes.records.length === 0;
  if (refusal === undefined || activity.version > 1 || !isPlain) return;
  if (mayRecord(activity.organizationId, activity.submitterId)) return;
  throw refusal instanceof PolicyRefusedError ? refusal.notKept() : refusal;
}

function rowsOf({ changes, children }: RecordedOutcome): number {
  const ofChildren = children.map((child) => child.changes.records.length);
  return ofChildren.reduce((sum, each) => sum + each, changes.records.length);
}

/** Returns a recorded refusal again, with the ID of its activity. */
async function recordedRefusal(
  { refusal, fingerprint, state }: RecordedOutcome,
  committed: 'committed' | 'duplicate',
  repository: Pick<Ports['repository'], 'organization'>,
): Promise<ServiceError | undefined> {
  if (committed === 'committed' || !(refusal instanceof PolicyRefusedError)) return refusal;
  const { activity } = await repository.organization(state.id, fingerprint);
  return activity === undefined ? refusal : refusal.keptAs(activity.id);
}

/**
 * Rejects an outcome whose token was already used in the deployment. A use between this check and the commit
 * makes the commit a conflict. An operation checks its other claims when it loads. If another request takes
 * one of them later, the commit is also a conflict.
 */
async function requireUnclaimed(
  { changes: { claims = [] } }: RecordedOutcome,
  repository: Pick<Ports['repository'], 'isClaimed'>,
): Promise<void> {
  for (const tokenId of claims) {
    if (!isIdToken(tokenId) && !isUuid(tokenId)) continue;
    if (await repository.isClaimed(tokenId)) {
      const refusal = isIdToken(tokenId) ? 'oidc_token_invalid' : 'verification_token_invalid';
      fail(refusal, { reason: usedBefore });
    }
  }
}

/** Claims the noted tokens that are still unused. A concurrent use makes the commit a conflict. */
async function withNewUses(
  outcome: RecordedOutcome,
  repository: Pick<Ports['repository'], 'isClaimed'>,
): Promise<RecordedOutcome> {
  const { claims = [], uses = [] } = outcome.changes;
  if (uses.length === 0) return outcome;
  const added: string[] = [];
  for (const tokenId of uses) {
    if (!claims.includes(tokenId) && !(await repository.isClaimed(tokenId))) added.push(tokenId);
  }
  return { ...outcome, changes: { ...outcome.changes, claims: [...claims, ...added] } };
}
