import type { Preview } from '../../../src/client/preview.ts';
import { DecisionText } from '../../components/decision.tsx';
import { t } from '../../messages/text.ts';
import { mayVoteText, shown } from '../service/activity_text.ts';

export function PreviewText({ preview }: { readonly preview: Preview }) {
  const { outcome, decision, failure, voters } = preview;
  const may = mayVoteText(voters);
  const outcomeTexts = {
    done: 'api.wouldBeDone',
    waiting: 'api.wouldWait',
    refused: 'api.wouldBeRefused',
  };
  return (
    <div class="content">
      <p role="status">
        <strong>{t(outcomeTexts[outcome] as 'api.wouldWait')}</strong>
      </p>
      {failure !== undefined && (
        <p class="bad">{t('activities.failure', { reason: shown(failure.message) })}</p>
      )}
      {may !== undefined && <p>{may}</p>}
      {decision !== undefined && <DecisionText decision={decision} />}
    </div>
  );
}
