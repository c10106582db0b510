import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../kernel/domain-error';
import type { CompiledTemplate } from './compiled-template';
import { compileTemplate } from './compile-template';
import { parseTemplate } from './parse-template';
import { TEMPLATE_LIMITS, type TemplateOrigin } from './template-limits';
import { templateRefusal } from './template-problem';
import type { Definition } from './template-schema';

type CompiledSource =
  | { readonly defined: Definition; readonly template: CompiledTemplate }
  /** The source is not a template. */
  | { readonly refusal: Error };

/**
 * Cached, because a page of a finding reads its check several times. Each takes up to 300 KiB, most of it for regular
 * expressions.
 */
const remembered = new LRUCache<string, CompiledSource>({ max: 50 });

function compile(source: string, origin: TemplateOrigin): CompiledSource {
  try {
    const parsed = parseTemplate(source);
    if ('problems' in parsed) return { refusal: templateRefusal(parsed.problems) };
    return { ...parsed, template: compileTemplate(parsed.defined, TEMPLATE_LIMITS[origin]) };
  } catch (error) {
    if (error instanceof DomainError) return { refusal: error };
    throw error;
  }
}

/** Compiles a YAML source. The most recent results are cached. */
export function compileSource(source: string, origin: TemplateOrigin): CompiledSource {
  const key = `${origin} ${createHash('sha256').update(source).digest('base64')}`;
  const compiled = remembered.get(key) ?? compile(source, origin);
  remembered.set(key, compiled);
  return compiled;
}
