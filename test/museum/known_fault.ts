// The form of a row of known faults.

export type KnownFault = {
  readonly fault: string;
  /** Public report. */
  readonly source: string;
  /** Name of the report: a CVE, an advisory or an issue. */
  readonly report: string;
  /** Behaviour of the service that avoids the fault. */
  readonly here: string;
  /** Files below `test/` with the titles of tests in them, as the sources spell them. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
};

/** Returns the page of a CVE in the national database. */
export const nvd = (id: string) => ({
  report: id,
  source: `https://nvd.nist.gov/vuln/detail/${id}`,
});
/** Returns the thread of a repository. */
export const issue = (path: string) => {
  const [owner, name, , number] = path.split('/');
  return { report: `${owner}/${name}#${number}`, source: `https://github.com/${path}` };
};
