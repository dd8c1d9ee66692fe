// Features of an organization, by the words that people type.

import type { Submits } from '../../client/generated/operations.ts';
import { chosen } from './choices.ts';
import { operationNamed } from './operations.ts';

type FeatureName = Submits['set_organization_feature']['parameters']['name'];

/** A feature by its name: `otp-email-auth`, or as the API spells it. Raises `usage` with the nearest. */
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
