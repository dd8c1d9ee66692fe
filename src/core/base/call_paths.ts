/** The path of each kind of call, before the name of its operation; all are sent by `POST`. */
export const callPaths = {
  submit: '/public/v1/submit/',
  query: '/public/v1/query/',
  /** Path of the onboarding proxy. */
  proxy: '/v1/',
} as const;
