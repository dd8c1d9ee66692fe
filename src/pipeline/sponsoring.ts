import { requireNotFrozen } from '../core/freezes/frozen.ts';
import { type OrganizationState, viewOf } from '../core/organization/state.ts';
import {
  areCompiled,
  compileDeciding,
  decidingPolicies,
} from '../core/policy/decision/deciding_policies.ts';
import { decisionInputOf, isAllowed } from '../core/policy/decision/decision.ts';
import { conditionScopes } from '../core/policy/decision/facts.ts';
import { timeScopeAt } from '../core/policy/language/clock.ts';
import type { Sponsoring } from '../operations/services.ts';
import { parentStateOf } from './parent_of.ts';
import type { Ports } from './ports.ts';

/** Returns the organization that pays for sponsored transactions: the parent, or else itself. */
export async function sponsoringOf(
  state: OrganizationState,
  type: string,
  ports: Pick<Ports, 'repository' | 'keyring' | 'pause' | 'clock'>,
): Promise<Sponsoring> {
  const { repository, keyring, pause, clock } = ports;
  const paying = (await parentStateOf(state, ports)) ?? state;
  const organization = viewOf(paying);
  return {
    state: paying,
    organization,
    read: repository.reader(paying),
    keyring: keyring(paying.id, paying.head.organizationKey),
    allows: async (subject, facts) => {
      requireNotFrozen({ organization, parent: undefined }, subject, () => facts);
      if (!areCompiled(organization)) await compileDeciding(organization, pause);
      const { rootQuorum, failedDeny } = organization.head;
      const input = decisionInputOf({
        rule: 'policy',
        rootQuorum,
        failedDeny,
        ownUserId: undefined,
        policies: decidingPolicies(organization),
        scopes: () => conditionScopes({ type, subject }, facts),
        timeScope: timeScopeAt(clock()),
      });
      return isAllowed(input, [], '', () => []);
    },
  };
}
