// `keywright export organization`: exports an organization into one sealed file. With PostgreSQL the service
// can keep running. A data folder has one owner, so with SQLite the service must be stopped.

import { existsSync } from 'node:fs';
import {
  custodyPorts,
  type OfflineSettings,
  type Operator,
  orUnusable,
  withRootKeys,
  withStore,
} from '../archive/offline_data.ts';
import { ServiceError } from '../core/errors/errors.ts';
import type { RootKeys } from '../enclave/keys/root_keys.ts';
import { createSealing } from '../enclave/keys/sealing.ts';
import { createWrappedSecrets } from '../enclave/keys/wrapped_secrets.ts';
import {
  createRecordCodec,
  type RecordCodec,
  RecordRefusedError,
} from '../enclave/records/record_codec.ts';
import { createRepository } from '../enclave/records/repository.ts';
import { createCustody } from '../enclave/services/custody.ts';
import type { StorePort } from '../store/port.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';
import {
  type ExportFacts,
  type ExportPorts,
  type ExportSelection,
  exportLines,
  type LineCounts,
} from './export_lines.ts';
import { recipientOfRootKey, type SealedFile, writeSealed } from './sealed_file.ts';

/** Number of sub-organization ids in one read. */
const childrenTogether = 200;

type Requested = ExportSelection & {
  readonly to: string;
  /** Age recipients. */
  readonly recipients: readonly string[];
  /** True if the file is also sealed to the root key. */
  readonly opensByRootKey: boolean;
};

export type Exported = SealedFile & { readonly lines: LineCounts };

/** Writes the export. Raises UnusableDataError. */
export function exportOrganization(
  settings: OfflineSettings,
  {
    operator,
    service,
    now,
    ...requested
  }: Requested & {
    readonly operator: Operator;
    /** Version of this program. */
    readonly service: string;
    readonly now: number;
  },
): Promise<Exported> {
  if (existsSync(requested.to)) {
    throw new UnusableDataError(`${requested.to} exists already and is not overwritten`);
  }
  return withRootKeys(settings, operator, ({ rootKeys, random }) =>
    withStore(settings, async (store) => {
      const codec = createRecordCodec(createSealing('seal', rootKeys, random));
      // A fenced replica does not sign, but it has the keys.
      await orUnusable(createCustody(custodyPorts(settings, codec, store)).check());
      const tools = { port: store.port, codec, rootKeys, random };
      return writeExport(requested, { madeAtMs: now, service }, tools);
    }),
  );
}

export type ExportTools = {
  readonly port: StorePort;
  readonly codec: RecordCodec;
  readonly rootKeys: RootKeys;
  readonly random: (length: number) => Uint8Array;
};

/** Writes the export of an open store. Raises UnusableDataError. */
export async function writeExport(
  { to, recipients, opensByRootKey, ...selection }: Requested,
  facts: ExportFacts,
  tools: ExportTools,
): Promise<Exported> {
  const all = opensByRootKey ? [...recipients, recipientOfRootKey(tools.rootKeys)] : recipients;
  if (all.length === 0) {
    throw new UnusableDataError('an export needs an age recipient, or the root key as one');
  }
  const lines: LineCounts = {};
  const written = exportLines(selection, facts, exportPorts(tools), lines);
  try {
    return { ...(await writeSealed(to, all, written, tools.random)), lines };
  } catch (error) {
    throw error instanceof ServiceError ? new UnusableDataError(sentenceOf(error)) : error;
  }
}

function sentenceOf(error: ServiceError): string {
  if (!(error instanceof RecordRefusedError)) return error.message;
  const { kind, id, organizationId } = error.place;
  return `the ${kind} ${id} of organization ${organizationId} differs from the sealed one`;
}

function exportPorts({ port, codec, rootKeys, random }: ExportTools): ExportPorts {
  const repository = createRepository({ store: port, codec, keys: rootKeys });
  const wrapping = createSealing('wrap', rootKeys, random);
  return {
    organization: async (id) => (await repository.organization(id)).state,
    reader: repository.reader,
    children: (parentId, after) =>
      port.children({
        parentId,
        page: { greaterThan: after, lessThan: undefined, ascending: true, limit: childrenTogether },
      }),
    secrets: (organizationId) => createWrappedSecrets(organizationId, wrapping),
  };
}
