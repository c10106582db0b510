import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';

/** Values of the demo data by the name of the parameter or field. */
type DemoExamples = Readonly<Record<string, string | number>>;

interface DocumentedOperation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: object }> };
}

/**
 * Replaces the examples of path parameters and of launch URLs with records of the demo data, so that Swagger UI can send them as
 * they are. Operations that delete keep their empty fields, so that a record is not deleted by accident.
 */
export function withDemoExamples(document: OpenAPIObject, demoFile: string): OpenAPIObject {
  const examples = readExamples(demoFile);
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, DocumentedOperation>).map(([method, operation]) => [
      method,
      method === 'delete' ? operation : withExamples(operation, examples),
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Empty until the demo data exists. */
function readExamples(demoFile: string): DemoExamples {
  try {
    const { examples = {} } = JSON.parse(readFileSync(demoFile, 'utf8')) as { examples?: DemoExamples };
    return examples;
  } catch {
    return {};
  }
}

function withExamples(operation: DocumentedOperation, examples: DemoExamples): DocumentedOperation {
  const parameters = operation.parameters?.map((parameter) =>
    parameter.in === 'path' && parameter.name !== undefined && examples[parameter.name] !== undefined
      ? { ...parameter, example: examples[parameter.name] }
      : parameter,
  );
  return { ...operation, ...(parameters && { parameters }), ...withLaunchUrl(operation, examples['url']) };
}

function withLaunchUrl({ requestBody }: DocumentedOperation, url: DemoExamples[string] | undefined) {
  const json = requestBody?.content['application/json'];
  if (url === undefined || typeof json?.example !== 'object' || !('url' in json.example)) return {};
  return {
    requestBody: { ...requestBody, content: { 'application/json': { ...json, example: { ...json.example, url } } } },
  };
}
