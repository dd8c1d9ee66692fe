/** Path prefix of each kind of call, before the name of the operation. All calls use `POST`. */
export const callPaths = {
  submit: '/public/v1/submit/',
  query: '/public/v1/query/',
  /** Path of the onboarding proxy. */
  proxy: '/v1/',
} as const;
