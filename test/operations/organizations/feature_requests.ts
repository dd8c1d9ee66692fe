import assert from 'node:assert/strict';
import type { Feature } from '../../../src/core/organization/model.ts';
import type { Sender, TestService } from '../../support/harness.ts';

/** Returns the features as the service shows them. */
export async function shownFeatures(
  service: TestService,
  as: Sender = {},
): Promise<readonly Feature[]> {
  const { status, body } = await service.query('get_organization_configs', {}, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.configs.features;
}

/** Sets a feature as the root user; returns the resulting list. */
export async function setFeature(
  service: TestService,
  name: string,
  value = '',
  as: Sender = {},
): Promise<readonly Feature[]> {
  const type = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE';
  const parameters = { name, value };
  const { status, body } = await service.submit('set_organization_feature', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.setOrganizationFeatureResult.features;
}
