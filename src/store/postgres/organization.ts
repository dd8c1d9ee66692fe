// Reads the organization of a request from PostgreSQL in one round trip.

import { assert } from '../../core/errors/errors.ts';
import type { OrganizationAnswer, OrganizationRequest } from '../port.ts';
import { reads } from '../reads/reads.ts';
import { activityOfRow, integerOf } from '../tables/rows.ts';
import { type QueryStep, runSteps } from '../tables/steps.ts';
import { beginSnapshot, endSnapshot, statementOfStep, versionAndActivity } from './queries.ts';
import type { Session } from './session.ts';

/** Returns an organization together with the request's further rows. */
export async function readOrganization(
  session: Session,
  request: OrganizationRequest,
): Promise<OrganizationAnswer> {
  return (await unchangedOrganization(session, request)) ?? wholeOrganization(session, request);
}

/** Answers in one round trip if the caller has the newest version or the organization does not exist. */
async function unchangedOrganization(
  session: Session,
  { organizationId, knownVersion, fingerprint }: OrganizationRequest,
): Promise<OrganizationAnswer | undefined> {
  if (knownVersion === 0) return undefined;
  const statement = versionAndActivity(
    organizationId,
    fingerprint?.bucket ?? null,
    fingerprint?.fingerprint ?? null,
  );
  const [[row] = []] = await session.all([statement]);
  const version = row?.['current_version'] ?? undefined;
  if (row === undefined || (version !== undefined && version !== knownVersion)) return undefined;
  return {
    version: version === undefined ? undefined : integerOf(version),
    guard: version === undefined ? undefined : integerOf(row['current_guard']),
    organization: undefined,
    records: [],
    activity: row['id'] === null ? undefined : activityOfRow(row),
  };
}

/** Sends all queries in one round trip, then runs the steps on the results. */
async function wholeOrganization(
  session: Session,
  request: OrganizationRequest,
): Promise<OrganizationAnswer> {
  const { organizationId, kinds, fingerprint: asked } = request;
  const ofFingerprint = asked && [asked.bucket, asked.fingerprint, organizationId];
  const steps: readonly QueryStep[] = [
    { query: 'organization', values: [organizationId] },
    { query: 'recordsOfKind', values: [organizationId], each: [...new Set(kinds)] },
    ...(ofFingerprint === undefined
      ? []
      : [{ query: 'activityOfFingerprint', values: ofFingerprint } as const]),
  ];
  const [, ...answers] = await session.all([
    beginSnapshot,
    ...steps.map(statementOfStep),
    endSnapshot,
  ]);
  const rowsOfQuery = new Map(steps.map(({ query }, i) => [query, answers[i]]));
  return runSteps(reads.organization(request), ({ query }) => {
    const rows = rowsOfQuery.get(query);
    assert(rows !== undefined, 'what is asked of an organization was asked before');
    return rows;
  });
}
