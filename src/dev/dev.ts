// `keywright dev`: starts a service for development with example data, by one command.

import { existsSync, readFileSync } from 'node:fs';
import { isJsonObject, parsedJson } from '../core/schema/json.ts';
import { webhooksPath } from '../gateway/development/routes.ts';
import { type RootCredentials, rootCredentialsFiles } from '../gateway/enclave/root_credentials.ts';
import { type Service, serve } from '../gateway/serve.ts';
import { UnusableDataError } from '../store/unusable_data_error.ts';
import { openKernelRandom } from '../system/kernel_random.ts';
import { endpointIdOf, hasDemo, makeDemo, submit } from './demo.ts';
import { createDevelopment, type DemoHouse, peopleOf } from './demo_people.ts';
import { type DevFolder, openDevFolder } from './folder.ts';
import type { DevOptions } from './options.ts';
import type { SeededWallets } from './seeded_wallets.ts';
import { callStamped, RefusedCallError } from './stamped_api.ts';

/** A service in development mode. */
export type DevService = Service & {
  /** Absolute path of the data folder. */
  readonly folder: string;
  /** Names of the users that a browser can sign in as. */
  readonly people: readonly string[];
};

/**
 * Starts a service in development mode, with the demo unless it is disabled. Resolves once the demo is
 * complete. Raises UnusableDataError for problems that the developer can fix.
 */
export async function startDev({
  settings,
  fresh,
  demo,
  seedFile,
}: DevOptions): Promise<DevService> {
  const random = openKernelRandom();
  const clock = Date.now;
  const seeded = seedFile === undefined ? undefined : await seededWallets(seedFile, random);
  const folder = openDevFolder(settings.dataDirectory, { fresh });
  checkSeed(folder, demo, seeded);
  let house: DemoHouse | undefined;
  const development = createDevelopment(() => house);
  const service = await serve({ ...settings, dataDirectory: folder.path }, { development });
  try {
    const { baseUrl } = service;
    const root = readRootCredentials(folder.path);
    const webhookUrl = `${baseUrl}${webhooksPath}`;
    const place = { baseUrl, root, webhookUrl, folder, random, clock, seeded };
    const isMade = hasDemo(folder.state());
    if (demo && !isMade) await made(() => makeDemo(place), folder);
    if (isMade) await moveEndpoint(place);
    folder.write('root-credentials.json', { ...root, baseUrl });
    // Read by `keywright inbox`. The token is valid until the next start.
    folder.write('inbox.json', { url: service.inboxUrl });
    house = { baseUrl, root, clock, people: peopleOf(root, folder.state()) };
    writeCredentials(house, folder);
    return { ...service, folder: folder.path, people: house.people.map(({ name }) => name) };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Loads the seed library only if there is a seed. */
async function seededWallets(
  path: string,
  random: ReturnType<typeof openKernelRandom>,
): Promise<SeededWallets> {
  const { readSeededWallets } = await import('./seeded_wallets.ts');
  return readSeededWallets(path, random);
}

/** Rejects another seed for an existing demo, whose wallets keep the first seed. */
function checkSeed(folder: DevFolder, demo: boolean, seeded: SeededWallets | undefined): void {
  const { seedDigest, ...state } = folder.state();
  const hasBegun = Object.keys(state.steps).length > 0;
  if (!hasBegun && demo) {
    folder.save(seeded === undefined ? state : { ...state, seedDigest: seeded.digest });
  } else if (seeded !== undefined && seeded.digest !== seedDigest) {
    throw new UnusableDataError(
      `the demo in ${folder.path} was created from another seed: add --fresh to start again`,
    );
  }
}

/** Runs the steps of the demo, and advises what to do if the service refuses a step. */
async function made(run: () => Promise<void>, { path }: DevFolder): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof RefusedCallError)) throw error;
    throw new UnusableDataError(
      `the demo in ${path} cannot be completed (${error.message}): add --fresh to start again, or --no-demo to leave it unchanged`,
    );
  }
}

/** Updates the webhook endpoint, because the port may differ from that of the last start. */
async function moveEndpoint(place: Omit<DemoHouse, 'people'> & MovedEndpoint): Promise<void> {
  const { baseUrl, root, folder, webhookUrl: url } = place;
  const endpointId = endpointIdOf(folder.state());
  try {
    const body = JSON.stringify({ organizationId: root.organizationId });
    const path = '/public/v1/query/list_webhook_endpoints';
    const { webhookEndpoints } = await callStamped(baseUrl, path, body, root);
    const listed = Array.isArray(webhookEndpoints) ? webhookEndpoints.filter(isJsonObject) : [];
    const found = listed.find((each) => each['endpointId'] === endpointId);
    if (found === undefined || found['url'] === url) return;
    const move = {
      operation: 'update_webhook_endpoint',
      type: 'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT',
      parameters: { endpointId, url },
    };
    await submit(place, move, root);
  } catch (error) {
    // The developer may have removed this right of the root user. The service starts anyway.
    if (!(error instanceof RefusedCallError)) throw error;
  }
}

type MovedEndpoint = { readonly folder: DevFolder; readonly webhookUrl: string };

/** Writes a credentials file for each of the demo people, in the form of the root user's. */
function writeCredentials({ baseUrl, root, people }: DemoHouse, folder: DevFolder): void {
  const { authProxyUrl, authProxyConfigId, organizationId } = root;
  const shared = { baseUrl, authProxyUrl, authProxyConfigId, organizationId };
  for (const { name, userId, key } of people) {
    if (key !== root) folder.write(`${name}.json`, { ...shared, userId, ...key });
  }
}

function readRootCredentials(directory: string): RootCredentials {
  const { final } = rootCredentialsFiles(directory);
  const content = existsSync(final) ? parsedJson(readFileSync(final, 'utf8')) : undefined;
  if (isCredentials(content)) return content as unknown as RootCredentials;
  throw new UnusableDataError(
    `${final} is not the root user's key: restore it, or add --fresh to start again`,
  );
}

function isCredentials(value: ReturnType<typeof parsedJson>): boolean {
  const members = ['organizationId', 'userId', 'apiPublicKey', 'apiPrivateKey'];
  return isJsonObject(value) && members.every((name) => typeof value[name] === 'string');
}
