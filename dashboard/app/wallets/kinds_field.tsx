import { Checkbox } from '../../components/field.tsx';
import { t } from '../../messages/text.ts';
import { type Kind, kinds, kindText } from './kinds.ts';

/** Shows checkboxes for the first accounts of a new wallet. */
export function Kinds(props: {
  readonly chosen: readonly Kind[];
  readonly onChange: (chosen: readonly Kind[]) => void;
}) {
  const { chosen, onChange } = props;
  return (
    <fieldset>
      <legend>{t('wallets.accountsOf')}</legend>
      <div class="choices">
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            label={kindText(kind)}
            checked={chosen.includes(kind)}
            onChange={(isChosen) =>
              onChange(kinds.filter((each) => (each === kind ? isChosen : chosen.includes(each))))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
