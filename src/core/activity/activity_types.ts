// The activity types that a filter may name: those of the operations and votes, and further ones that public
// clients know. An application that filters by every type it knows gets an answer.

import { servedKinds, voteTypes } from '../generated/served_kinds.ts';

/** Kinds that public clients know and no operation serves, by the number of their versions. */
const furtherKinds: readonly (readonly [versions: number, kinds: string])[] = [
  [4, 'EXECUTE_SWAP'],
  [3, 'CREATE_SWAP_QUOTE'],
  [2, 'ACCEPT_INVITATION CREATE_ORGANIZATION SET_PAYMENT_METHOD'],
  [
    1,
    'ACTIVATE_BILLING_TIER CLAIM_EARN_FEES CLAIM_SWAP_FEES CREATE_FIAT_ON_RAMP_CREDENTIAL' +
      ' CREATE_FIAT_ON_RAMP_SESSION CREATE_TVC_QUORUM_KEY DELETE_FIAT_ON_RAMP_CREDENTIAL DELETE_ORGANIZATION' +
      ' DELETE_PAYMENT_METHOD DISABLE_PRIVATE_KEY EARN_CLAIM_REWARDS EARN_DEPLOY_WRAPPER' +
      ' EARN_DEPOSIT EARN_SET_WRAPPER_STATE EARN_WITHDRAW INIT_FIAT_ON_RAMP' +
      ' POST_TVC_QUORUM_KEY_SHARE RE_ENCRYPT_TVC_QUORUM_KEY_SHARE SPARK_CLAIM_TRANSFER' +
      ' SPARK_PREPARE_LIGHTNING_RECEIVE SPARK_PREPARE_TRANSFER SPARK_SIGN_FROST' +
      ' UPDATE_ALLOWED_ORIGINS UPDATE_FIAT_ON_RAMP_CREDENTIAL UPDATE_PAYMENT_METHOD' +
      ' UPDATE_WALLET_ACCOUNT_NAME UPSERT_SWAP_CONFIG',
  ],
];

export const activityTypes: ReadonlySet<string> = new Set([
  ...servedKinds.flatMap(({ types }) => types),
  ...voteTypes,
  ...furtherKinds.flatMap(([versions, names]) =>
    names
      .split(' ')
      .flatMap((name) =>
        Array.from(
          { length: versions },
          (_, i) => `ACTIVITY_TYPE_${name}${i === 0 ? '' : `_V${i + 1}`}`,
        ),
      ),
  ),
]);
