// Features of an organization on the command line.

import type { Submits } from '../../client/generated/operations.ts';
import { chosen } from './choices.ts';
import { operationNamed } from './operations.ts';

type FeatureName = Submits['set_organization_feature']['parameters']['name'];

/** Finds a feature by its short name (`otp-email-auth`) or its API name. Throws `usage` with the nearest. */
export async function featureNamed(word: string): Promise<FeatureName> {
  const operation = await operationNamed('set_organization_feature');
  const names = (operation?.parameters.properties?.['name']?.enum ?? []) as readonly FeatureName[];
  const shortOf = (name: string) =>
    name.replace('FEATURE_NAME_', '').toLowerCase().replaceAll('_', '-');
  return chosen(
    Object.fromEntries(names.map((name) => [shortOf(name), name])),
    shortOf(word),
    'org',
  );
}
