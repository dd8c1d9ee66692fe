// Operations of public clients that this service does not serve, each with the reason.

const unserved: readonly (readonly [reason: string, operations: string])[] = [
  [
    'this service collects no fees of yields: a vault pays its fee as shares, which `earn_withdraw` redeems',
    'claim_earn_fees get_claim_earn_fees_status',
  ],
  [
    'each swap pays its fee to `feeReceiverWalletAddress` itself, so nothing is left to claim',
    'claim_swap_fees',
  ],
  [
    'this service has no provider of fiat money',
    'init_fiat_on_ramp get_onramp_transaction_status create_fiat_on_ramp_credential' +
      ' update_fiat_on_ramp_credential delete_fiat_on_ramp_credential list_fiat_on_ramp_credentials',
  ],
  [
    'this service does not support threshold signatures (FROST)',
    'spark_claim_transfer spark_prepare_lightning_receive spark_prepare_transfer spark_sign_frost',
  ],
  [
    'this service verifies no attestation of the receiving enclave',
    're_encrypt_tvc_quorum_key_share',
  ],
  [
    'this service runs no hardware of deployments',
    'get_tvc_deployment_debug_logs get_tvc_deployment_provisioning_details',
  ],
  ['the operation is internal to the hosted service', 'refresh_feature_flags test_rate_limits'],
];

/** Reasons by the names of the operations. */
export const unservedOperations: ReadonlyMap<string, string> = new Map(
  unserved.flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason] as const)),
);
