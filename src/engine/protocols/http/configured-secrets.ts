import { isRecord } from '../../../kernel/is-record';
import { recordIn } from '../../json-record';

/** Names of values that only a server may know. Tokens and API keys are left out: browser configurations contain public ones. */
const SECRET =
  /(?:^|[_.-]|[a-z](?=[A-Z]))(?:password|passwd|secret|(?:secret|private)[_-]?key|client[_-]?secret|secret[_-]?access[_-]?key)$/i;
/** Names of pages, fields and texts that are about passwords. */
const ABOUT_PASSWORDS =
  /(?:forgot|forgotten|reset|change|confirm|new|old|show|hide|repeat|enter|your|lost)[_.-]?passw/i;
/** Template expressions, references to other places, and placeholders in examples. */
const PLACEHOLDER = /^(?:[$<{%!*/&|>#]|https?:|env[:(]|null$|none$|false$|true$|x{3}|changeme|your|example|\.{3})/i;
/** A label in a form: one capitalized word, in any language. */
const LABEL = /^\p{Lu}\p{Ll}+$/u;
const WORDS = /^(?:password|passwd|passphrase|secret|string|text|required|hidden|optional)$/i;

const isSecret = (name: string, value: string): boolean =>
  SECRET.test(name.slice(0, 100)) &&
  !ABOUT_PASSWORDS.test(name.slice(0, 100)) &&
  value.length >= 4 &&
  value.length <= 4_000 &&
  /^[\x21-\x7e]+(?:\n|$)|^-----BEGIN /.test(value) &&
  !PLACEHOLDER.test(value) &&
  !LABEL.test(value) &&
  !WORDS.test(value);

const MAX_DEPTH = 6;

function secretsIn(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => secretsIn(one, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'string' ? (isSecret(name, one) ? [name] : []) : secretsIn(one, depth + 1),
  );
}

/** The names of passwords and secret keys in a JSON object. */
export const secretsInJson = (text: string): readonly string[] => [...new Set(secretsIn(recordIn(text)))];

const ENTRY = /^[ \t]{0,40}(?:- )?["']?([\w.-]{1,100})["']?:(?:[ \t]{1,20}(.*))?$/;

/** The same for YAML, which must consist mostly of entries, items and comments. */
export function secretsInYaml(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|$|---)/.test(line));
  if (lines[0]?.trimStart().startsWith('<') === true) return [];
  const entries = lines.map((line) => ENTRY.exec(line.trimEnd().slice(0, 5_000)));
  if (entries.filter((entry) => entry !== null).length < lines.length * 0.7) return [];
  const names = entries.flatMap((entry) => {
    const [, name = '', value = ''] = entry ?? [];
    const bare = value.replace(/(?<!\s)\s+#.*$/s, '').replace(/^(["'])(.*)\1$/, '$2');
    return isSecret(name, bare) ? [name] : [];
  });
  return [...new Set(names)];
}
