import { usage } from './failures.ts';

/** Values of all common options. Options that a command lacks are absent or false. */
export type CommonValues = {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: string | undefined;
  readonly help: boolean;
  readonly profile: string | undefined;
  readonly url: string | undefined;
  readonly organization: string | undefined;
  readonly credentials: string | undefined;
  readonly 'key-passphrase-file': string | undefined;
  readonly verbose: boolean;
  readonly 'dry-run': boolean;
  readonly curl: boolean;
  readonly wait: string | undefined;
  readonly yes: boolean;
  readonly 'no-input': boolean;
};

/** Values of a command without common options. */
export const noCommonValues: CommonValues = {
  json: false,
  quiet: false,
  color: undefined,
  help: false,
  profile: undefined,
  url: undefined,
  organization: undefined,
  credentials: undefined,
  'key-passphrase-file': undefined,
  verbose: false,
  'dry-run': false,
  curl: false,
  wait: undefined,
  yes: false,
  'no-input': false,
};

/** Throws `usage` for `--dry-run` and `--curl`, in commands whose requests depend on earlier answers. */
export function requireSending(
  { 'dry-run': dryRun, curl }: Pick<CommonValues, 'dry-run' | 'curl'>,
  words: string,
  next?: string,
): void {
  if (dryRun || curl) throw usage(`${words} takes no --dry-run and no --curl`, next);
}
