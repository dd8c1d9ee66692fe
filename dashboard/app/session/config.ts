// The configuration, which the server publishes next to the page. It needs no sign-in.

export type Config = {
  readonly version: string;
  /** Absolute. */
  readonly apiUrl: string;
  readonly organizationId?: string;
  /** Absolute. */
  readonly authProxyUrl?: string;
  readonly authProxyConfigId?: string;
  readonly passkeyRpId?: string;
  readonly sessionProfileId?: string;
  /** `false`: a command on the user's machine serves the page, where passkeys of the service do not work. */
  readonly passkeys?: boolean;
  readonly development: boolean;
  readonly developmentToken?: string;
};

/** Fetches `config.json`. Throws if the request fails or the content is not JSON. */
export async function fetchConfig(): Promise<Config> {
  const answer = await fetch('/dashboard/config.json');
  if (!answer.ok) throw new Error(`config.json: ${answer.status}`);
  const config: Config = await answer.json();
  const absolute = (url: string): string => new URL(url, location.origin).href;
  const { apiUrl, authProxyUrl } = config;
  const proxy = authProxyUrl === undefined ? {} : { authProxyUrl: absolute(authProxyUrl) };
  return { ...config, apiUrl: absolute(apiUrl), ...proxy };
}
