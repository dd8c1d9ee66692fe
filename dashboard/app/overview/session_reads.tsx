// The step "a session reads, a passkey writes". It creates a profile and two policies.

import type { Client } from '../../../src/client/connect.ts';
import type { Outcome as Came } from '../../../src/client/outcome.ts';
import { Button } from '../../components/button.tsx';
import { Outcome, PasskeyPrompt } from '../../components/form.tsx';
import { t } from '../../messages/text.ts';
import { type Reading, together } from '../service/queries.ts';
import { type Policy, usePolicies, useSessionProfiles } from '../service/reads.ts';
import { useWrite } from '../service/write.ts';
import { useSession } from '../session/context.ts';
import { keepProfile, readingScope } from '../session/reading_profile.ts';

/** `isHeld`: policies restrict every login to read-only sessions. */
export function useSessionsRead(): Reading<{ readonly isHeld: boolean }> {
  const read = together(usePolicies(), useSessionProfiles());
  if (read.data === undefined) return { ...read, data: undefined };
  const [policies, profiles] = read.data;
  const isHeld = profiles.some(
    ({ scope, sessionProfileId }) =>
      scope === readingScope && policies.some((policy) => holdsTo(policy, sessionProfileId)),
  );
  return { ...read, data: { isHeld } };
}

const holdsTo = ({ effect, condition }: Policy, sessionProfileId: string): boolean =>
  effect === 'EFFECT_DENY' &&
  condition.includes("'STAMP_LOGIN'") &&
  condition.includes(`'${sessionProfileId}'`);

export function LetSessionsRead() {
  const { organizationId } = useSession();
  const write = useWrite();
  const setUp = () =>
    write.send(async (client) => {
      const profile = await profileMade(client);
      if (profile.outcome === 'refused') return profile;
      if (profile.outcome === 'waiting') throw profile.error;
      const { sessionProfileId } = profile.result;
      const made = await client.ask('create_policies', { policies: policiesFor(sessionProfileId) });
      if (made.outcome === 'done') keepProfile(organizationId, sessionProfileId);
      return made;
    }, t('overview.sessionsRead'));
  return (
    <>
      <Button isBusy={write.writing.isPending} onClick={() => void setUp()}>
        {t('overview.setUp')}
      </Button>
      <PasskeyPrompt />
      <Outcome write={write} />
    </>
  );
}

const profileMade = (client: Client): Promise<Came<{ readonly sessionProfileId: string }>> =>
  client.ask('create_session_profile', {
    sessionProfileName: t('overview.profileName'),
    scope: readingScope,
    notes: t('overview.profileNotes'),
  });

/** The list of policies shows these names and notes. */
const policiesFor = (sessionProfileId: string) => [
  {
    policyName: t('overview.policyLogin'),
    effect: 'EFFECT_DENY' as const,
    condition: `activity.kind == 'STAMP_LOGIN' && activity.params.session_profile_id != '${sessionProfileId}'`,
    notes: t('overview.policyLoginNotes'),
  },
  {
    policyName: t('overview.policyCredential'),
    effect: 'EFFECT_ALLOW' as const,
    condition: "activity.resource == 'CREDENTIAL' && activity.action == 'CREATE'",
    consensus: 'approvers.count() >= 2',
    notes: t('overview.policyCredentialNotes'),
  },
];
