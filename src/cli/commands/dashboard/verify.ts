import type { BuiltDashboard } from '../../../gateway/dashboard/built_files.ts';
import { command } from '../../command_line/command.ts';
import { installed } from '../../dashboard/installed_dashboard.ts';
import { readFileBounded } from '../../files/files.ts';
import type { Output } from '../../output/output.ts';
import { failVerification, showVerified } from '../../output/verified.ts';
import { findServiceUrl } from '../../profiles/profiles.ts';
import { Failure, usage } from '../../words/failures.ts';
import { option } from '../../words/options.ts';

/** Upper bound for key and signature files. A PEM key has 113 bytes, a signature has 64. */
const maximumKeyBytes = 4096;

export default command({
  summary: 'Compares the dashboard that a service serves with the one of this package.',
  reach: 'reads',
  node: 26,
  arguments: [
    {
      name: 'url',
      summary: 'Address of the service. Default: the address of the profile.',
      count: 'optional',
    },
  ],
  options: {
    from: option('FOLDER', 'Folder of the built files. Default: the folder of this package.'),
    'release-key': option(
      'FILE',
      'Ed25519 public key of the release, in PEM; it must have signed this package.',
    ),
    signature: option(
      'FILE',
      'Signature of the list of files (integrity.json), published with the release.',
    ),
  },
  examples: {
    'dashboard verify https://keys.example':
      'Fetches every file and the headers; ends with 9 if one differs.',
    'dashboard verify https://keys.example --release-key release.pub --signature integrity.json.sig':
      'Checks first that the release key signed this package.',
  },
  run: async ({ arguments: { url: named }, options, common, output, terminal }) => {
    const build = await installed(options.from);
    await requireSigned(build, options, output);
    const asked = named === undefined ? common : { ...common, url: named };
    const { url } = await findServiceUrl(asked, terminal);
    const { differences } = await import('../../dashboard/dashboard_differences.ts');
    const { randomName: unknown } = await import('../../service/new_key.ts');
    const asking = { signal: terminal.signal, unknown };
    const found = await differences(build, url, asking).catch((error: unknown) =>
      unreachable(url, error),
    );
    if (found.length > 0) failVerification(output, 'dashboard_differs', found.join('; '));
    showVerified(
      output,
      {
        Service: url,
        Version: build.version,
        Files: build.files.size,
        'Import map': build.importMap,
      },
      { url, version: build.version, files: build.files.size, importMap: build.importMap },
    );
  },
});

/** Exits with 9 unless the release key signed the files of this package. */
async function requireSigned(
  build: BuiltDashboard,
  options: { readonly 'release-key': string | undefined; readonly signature: string | undefined },
  output: Output,
): Promise<void> {
  const { 'release-key': key, signature } = options;
  if (key === undefined && signature === undefined) return;
  if (key === undefined) throw usage('--release-key is missing', 'It goes with --signature.');
  if (signature === undefined) throw usage('--signature is missing', 'It goes with --release-key.');
  const { releaseKeyIn, unsignedBecause } = await import('../../dashboard/signed_build.ts');
  const publicKey = releaseKeyIn(await readFileBounded(key, maximumKeyBytes));
  const signed = await readFileBounded(signature, maximumKeyBytes);
  const reason = await unsignedBecause(build, publicKey, signed);
  if (reason !== undefined) failVerification(output, 'dashboard_not_signed', reason);
}

function unreachable(url: string, error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new Failure({ exit: 'unreachable', message: `${url} does not answer: ${why}.` });
}
