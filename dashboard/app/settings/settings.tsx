// Screen "Settings": the settings of the organization, and facts about this page.

import { Screen } from '../../components/screen.tsx';
import { t } from '../../messages/text.ts';
import { About } from './about.tsx';
import { Features } from './features.tsx';
import { IpAllowlist } from './ip_allowlist.tsx';
import { OnboardingProxy } from './onboarding_proxy.tsx';
import { PinnedKeys } from './pinned_keys.tsx';
import { RootQuorum } from './root_quorum.tsx';
import { SessionProfiles } from './session_profiles.tsx';

export default function Settings() {
  return (
    <Screen heading={t('screen.settings')}>
      <RootQuorum />
      <Features />
      <IpAllowlist />
      <OnboardingProxy />
      <SessionProfiles />
      <PinnedKeys />
      <About />
    </Screen>
  );
}
