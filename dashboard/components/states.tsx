// The states of a read: loading, empty, failed, forbidden.

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useErrorBoundary, useId, useState } from 'preact/hooks';
import { Refused } from '../../src/client/errors.ts';
import type { Reading } from '../app/service/queries.ts';
import { explainError } from '../app/service/write.ts';
import { t } from '../messages/text.ts';
import { Button } from './button.tsx';
import { Decision } from './decision.tsx';
import { Icon } from './icons.tsx';

const quietMs = 200;

/** Shows "Loading" after a short delay. */
export function Loading() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), quietMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" class="loading">
      {isShown && t('state.loading')}
    </p>
  );
}

/** Shows an empty list, with a button that creates its first item. */
export function Empty(props: {
  readonly text: string;
  readonly more?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p>{props.text}</p>
      {props.more && <p class="hint">{props.more}</p>}
      {props.children}
    </div>
  );
}

/** Shows an error with the next action and the request id. Shows the decision of a refusal. */
export function Problem({
  error,
  onAgain,
}: {
  readonly error: Error;
  readonly onAgain?: () => void;
}) {
  if (error instanceof Refused) return <Decision decision={error.decision} />;
  const { sentence, next, requestId } = explainError(error);
  return (
    <div role="alert" class="alert">
      <Icon name="warning" />
      <div>
        <p>{sentence}</p>
        {next && <p class="hint">{next}</p>}
        {requestId && <p class="hint code">{t('state.requestId', { id: requestId })}</p>}
        {onAgain && <Button onClick={onAgain}>{t('state.tryAgain')}</Button>}
      </div>
    </div>
  );
}

/** Shows the data of a read, or its state. Older data stays visible during the next read. */
export function Loaded<T>(props: {
  readonly read: Reading<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { read, children } = props;
  if (read.data !== undefined) {
    return (
      <Guarded of={read.data} onAgain={() => void read.refetch()}>
        <Content data={read.data}>{children}</Content>
      </Guarded>
    );
  }
  if (read.error !== null) {
    return <Problem error={read.error} onAgain={() => void read.refetch()} />;
  }
  return <Loading />;
}

/** Shows the error of a failed read next to content that lacks its data. */
export function Failed({ read }: { readonly read: Reading<unknown> }) {
  if (read.data !== undefined || read.error === null) return null;
  return <Problem error={read.error} onAgain={() => void read.refetch()} />;
}

/** Renders the content in a component of its own, so the error boundary around it catches its errors. */
function Content<T>(props: {
  readonly data: T;
  readonly children: (data: T) => ComponentChildren;
}) {
  return <>{props.children(props.data)}</>;
}

/**
 * True for content that misleads if a part is missing: `Guarded` then passes errors to the boundary above.
 */
export const AllOrNothing = createContext(false);

/** Shows a rendering error in place of its children. Renders the children again when `of` changes. */
export function Guarded(props: {
  readonly of: unknown;
  readonly children: ComponentChildren;
  readonly onAgain?: () => void;
}) {
  const { of, children, onAgain } = props;
  const [broken, drawAgain] = useErrorBoundary();
  useEffect(drawAgain, [of]);
  const isAllOrNothing = useContext(AllOrNothing);
  if (broken === undefined) return <>{children}</>;
  if (isAllOrNothing) throw broken;
  const error = broken instanceof Error ? broken : new Error(String(broken));
  return <Problem error={error} {...(onAgain === undefined ? {} : { onAgain })} />;
}

/** Shows a part of a screen with a heading, as a named region. */
export function Section(props: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="part" aria-labelledby={id}>
      <div class="part-head">
        <h2 id={id}>{props.title}</h2>
        {props.actions}
      </div>
      {props.children}
    </section>
  );
}
