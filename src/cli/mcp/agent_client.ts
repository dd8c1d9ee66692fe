// The client of an AI agent. It uses a session and no permanent key, so the service limits its rights.

import type { Client } from '../../client/connect.ts';
import { newSession, readOnlySession } from '../../client/index.ts';
import type { Outcome } from '../../client/outcome.ts';
import type { JsonObject } from '../../core/schema/json.ts';

/** Calls operations by name, without types. Each method throws the errors of the client. */
export type AgentClient = {
  query(name: string, parameters: JsonObject): Promise<JsonObject>;
  /** Returns the result of a dry run. */
  preview(name: string, parameters: JsonObject): Promise<JsonObject>;
  submit(name: string, parameters: JsonObject): Promise<JsonObject>;
};

type AnyClient = {
  query: AgentClient['query'];
  dryRun: AgentClient['preview'];
  ask(name: string, parameters: JsonObject): Promise<Outcome<JsonObject>>;
};

/** Time before the expiry at which a session is replaced. */
const renewedBeforeMs = 60_000;
const readOnlyLifeMs = 3_600_000;
const profileLifeSeconds = 900;

/**
 * Returns a function that resolves with a client for a valid session. The session is read-only, or has the
 * scope of a session profile. The function throws login errors.
 */
export function agentClients(
  client: Client,
  sessionProfileId: string | undefined,
): () => Promise<AgentClient> {
  let current: Promise<{ readonly client: AgentClient; readonly endsAtMs: number }> | undefined;
  const start = async () => {
    if (sessionProfileId === undefined) {
      const endsAtMs = client.now() + readOnlyLifeMs;
      const { session } = await client.submit('create_read_only_session');
      return { client: agentClient(client.as(readOnlySession(session))), endsAtMs };
    }
    const session = await newSession(client, { seconds: profileLifeSeconds, sessionProfileId });
    return { client: agentClient(client.as(session)), endsAtMs: session.expiresAtMs };
  };
  return async () => {
    const session = await current?.catch(() => undefined);
    if (session !== undefined && session.endsAtMs - renewedBeforeMs > client.now()) {
      return session.client;
    }
    const started = start();
    current = started;
    return (await started).client;
  };
}

function agentClient(connected: Client): AgentClient {
  const client = connected as unknown as AnyClient;
  return {
    query: (name, parameters) => client.query(name, parameters),
    preview: (name, parameters) => client.dryRun(name, parameters),
    submit: async (name, parameters) => {
      const answer = await client.ask(name, parameters);
      if (answer.outcome === 'refused') throw answer.error;
      const { outcome, activity, warnings } = answer;
      const about = { outcome, activityId: activity.id, warnings } as JsonObject;
      if (answer.outcome === 'done') return { ...about, result: answer.result };
      return {
        ...about,
        fingerprint: activity.fingerprint,
        next: `${answer.error.message}. ${answer.error.next} get_activity returns its state.`,
      };
    },
  };
}
