// Changes of an organization by the service itself, without a request.

import { fail } from '../../core/errors/errors.ts';
import {
  createDraft,
  type OrganizationDraft,
  type OrganizationState,
} from '../../core/organization/state.ts';
import type { StorePort } from '../../store/port.ts';
import { type ChangeWriter, requiredState } from './change_writer.ts';
import { conditionsOf } from './conditions.ts';
import type { EventWriter, ServiceEvent } from './event_writer.ts';
import type { KnownOrganizations } from './known_organizations.ts';
import type { LoadOrganization } from './load_organization.ts';

/**
 * Writes into a draft. Returns the event for webhook endpoints, 'no_event' for a change without an event, or
 * undefined without a change.
 */
type SystemWrite = (
  draft: OrganizationDraft,
  state: OrganizationState,
) => ServiceEvent | 'no_event' | undefined;

const maximumAttempts = 20;

export type SystemChanges = {
  /** Changes an organization. Raises `organization_busy` after 20 conflicts. */
  systemChange(organizationId: string, write: SystemWrite): Promise<void>;
};

export function createSystemChanges(ports: {
  readonly store: StorePort;
  readonly writer: ChangeWriter;
  readonly events: EventWriter;
  readonly known: KnownOrganizations;
  readonly load: LoadOrganization;
}): SystemChanges {
  const { store, writer, events, known, load } = ports;
  return {
    systemChange: async (organizationId, write) => {
      for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
        const { state } = await load(organizationId);
        const before = known.get(organizationId);
        if (state === undefined || before?.state !== state) continue;
        const draft = createDraft(state);
        const event = write(draft, state);
        if (event === undefined) return;
        const { parentId } = state;
        const parent = parentId === undefined ? undefined : await requiredState(load, parentId);
        const { rows, after } = writer.write(before, draft.changes());
        const outcome = await store.commit({
          conditions: conditionsOf([state], parent === undefined ? [] : [parent]),
          ...rows,
          activities: [],
          events: event === 'no_event' ? [] : events.of(event, after.state, parent),
          redeliveries: [],
          deployment: undefined,
        });
        if (outcome !== 'committed') continue;
        known.remember(after);
        return;
      }
      fail('organization_busy', { attempts: maximumAttempts });
    },
  };
}
