// The demo people in development mode. A browser signs in as a demo user with a session that the user's own
// key starts.

import { isJsonObject } from '../core/schema/json.ts';
import type { P256KeyPair } from '../gateway/base/p256_key_pair.ts';
import type { Development } from '../gateway/development/development.ts';
import type { RootCredentials } from '../gateway/enclave/root_credentials.ts';
import { demoNames, hasDemo, submit, userIdOf } from './demo.ts';
import type { DevState } from './folder.ts';
import { RefusedCallError } from './stamped_api.ts';

const rootUserName = 'Root user';
/** Half a day. */
const sessionSeconds = 12 * 3600;

/** A user to sign in as. */
type DemoPerson = {
  readonly name: string;
  readonly userId: string;
  readonly key: P256KeyPair;
};

/** The service and its people. */
export type DemoHouse = {
  readonly baseUrl: string;
  readonly root: RootCredentials;
  readonly people: readonly DemoPerson[];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
};

/** Returns the root user, and the demo people if the demo exists. */
export function peopleOf(root: RootCredentials, state: DevState): readonly DemoPerson[] {
  const rootUser = { name: rootUserName, userId: root.userId, key: root };
  if (!hasDemo(state)) return [rootUser];
  const others = demoNames.flatMap((name) => {
    const key = state.people[name];
    return key === undefined ? [] : [{ name, userId: userIdOf(state, name), key }];
  });
  return [rootUser, ...others];
}

/** Creates the endpoints of development mode. `house` returns undefined until the demo is complete. */
export function createDevelopment(house: () => DemoHouse | undefined): Development {
  const noPeople = { people: [] as readonly DemoPerson[] };
  return {
    people: () => {
      const { people } = house() ?? noPeople;
      const shown = people.map(({ name, userId }) => ({ name, userId }));
      return { organizationId: house()?.root.organizationId ?? '', people: shown };
    },
    signIn: async ({ user, ...asked }) => {
      const opened = house();
      const person = opened?.people.find(({ name }) => name === user);
      if (opened === undefined || person === undefined) return 'unknown';
      const { organizationId } = opened.root;
      try {
        const session = await startSession(opened, person, asked);
        const lasts = { expirationSeconds: String(sessionSeconds) };
        const body = { organizationId, userId: person.userId, user, session, ...lasts };
        return { status: 200, body };
      } catch (error) {
        if (!(error instanceof RefusedCallError)) throw error;
        return { status: error.status, body: error.body };
      }
    },
  };
}

async function startSession(
  place: DemoHouse,
  { key }: DemoPerson,
  asked: { readonly publicKey: string; readonly sessionProfileId?: string | undefined },
): Promise<string> {
  const login = {
    operation: 'stamp_login',
    type: 'ACTIVITY_TYPE_STAMP_LOGIN',
    parameters: { ...asked, expirationSeconds: String(sessionSeconds) },
  };
  const { result } = await submit(place, login, key);
  const started = isJsonObject(result) ? result['stampLoginResult'] : undefined;
  return isJsonObject(started) ? String(started['session']) : '';
}
