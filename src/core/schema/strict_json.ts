import { textOfUtf8 } from '../base/bytes.ts';
import { isJsonObject, type JsonObject, parsedJson } from './json.ts';

/** The deepest nesting that is read here; tokens and key sets stay far below. */
const maximumDepth = 32;

/**
 * Returns the JSON object of UTF-8 bytes in which each object names a member once: two readers of a repeated
 * member may each take another value (RFC 8259 section 4). Returns undefined for all other bytes, for nesting
 * of more than 32 levels, and for a lone surrogate.
 */
export function strictJsonObject(bytes: Uint8Array): JsonObject | undefined {
  const text = textOfUtf8(bytes);
  const value = text === undefined ? undefined : parsedJson(text);
  if (text === undefined || !isJsonObject(value)) return undefined;
  return hasOneOfEach(text) ? value : undefined;
}

/** Walks valid JSON: strings and brackets mark the names. */
function hasOneOfEach(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, name] of text.matchAll(/"(?:[^"\\]|\\.)*"(?=([ \t\r\n]*:)?)|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else {
      const decoded = String(JSON.parse(token));
      const names = open.at(-1);
      const isRepeated = name !== undefined && names?.has(decoded) === true;
      if (isRepeated || !decoded.isWellFormed()) return false;
      if (name !== undefined) names?.add(decoded);
    }
    if (open.length > maximumDepth) return false;
  }
  return true;
}
