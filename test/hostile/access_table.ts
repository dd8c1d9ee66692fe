// Who may do what, as the cases of the operations have it: written by hand from what public clients and
// their documents expect.

import type { Rule } from '../operations/case.ts';
import { activityCases, queryCases } from '../operations/cases.ts';

export type { Rule } from '../operations/case.ts';

export type SubmitRow = {
  readonly operation: string;
  /** The activity types that are accepted, the newest first, without `ACTIVITY_TYPE_`. */
  readonly types: readonly string[];
  /** `activity.resource` and `activity.action`. */
  readonly resource: string;
  readonly action: string;
  readonly rule: Rule;
  /** A user of the parent may ask for it, as the parent's policies say. */
  readonly parentActs: boolean;
  /** Whoever names the parent acts in the child where the credential lives. */
  readonly findsChild: boolean;
};

/** `POST /public/v1/submit/…`, the votes aside. */
export const submitRows: readonly SubmitRow[] = Object.entries(activityCases).map(
  ([operation, { types, subject, rule, parentActs = false, findsChild = false }]) => {
    const [resource = '', action = ''] = subject.split(' ');
    return { operation, types: types.split(' '), resource, action, rule, parentActs, findsChild };
  },
);

/** `POST /public/v1/submit/…`: votes, for whoever counts for the activity that is voted on. */
export const voteRows: Readonly<Record<string, string>> = {
  approve_activity: 'APPROVE_ACTIVITY',
  reject_activity: 'REJECT_ACTIVITY',
};

const queriesThat = (findsChild: boolean): readonly string[] =>
  Object.entries(queryCases).flatMap(([name, read]) =>
    (read.findsChild ?? false) === findsChild ? [name] : [],
  );

/**
 * `POST /public/v1/query/…`: every user of the organization and of its parent reads all of it; no policy
 * takes that away.
 */
export const queryNames: readonly string[] = queriesThat(false);

/** The one query that finds its caller below the parent that is named. */
export const queryThatFindsChild = queriesThat(true).join(' ');

/**
 * `POST {auth_proxy_url}/v1/…`: no stamp, but the id of a configuration; where a captcha is switched on,
 * for some of them the token of one.
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
