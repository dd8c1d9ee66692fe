// Styles that an application gives to its frame.

import { element } from './channel.ts';

const properties: readonly string[] = [
  ...['padding', 'margin', 'borderWidth', 'borderStyle', 'borderColor', 'borderRadius'],
  ...['fontSize', 'fontWeight', 'fontFamily', 'color', 'backgroundColor', 'lineHeight'],
  ...['width', 'height', 'maxWidth', 'maxHeight', 'boxShadow', 'textAlign', 'overflowWrap'],
  ...['wordWrap', 'resize'],
];
const maximumCharacters = 200;

type Styles = Readonly<Record<string, string>>;
/** The elements of a page, by their ids, that the members of the settings style. */
type StyledBy = Readonly<Record<'styles' | 'passphraseStyles', string>>;

/**
 * Applies the settings, a JSON text, and returns them. Throws for an unknown property or an invalid value,
 * and changes nothing then.
 */
export function applySettings(text: string, styled: StyledBy): Readonly<Record<string, unknown>> {
  const settings: Readonly<Record<string, unknown>> = Object(JSON.parse(text));
  const changes = Object.entries(styled).flatMap(([member, id]) =>
    Object.entries(Object(settings[member]) as Styles).map(([property, value]) => {
      const ids = property === 'labelColor' ? labelsOf(id) : [element(id)];
      return { elements: ids, property: cssName(property), value: checked(property, value) };
    }),
  );
  for (const { elements, property, value } of changes) {
    for (const each of elements) each.style.setProperty(property, value);
  }
  return settings;
}

const labelsOf = (id: string): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`label[for="${id}"]`),
];

const cssName = (property: string): string =>
  property === 'labelColor'
    ? 'color'
    : property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Throws unless the property is known and the browser accepts the value. A value may not load anything. */
function checked(property: string, value: unknown): string {
  const isKnown = property === 'labelColor' || properties.includes(property);
  if (!isKnown) throw new TypeError(`${property.slice(0, 50)} is not a style of this frame`);
  const isValue = typeof value === 'string' && value.length <= maximumCharacters;
  if (!isValue || /url|image|attr/i.test(value) || !CSS.supports(cssName(property), value)) {
    throw new TypeError(`the value of ${property} is not valid`);
  }
  return value;
}
