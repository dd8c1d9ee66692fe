import { createApp } from '../../core/deployments/apps.ts';
import {
  answerInteger,
  answerList,
  answerText,
  boolean,
  label,
  object,
  optional,
  uuid,
} from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { keyPair, operatorSetParameters } from './deployment_shapes.ts';

export const create_tvc_app = activity({
  wire: wireOf('ACTIVITY_TYPE_CREATE_TVC_APP'),
  summary:
    'Registers an application for enclaves, with the operators who approve its manifests and those who hold its quorum key. Send each set either by its ID or with its members.',
  subject: { resource: 'TVC_APP', action: 'CREATE' },
  authority: 'none',
  parameters: object({
    name: label(),
    quorumPublicKey: keyPair(),
    manifestSetId: optional(uuid()),
    manifestSetParams: optional(operatorSetParameters()),
    shareSetId: optional(uuid()),
    shareSetParams: optional(operatorSetParameters()),
    enableEgress: optional(boolean()),
    enableDebugModeDeployments: optional(boolean()),
  }),
  result: object({
    appId: answerText(),
    manifestSetId: answerText(),
    manifestSetOperatorIds: answerList(answerText()),
    manifestSetThreshold: answerInteger(),
    shareSetId: answerText(),
    shareSetOperatorIds: answerList(answerText()),
    shareSetThreshold: answerInteger(),
  }),

  apply: ({ organization, parameters, context }) => {
    const { app, manifestSet, shareSet } = createApp(parameters, organization, context);
    return {
      appId: app.id,
      manifestSetId: manifestSet.id,
      manifestSetOperatorIds: manifestSet.operatorIds,
      manifestSetThreshold: manifestSet.threshold,
      shareSetId: shareSet.id,
      shareSetOperatorIds: shareSet.operatorIds,
      shareSetThreshold: shareSet.threshold,
    };
  },
});
