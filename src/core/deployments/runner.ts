// The state of running containers. Running them is not part of this service.

import type { TvcDeployment } from '../organization/records/deployments.ts';

export type DeploymentStatus = {
  readonly readyReplicas: number;
  /** When that was so, in milliseconds since 1970. */
  readonly atMs: number;
};

/** Whatever runs deployments, as far as the registry asks for it. */
export type DeploymentRunner = {
  /** Undefined as long as nothing is known. */
  status(deployment: TvcDeployment): DeploymentStatus | undefined;
  /** Nothing is left of it: it cannot be restored any more. */
  isCleanedUp(deployment: TvcDeployment): boolean;
};

/** Somebody else runs them, and says so by `set_tvc_deployment_status`. */
export const externalRunner: DeploymentRunner = {
  status: ({ report }) => report && { readyReplicas: report.readyReplicas, atMs: report.atMs },
  isCleanedUp: ({ report }) => report?.isCleanedUp === true,
};
