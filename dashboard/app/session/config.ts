// The configuration that the server adds to the page, before any sign-in.

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
  /** `false`: the page is served apart from its service, whose passkeys belong to another host. */
  readonly passkeys?: boolean;
  readonly development: boolean;
  readonly developmentToken?: string;
};

/** Fetches `config.json`. Raises what `fetch` raises, and for anything that is no configuration. */
export async function fetchConfig(): Promise<Config> {
  const answer = await fetch('/dashboard/config.json');
  if (!answer.ok) throw new Error(`config.json: ${answer.status}`);
  const config: Config = await answer.json();
  const absolute = (url: string): string => new URL(url, location.origin).href;
  const { apiUrl, authProxyUrl } = config;
  const proxy = authProxyUrl === undefined ? {} : { authProxyUrl: absolute(authProxyUrl) };
  return { ...config, apiUrl: absolute(apiUrl), ...proxy };
}
