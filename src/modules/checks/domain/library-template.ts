import { createHash } from 'node:crypto';
import type { TemplateNote } from '../../../engine';
import { checkFromYaml } from '../../../engine/templates/check-from-yaml';
import { inspectTemplate } from '../../../engine/templates/inspect-template';
import { severityNumber } from '../../../kernel/severity';

/** A template that can be loaded. */
export interface LibraryTemplate {
  /** Without the prefix `http:` of its check. */
  readonly id: string;
  readonly source: string;
  /** Of the source, in hex. */
  readonly sha256: string;
  readonly title: string;
  readonly severity: number;
  readonly cwe: readonly number[];
  readonly tags: readonly string[];
  /** The beginning of its description. */
  readonly detects: string;
  /** The methods of its requests that may change state on the target. */
  readonly unsafeMethods: readonly string[];
  /** The values that it uses and does not define. */
  readonly missingValues: readonly string[];
  /** How many requests it sends at most, redirects apart. */
  readonly requests: number;
}

export type ReadTemplate =
  | { readonly template: LibraryTemplate; readonly notes: readonly [] }
  | {
      readonly template: null;
      /** Why it cannot be loaded. */
      readonly notes: readonly TemplateNote[];
      /** The id that the file states, if it can be found. */
      readonly id: string | null;
    };

const LONGEST_SUMMARY = 1_000;

/** Escapes in YAML can state characters that PostgreSQL cannot store. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

/** The id and its line, also in a file that is no valid template. */
export function statedId(source: string): { readonly id: string; readonly line: number } | null {
  const match = /^id:[ \t]*["']?([\w.-]{1,100})/m.exec(source);
  if (match?.[1] === undefined) return null;
  return { id: match[1], line: source.slice(0, match.index).split('\n').length };
}

const refused = (source: string, notes: readonly TemplateNote[]): ReadTemplate => ({
  template: null,
  notes,
  id: statedId(source)?.id ?? null,
});

/** Reads a template without running it. `unread` are its payload files that cannot be read. */
export function readTemplate(source: string, unread: readonly TemplateNote[] = []): ReadTemplate {
  if (source.includes('\0')) return refused('', [{ line: 1, place: '', text: 'the file has a NUL character' }]);
  const { id, refusals, requests } = inspectTemplate(source, unread);
  if (id === null || refusals.length > 0) return refused(source, refusals);
  const { title, severity, cwe, tags, text, unsafeMethods, missingValues } = checkFromYaml(source, {
    origin: 'loaded',
  });
  const template = {
    id,
    source,
    sha256: createHash('sha256').update(source).digest('hex'),
    title: storable(title),
    severity: severityNumber(severity),
    cwe,
    tags,
    detects: storable(text).trim().slice(0, LONGEST_SUMMARY).toWellFormed(),
    unsafeMethods,
    missingValues,
    requests,
  };
  return { template, notes: [] };
}
