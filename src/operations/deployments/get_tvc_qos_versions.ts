import { latestQosVersion, qosVersions } from '../../core/deployments/qos_versions.ts';
import { answerList, answerText, object } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';

export const get_tvc_qos_versions = query({
  summary: 'Lists the versions of QuorumOS that deployments may name, oldest first.',
  body: object({}),
  response: object({ availableVersions: answerList(answerText()), latestVersion: answerText() }),

  answer: () => ({ availableVersions: qosVersions, latestVersion: latestQosVersion }),
});
