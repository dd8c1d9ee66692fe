// An editor that colours and checks an expression during input. It lives in a shadow root with constructed
// style sheets, because the content security policy of the page forbids style elements.

import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { hasId, nameOfId } from '../headlines/named_ids.ts';
import { type Names, noNames, useNames } from '../headlines/names.ts';
import { type ClauseName, namesAfter, piecesOf, problemOf } from './clauses.ts';

/** Selects a range of the text and focuses the editor. Offsets are UTF-16 units. */
export type Reach = (from: number, to: number) => void;

export function ClauseEditor(props: {
  readonly clause: ClauseName;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Receives the function that selects a range in this editor. */
  readonly onReady: (reach: Reach) => void;
}) {
  const { clause, label, hint, value, onInput, onReady } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(onInput);
  latest.current = onInput;
  const names = useNames().data ?? noNames;
  const editor = useRef<EditorView>(undefined);
  useEffect(() => editor.current?.dispatch({ effects: named.of(names) }), [names]);
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(),
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          autocompletion({ override: [completionsOf(clause)], icons: false }),
          EditorView.lineWrapping,
          typedOver,
          look,
          looksOf(clause, names),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-description': hint }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current(state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    onReady((from, to) => {
      const { length } = view.state.doc;
      view.focus();
      view.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        scrollIntoView: true,
      });
    });
    return () => view.destroy();
  }, [clause]);
  return (
    <div class="field">
      <span class="label" aria-hidden="true">
        {label}
      </span>
      <div class="editor" ref={host} />
      <p class="hint">{hint}</p>
    </div>
  );
}

/**
 * Replaces a selection by the typed text. By default Chromium copies the style of the selection into a style
 * attribute, which the content security policy forbids.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data } = event as InputEvent;
    const isPlain = inputType === 'insertText' && data !== null && !view.composing;
    if (!isPlain || view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type' });
    event.preventDefault();
    return true;
  },
});

const completionsOf =
  (clause: ClauseName) =>
  ({ state, pos, explicit }: { state: EditorState; pos: number; explicit: boolean }) => {
    const before = state.doc.sliceString(0, pos);
    const isInText = (before.split("'").length - 1) % 2 === 1;
    if (isInText || (!explicit && !/[\w.]$/.test(before))) return null;
    const found = namesAfter(clause, before);
    if (found === undefined) return null;
    // Omit a name that is already typed in full: its completion would cover the next line.
    const names = found.names.filter((name) => name !== before.slice(found.from));
    return { from: found.from, options: names.map((name) => ({ label: name })) };
  };

/** Sets the names that the editor shows in place of ids. */
const named = StateEffect.define<Names>();

/** Shows the name of an id, which stays in the text. */
class NameOfId extends WidgetType {
  readonly id: string;
  readonly name: string;
  constructor(id: string, name: string) {
    super();
    this.id = id;
    this.name = name;
  }
  override eq(other: NameOfId): boolean {
    return other.id === this.id && other.name === this.name;
  }
  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-text';
    element.title = this.id;
    element.textContent = this.name;
    return element;
  }
}

/**
 * Colours the tokens, shows names in place of ids and underlines the first error. Reads the whole text anew
 * with the enclave's lexer on each change.
 */
function looksOf(clause: ClauseName, firstNames: Names) {
  const read = (text: string, names: Names) => {
    const problem = problemOf(clause, text);
    const pieces = piecesOf(text);
    const colours = pieces.map(({ from, to, kind }) => marks[kind].range(from, to));
    const ids = pieces.flatMap(({ from, to, kind }) => {
      const id = text.slice(from + 1, to - 1);
      if (kind !== 'text' || id.length !== idLength || !hasId(id)) return [];
      return [
        Decoration.replace({ widget: new NameOfId(id, nameOfId(id, names)) }).range(from, to),
      ];
    });
    const wrong =
      problem === undefined || problem.from === problem.to
        ? []
        : [wrongMark.range(problem.from, problem.to)];
    return {
      names,
      problem,
      marks: Decoration.set([...colours, ...wrong], true),
      ids: Decoration.set(ids),
    };
  };
  return StateField.define<Looks>({
    create: ({ doc }) => read(doc.toString(), firstNames),
    update: (looks, { docChanged, newDoc, effects }) => {
      const names = effects.find((effect) => effect.is(named))?.value ?? looks.names;
      return docChanged || names !== looks.names ? read(newDoc.toString(), names) : looks;
    },
    provide: (field) => [
      EditorView.decorations.from(field, (looks) => looks.marks),
      EditorView.decorations.from(field, (looks) => looks.ids),
      // The cursor passes over an id as over one character.
      EditorView.atomicRanges.from(field, (looks) => () => looks.ids),
      EditorView.contentAttributes.from(field, ({ problem }) => ({
        'aria-invalid': problem === undefined ? 'false' : 'true',
      })),
    ],
  });
}

type Looks = {
  readonly names: Names;
  readonly problem: unknown;
  readonly marks: DecorationSet;
  readonly ids: DecorationSet;
};

const idLength = 36;

const mark = (name: string) => Decoration.mark({ class: name });
const marks = {
  name: mark('cm-name'),
  integer: mark('cm-number'),
  text: mark('cm-text'),
  symbol: mark('cm-symbol'),
  end: mark('cm-symbol'),
};
const wrongMark = mark('cm-wrong');

/**
 * Uses the custom properties of the page, which apply inside a shadow root, so the editor follows the theme.
 */
const look = EditorView.theme({
  '&': { color: 'var(--ink)', borderRadius: 'var(--radius)', fontSize: '0.9rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 12px', minHeight: '2.4em', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0' },
  '.cm-name': { color: 'var(--accent)' },
  '.cm-number': { color: 'var(--wait)' },
  '.cm-text': { color: 'var(--good)' },
  '.cm-symbol': { color: 'var(--ink-soft)' },
  '.cm-wrong': {
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '4px',
    textDecorationSkipInk: 'none',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '8px',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 12px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
});
