// The supported versions of QuorumOS, the operating system of the enclaves.

import { namesOf, rowOf, table } from '../base/table.ts';
import { failField } from '../errors/errors.ts';

/** `commit` identifies the sources with the tag `qos_core-v<version>`. */
type Version = { readonly commit: string };

/** All versions read the written form of manifests. Oldest first; rows never change. */
const versions = table<Version>()({
  '0.6.1': { commit: 'b9212f3be3981b4fd87048134af526b54c3a4cd4' },
  '0.7.0': { commit: 'f0544144f18f057f9e3ae1934f0fe96c00d1089b' },
  '0.8.0': { commit: '3383bd516a3f396b418e2c589c2e3cb7e1ac7d18' },
  '0.9.0': { commit: '495f96ec1bee10561d507da97c51d414a1fa2a39' },
  '0.10.0': { commit: 'aabbe00c9e96c8d011ef730eec8628e0ecd4973e' },
  '0.10.1': { commit: '15181c61b1ba743618c8c30aa594b70ba857c19d' },
  '0.10.2': { commit: 'fe71aaf35c5a3be0af15981f10b00f8dc985a70a' },
  '0.11.0': { commit: '36ecb4e0dfc87aa71089c13b0f0613497d7f51e9' },
  '0.12.0': { commit: '4371d44e672a1322d15ef929cfd32169ebb0bd0f' },
  '0.12.1': { commit: '82d8e18b8875362cdb639f962b6a7f78bd42d320' },
  '0.12.2': { commit: '7097d23a918e9e6b5a8fa8e6a6487405ceefc415' },
  '0.13.0': { commit: 'e1f67fd1dcc165865287b137d59151749322b436' },
});

/** The versions, oldest first. */
export const qosVersions: readonly string[] = namesOf(versions);

export const latestQosVersion = qosVersions.at(-1) ?? '';

/** The commit of a version's sources, 40 hex digits. Raises `field_invalid`. */
export function qosCommitOf(version: string): string {
  const row = rowOf(versions, version);
  if (row !== undefined) return row.commit;
  return failField('parameters.qosVersion', `expected one of ${qosVersions.join(', ')}`);
}
