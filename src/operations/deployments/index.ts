import { create_tvc_app } from './create_tvc_app.ts';
import { create_tvc_deployment } from './create_tvc_deployment.ts';
import { create_tvc_manifest_approvals } from './create_tvc_manifest_approvals.ts';
import { create_tvc_operator } from './create_tvc_operator.ts';
import { create_tvc_quorum_key } from './create_tvc_quorum_key.ts';
import { delete_tvc_app_and_deployments } from './delete_tvc_app_and_deployments.ts';
import { delete_tvc_deployment } from './delete_tvc_deployment.ts';
import { get_app_status } from './get_app_status.ts';
import { get_tvc_app } from './get_tvc_app.ts';
import { get_tvc_deployment } from './get_tvc_deployment.ts';
import { get_tvc_qos_versions } from './get_tvc_qos_versions.ts';
import { list_tvc_app_deployments } from './list_tvc_app_deployments.ts';
import { list_tvc_apps } from './list_tvc_apps.ts';
import { list_tvc_operators } from './list_tvc_operators.ts';
import { list_tvc_quorum_keys } from './list_tvc_quorum_keys.ts';
import { post_tvc_quorum_key_share } from './post_tvc_quorum_key_share.ts';
import { restore_tvc_deployment } from './restore_tvc_deployment.ts';
import { set_tvc_app_live_deployment } from './set_tvc_app_live_deployment.ts';
import { set_tvc_deployment_status } from './set_tvc_deployment_status.ts';
import { validate_tvc_image } from './validate_tvc_image.ts';

export const deploymentActivities = {
  create_tvc_operator,
  create_tvc_app,
  delete_tvc_app_and_deployments,
  create_tvc_deployment,
  create_tvc_manifest_approvals,
  set_tvc_app_live_deployment,
  delete_tvc_deployment,
  restore_tvc_deployment,
  set_tvc_deployment_status,
  create_tvc_quorum_key,
  post_tvc_quorum_key_share,
};
export const deploymentQueries = {
  get_tvc_app,
  list_tvc_apps,
  get_tvc_deployment,
  list_tvc_app_deployments,
  list_tvc_operators,
  list_tvc_quorum_keys,
  get_app_status,
  get_tvc_qos_versions,
  validate_tvc_image,
};
