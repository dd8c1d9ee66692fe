import {
  createDeployment,
  maximumArgumentCharacters,
  maximumNonce,
} from '../../core/deployments/deployments.ts';
import {
  answerText,
  boolean,
  integer,
  list,
  object,
  optional,
  text,
  uuid,
} from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { healthCheckType, imageUrl, port, pullSecret } from './deployment_shapes.ts';

/** `instanceSizeRam` is in GiB. */
export const create_tvc_deployment = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_TVC_DEPLOYMENT'),
  summary:
    'Registers a version of an application and creates its manifest, which operators then approve.',
  subject: { resource: 'TVC_DEPLOYMENT', action: 'CREATE' },
  authority: 'none',
  parameters: object({
    appId: uuid(),
    qosVersion: text({ minimum: 1, maximum: 50 }),
    pivotContainerImageUrl: imageUrl(),
    pivotPath: text({ minimum: 1, maximum: 2_000 }),
    pivotArgs: list(text({ maximum: maximumArgumentCharacters })),
    expectedPivotDigest: text({
      minimum: 1,
      maximum: 100,
    }),
    nonce: optional(integer({ minimum: 0, maximum: maximumNonce })),
    pivotContainerEncryptedPullSecret: optional(pullSecret()),
    debugMode: optional(boolean()),
    healthCheckType: healthCheckType(),
    healthCheckPort: port(),
    publicIngressPort: port(),
    replicas: optional(integer({ minimum: 1, maximum: 100 })),
    instanceSizeCpus: optional(integer({ minimum: 1, maximum: 1_000 })),
    instanceSizeRam: optional(integer({ minimum: 1, maximum: 10_000 })),
  }),
  result: object({ deploymentId: answerText(), manifestId: answerText() }),

  apply: ({ organization, parameters, context }) => {
    const { id, manifestId } = createDeployment(parameters, organization, context);
    return { deploymentId: id, manifestId };
  },
});
