// A dishonest store: a real store with some of its answers altered.

import type { StorePort } from '../../src/store/port.ts';

type AnswerOf<Call extends keyof StorePort> = Awaited<ReturnType<StorePort[Call]>>;
type RequestOf<Call extends keyof StorePort> = Parameters<StorePort[Call]>[0];

/** By call, a function that alters the honest answer. */
export type Alterations = {
  readonly [Call in keyof StorePort]?: (
    answer: AnswerOf<Call>,
    request: RequestOf<Call>,
  ) => AnswerOf<Call> | Promise<AnswerOf<Call>>;
};

export type HostileStore = {
  readonly port: StorePort;
  /** Sets the alterations of further answers; `{}` makes the store honest. */
  alter(alterations: Alterations): void;
};

export function hostileStore(honest: StorePort): HostileStore {
  let altered: Alterations = {};
  return {
    alter: (alterations) => {
      altered = alterations;
    },
    port: {
      deployment: async () => {
        const answer = await honest.deployment();
        return altered.deployment === undefined ? answer : altered.deployment(answer, undefined);
      },
      organization: async (request) => {
        const answer = await honest.organization(request);
        return altered.organization?.(answer, request) ?? answer;
      },
      children: async (request) => {
        const answer = await honest.children(request);
        return altered.children?.(answer, request) ?? answer;
      },
      records: async (request) => {
        const answer = await honest.records(request);
        return altered.records?.(answer, request) ?? answer;
      },
      recordPage: async (request) => {
        const answer = await honest.recordPage(request);
        return altered.recordPage?.(answer, request) ?? answer;
      },
      lookup: async (request) => {
        const answer = await honest.lookup(request);
        return altered.lookup?.(answer, request) ?? answer;
      },
      lookups: async (request) => {
        const answer = await honest.lookups(request);
        return altered.lookups?.(answer, request) ?? answer;
      },
      activity: async (request) => {
        const answer = await honest.activity(request);
        return altered.activity === undefined ? answer : altered.activity(answer, request);
      },
      activityPage: async (request) => {
        const answer = await honest.activityPage(request);
        return altered.activityPage?.(answer, request) ?? answer;
      },
      deliveryPage: async (request) => {
        const answer = await honest.deliveryPage(request);
        return altered.deliveryPage?.(answer, request) ?? answer;
      },
      commit: async (change) => {
        const outcome = await honest.commit(change);
        return altered.commit?.(outcome, change) ?? outcome;
      },
    },
  };
}
