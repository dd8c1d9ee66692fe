// Shapes that the operations on applications and deployments share.

import { maximumMembers } from '../../core/deployments/operators.ts';
import {
  healthCheckTypes,
  operatorKeySources,
} from '../../core/organization/records/deployments.ts';
import {
  answerInteger,
  answerList,
  answerText,
  boolean,
  integer,
  label,
  list,
  object,
  oneOf,
  optional,
  text,
  timestamps,
  uuid,
} from '../../core/schema/schema.ts';

export const healthCheckType = () => oneOf(healthCheckTypes);

export const imageUrl = () => text({ minimum: 1, maximum: 2_000 });
export const pullSecret = () => text({ maximum: 10_000 });

/** A port number, 1 to 65535. */
export const port = () => integer({ minimum: 1, maximum: 65_535 });

/** The public key of an operator or an application; core/deployments/operator_keys.ts has its form. */
export const keyPair = () =>
  text({
    minimum: 1,
    maximum: 300,
  });

/** An operator set to create, or to find by an equal description. */
export const operatorSetParameters = () =>
  object({
    name: label(),
    newOperators: optional(
      list(object({ name: label(), publicKey: keyPair() }), { maximum: maximumMembers }),
    ),
    existingOperatorIds: optional(list(uuid(), { maximum: maximumMembers })),
    threshold: integer({ minimum: 1, maximum: maximumMembers }),
  });

export const operatorShape = () =>
  object({
    id: answerText(),
    name: answerText(),
    publicKey: answerText(),
    encryptPublicKey: answerText(),
    signPublicKey: answerText(),
    keySource: oneOf(operatorKeySources),
    ...timestamps(),
  });

const operatorSetShape = () =>
  object({
    id: answerText(),
    name: answerText(),
    organizationId: answerText(),
    operators: answerList(operatorShape()),
    threshold: answerInteger(),
    ...timestamps(),
  });

export const appShape = () =>
  object({
    id: answerText(),
    organizationId: answerText(),
    name: answerText(),
    quorumPublicKey: answerText(),
    manifestSet: operatorSetShape(),
    shareSet: operatorSetShape(),
    enableEgress: boolean(),
    ...timestamps(),
    liveDeploymentId: optional(answerText()),
    publicDomain: answerText(),
    enableDebugModeDeployments: boolean(),
  });

/** `manifest` and `approval` are in base64: JSON in UTF-8, and a signature. */
export const deploymentShape = () =>
  object({
    id: answerText(),
    organizationId: answerText(),
    appId: answerText(),
    manifestSet: operatorSetShape(),
    shareSet: operatorSetShape(),
    manifest: object({ id: answerText(), manifest: answerText(), ...timestamps() }),
    manifestApprovals: answerList(
      object({
        id: answerText(),
        manifestId: answerText(),
        operator: operatorShape(),
        approval: answerText(),
        ...timestamps(),
      }),
    ),
    qosVersion: answerText(),
    pivotContainer: object({
      containerUrl: answerText(),
      path: answerText(),
      args: answerList(answerText()),
      hasPullSecret: boolean(),
      healthCheckType: healthCheckType(),
      healthCheckPort: answerInteger(),
      publicIngressPort: answerInteger(),
    }),
    ...timestamps(),
    delete: boolean(),
    debugMode: boolean(),
    instanceSizeCpus: optional(answerInteger()),
    instanceSizeRam: optional(answerInteger()),
  });
