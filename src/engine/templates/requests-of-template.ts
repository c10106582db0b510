import { blocksThatRun, type CompiledTemplate } from './compiled-template';
import { compileSource } from './compile-source';

/** A request as the template writes it, with the values that it defines. Other expressions stay in braces. */
export interface TemplateRequest {
  readonly method: string;
  /** The part after the URL of the target, or after its origin. */
  readonly target: string;
  /** Whether the path of the target comes before that of the request. */
  readonly isBelowPath: boolean;
  readonly followsRedirects: boolean;
}

function statedValues({ variables }: CompiledTemplate): Record<string, string> {
  const labels = [...variables].map(([name, text]) => [name, text.label({})] as const);
  return Object.fromEntries(labels.filter(([, label]) => !label.includes('{{')));
}

/** The requests of a template in order, without duplicates. Empty if it does not run. */
export function requestsOfTemplate(source: string): TemplateRequest[] {
  const compiled = compileSource(source, 'loaded');
  if ('refusal' in compiled) return [];
  const { template } = compiled;
  const values = statedValues(template);
  const requests = blocksThatRun(template).flatMap(({ block, requests: stated, rounds }) =>
    rounds.flatMap((round) =>
      stated.map(({ method, target, isBelowPath }) => ({
        method,
        target: target.label({ ...values, ...round }),
        isBelowPath,
        followsRedirects: block.redirects || block['host-redirects'],
      })),
    ),
  );
  return [...new Map(requests.map((one) => [JSON.stringify(one), one])).values()];
}
