// The state of containers that an external runner runs.

import type { TvcDeployment } from '../organization/records/deployments.ts';

type DeploymentStatus = {
  readonly readyReplicas: number;
  /** Time of the report, in milliseconds since 1970. */
  readonly atMs: number;
};

/** The interface of the program that runs deployments, as the registry uses it. */
type DeploymentRunner = {
  /** Returns undefined until there is a report. */
  status(deployment: TvcDeployment): DeploymentStatus | undefined;
  /** Returns true if the deployment was cleaned up and cannot be restored. */
  isCleanedUp(deployment: TvcDeployment): boolean;
};

/** An external runner that reports by `set_tvc_deployment_status`. */
export const externalRunner: DeploymentRunner = {
  status: ({ report }) => report && { readyReplicas: report.readyReplicas, atMs: report.atMs },
  isCleanedUp: ({ report }) => report?.isCleanedUp === true,
};
