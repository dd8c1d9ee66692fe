// Shows a secret, masked until the user reveals it. Removes it after a minute or when the window loses focus.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { t } from '../../messages/text.ts';

const shownMs = 60_000;
const mask = '•'.repeat(24);

export function Revealed(props: {
  readonly label: string;
  readonly text: string;
  /** Called when the secret must be removed. */
  readonly onGone: () => void;
}) {
  const { label, text, onGone } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(onGone, shownMs);
    addEventListener('blur', onGone);
    document.addEventListener('visibilitychange', onGone);
    return () => {
      clearTimeout(timer);
      removeEventListener('blur', onGone);
      document.removeEventListener('visibilitychange', onGone);
    };
  }, []);
  useEffect(() => {
    if (isShown) field.current?.focus();
  }, [isShown]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* While it is masked, the page does not contain the text, so scripts cannot read it from the page. */}
      <textarea
        id={id}
        ref={field}
        class="code"
        rows={3}
        readOnly
        spellcheck={false}
        value={isShown ? text : mask}
        aria-describedby={`${id}-note`}
        onBlur={isShown ? onGone : undefined}
      />
      <p id={`${id}-note`} class="hint">
        {t('custody.revealedHint')}
      </p>
      {!isShown && (
        <div class="buttons">
          <Button onClick={() => setShown(true)}>{t('custody.show')}</Button>
        </div>
      )}
    </div>
  );
}
