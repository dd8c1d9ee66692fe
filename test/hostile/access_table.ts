// The access rules from the cases of the operations, written by hand from the expectations of public
// clients and their documents.

import type { Rule } from '../operations/case.ts';
import { activityCases, queryCases } from '../operations/cases.ts';

export type { Rule } from '../operations/case.ts';

export type SubmitRow = {
  readonly operation: string;
  /** The activity types that are accepted, newest first, without `ACTIVITY_TYPE_`. */
  readonly types: readonly string[];
  /** `activity.resource` and `activity.action`. */
  readonly resource: string;
  readonly action: string;
  readonly rule: Rule;
  /** A user of the parent may call it in the child, under the parent's policies. */
  readonly parentActs: boolean;
  /** A caller who names the parent acts in the child that holds the credential. */
  readonly findsChild: boolean;
};

/** `POST /public/v1/submit/…`, without the votes. */
export const submitRows: readonly SubmitRow[] = Object.entries(activityCases).map(
  ([operation, { types, subject, rule, parentActs = false, findsChild = false }]) => {
    const [resource = '', action = ''] = subject.split(' ');
    return { operation, types: types.split(' '), resource, action, rule, parentActs, findsChild };
  },
);

/** `POST /public/v1/submit/…`: votes, for users whose vote counts for the activity. */
export const voteRows: Readonly<Record<string, string>> = {
  approve_activity: 'APPROVE_ACTIVITY',
  reject_activity: 'REJECT_ACTIVITY',
};

const queriesThat = (findsChild: boolean): readonly string[] =>
  Object.entries(queryCases).flatMap(([name, read]) =>
    (read.findsChild ?? false) === findsChild ? [name] : [],
  );

/**
 * `POST /public/v1/query/…`: every user of the organization and of its parent reads everything; no policy
 * restricts this.
 */
export const queryNames: readonly string[] = queriesThat(false);

/** The queries that find their caller in a child of the named parent. */
export const queriesThatFindChild = queriesThat(true);

/**
 * `POST {auth_proxy_url}/v1/…`: no stamp, but the id of a configuration; if captchas are enabled, some of
 * them require a captcha token.
 */
export const proxyRows: Readonly<Record<string, { readonly takesCaptcha: boolean }>> = {
  account: { takesCaptcha: false },
  oauth2_authenticate: { takesCaptcha: false },
  oauth_login: { takesCaptcha: false },
  otp_init: { takesCaptcha: true },
  otp_init_v2: { takesCaptcha: true },
  otp_login: { takesCaptcha: false },
  otp_login_v2: { takesCaptcha: false },
  otp_verify: { takesCaptcha: false },
  otp_verify_v2: { takesCaptcha: false },
  signup: { takesCaptcha: true },
  signup_v2: { takesCaptcha: true },
  wallet_kit_client_params: { takesCaptcha: false },
  wallet_kit_config: { takesCaptcha: false },
};
