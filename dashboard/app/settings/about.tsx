// Section "About": version and digest of this page, for comparison with the package.

import { sha256, utf8 } from '../../../src/client/bytes.ts';
import { Copyable, Terms } from '../../components/small.tsx';
import { Loaded, Section } from '../../components/states.tsx';
import { t } from '../../messages/text.ts';
import { useRead } from '../service/queries.ts';
import { useConfig, useSession } from '../session/context.ts';

export function About() {
  const { version, apiUrl } = useConfig();
  const { organizationId } = useSession();
  // The page pins its files by this digest; `keywright dashboard verify` prints the same digest.
  const read = useRead(['import map'], async () => {
    const map = document.querySelector('script[type=importmap]')?.textContent ?? '';
    return `sha256-${btoa(String.fromCharCode(...(await sha256(utf8(map)))))}`;
  });
  return (
    <Section title={t('settings.about')}>
      <Terms
        rows={[
          { term: t('settings.version'), value: version },
          {
            term: t('settings.hash'),
            value: <Loaded read={read}>{(hash) => <Copyable text={hash} />}</Loaded>,
          },
          { term: t('settings.api'), value: <code>{apiUrl}</code> },
          {
            term: t('settings.organization'),
            value: <Copyable text={organizationId} />,
            isDetail: true,
          },
        ]}
      />
      <p class="hint">{t('settings.aboutHint')}</p>
    </Section>
  );
}
