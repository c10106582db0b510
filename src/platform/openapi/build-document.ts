import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule, getSchemaPath } from '@nestjs/swagger';
import { Acknowledgement } from '../http/acknowledgement';
import { ErrorBody } from '../http/error-body';
import { CREDENTIAL_SENTENCES, type OperationMetadata, isSafelyRetried, routerPath } from '../api/operation-metadata';
import { limitClassOf } from '../api/limit-class';
import { defaultErrorResponse, errorResponse, errorResponses } from './errors';
import { limitComponents, limitHeaders, tooManyRequests } from './request-limits';
import { conditionalComponents, entityTagHeader, ifMatch, ifNoneMatch } from './conditional-requests';
import { idempotencyKey, idempotencyReplayed, safeRetryComponents } from './safe-retry';
import { TAG_DESCRIPTIONS } from './tag-descriptions';

type PathItem = OpenAPIObject['paths'][string];
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type OperationObject = NonNullable<PathItem['get']>;

type NumberedOperation = OperationObject & { 'x-specification': OperationMetadata['number'] };

const INTRO = `Assay tests web applications, domains and services for security weaknesses, and proves with signed evidence when they are fixed.

- Every operation takes HTTP Basic credentials: the API key as username, the API secret as password.
- Every error response has the same four fields: \`code\`, \`name\`, \`description\`, \`success\`.
- A record of another organization returns the same 404 as a record that does not exist.
- Lists accept \`page\`, \`per_page\` and \`count\`, newest first. Follow the \`Link\` header to read a whole list.
- A query parameter that the operation does not have is refused with a 400, which lists the parameters that it has.
- A POST with an \`Idempotency-Key\` can be repeated. It has its effect once and returns the same response.
- A record that can be changed has an \`ETag\`. A change with this ETag in \`If-Match\` has an effect only if the record is still unchanged.
- A request with a valid \`traceparent\` continues the trace of its caller. \`traceresponse\` names the trace of a request, if there is one.
- Requests are limited per API key and organization. The \`RateLimit\` header says what is left; a 429 says when to try again.
- Changes within v1 are additive. Ignore unknown fields.`;

/** Builds the document from the metadata of the routes. */
export function buildDocument(
  app: INestApplication,
  operations: readonly OperationMetadata[],
  version: string,
  basePath: string,
): OpenAPIObject {
  const base = new DocumentBuilder()
    .setTitle('Assay')
    .setDescription(INTRO)
    .setVersion(version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addBasicAuth(
      { type: 'http', scheme: 'basic', description: 'An API key as username, its secret as password.' },
      'basic',
    )
    .addBasicAuth(
      { type: 'http', scheme: 'basic', description: 'The id of a beacon as username, its token as password.' },
      'beacon',
    )
    .addSecurityRequirements('basic')
    .addServer(basePath === '' ? '/' : basePath)
    .build();
  const bodies = operations.flatMap(({ success }) => (success.body === undefined ? [] : [success.body]));
  const generated = SwaggerModule.createDocument(
    app,
    { ...base, openapi: '3.0.3' },
    {
      extraModels: [...new Set([ErrorBody, Acknowledgement, ...bodies])],
    },
  );
  return {
    ...generated,
    openapi: '3.0.3',
    tags: tagsOf(operations),
    paths: pathsOf(generated, operations),
    components: {
      ...generated.components,
      schemas: closedForRequests(generated),
      parameters: { ...safeRetryComponents.parameters, ...conditionalComponents.parameters },
      headers: { ...safeRetryComponents.headers, ...conditionalComponents.headers, ...limitComponents.headers },
      responses: { ...errorResponses, ...limitComponents.responses },
    },
  };
}

/** Requests with unknown fields are rejected, so the schemas of requests have `additionalProperties: false`. */
function closedForRequests({ paths, components }: OpenAPIObject): Schemas {
  const schemas: Schemas = { ...components?.schemas };
  for (const operation of Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, OperationObject>),
  )) {
    const { requestBody } = operation;
    const schema =
      requestBody && 'content' in requestBody ? requestBody.content['application/json']?.schema : undefined;
    if (schema === undefined || !('$ref' in schema)) continue;
    for (const name of schemasWithin(schema, schemas))
      schemas[name] = { ...schemas[name], additionalProperties: false };
  }
  return schemas;
}

/** The names of all schemas that a schema refers to, directly or indirectly. */
function schemasWithin(schema: unknown, schemas: Schemas, names: string[] = []): string[] {
  for (const [, reference] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    if (reference === undefined || names.includes(reference)) continue;
    names.push(reference);
    schemasWithin(schemas[reference], schemas, names);
  }
  return names;
}

const tagsOf = (operations: readonly OperationMetadata[]) =>
  [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAG_DESCRIPTIONS[name] }));

function pathsOf(generated: OpenAPIObject, operations: readonly OperationMetadata[]): OpenAPIObject['paths'] {
  const paths: OpenAPIObject['paths'] = {};
  for (const operation of operations) {
    const verb = operation.method.toLowerCase() as 'get';
    const found = generated.paths[routerPath(operation.path).replace(/:(\w+)/g, '{$1}')]?.[verb];
    if (found === undefined) throw new Error(`${operation.id} is missing in the generated document`);
    paths[operation.path] = { ...paths[operation.path], [verb]: documented(found, operation) };
  }
  return paths;
}

function documented(generated: OperationObject, operation: OperationMetadata): NumberedOperation {
  const { id, tag, summary, description, success, errors } = operation;
  const parameters = [
    ...withExamples(generated.parameters, operation),
    ...(isSafelyRetried(operation) ? [idempotencyKey] : []),
    ...(operation.ifMatch === undefined ? [] : [ifMatch]),
    ...(operation.entityTag ? [ifNoneMatch] : []),
  ];
  const answer = (success: OperationMetadata['success']) => successResponse(success, operation);
  const refusals = operation.ifMatch === undefined ? errors : [...errors, 412];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, roleSentence(operation)].filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(generated, operation),
    responses: {
      [success.status]: answer(success),
      ...(success.file && fileResponses),
      ...(operation.entityTag && { 304: { description: 'The record still has the ETag in If-None-Match.' } }),
      ...(success.alreadyExists && { 200: answer({ ...success, ...success.alreadyExists, status: 200 }) }),
      ...Object.fromEntries(refusals.map((status) => [status, errorResponse(status)])),
      ...(isLimited(operation) && { 429: tooManyRequests }),
      default: defaultErrorResponse(operation.otherErrors),
    },
    'x-specification': operation.number,
    ...(operation.credentials !== undefined && { security: [{ beacon: [] }] }),
  };
}

/** Id 1 exists in every demo. Operations that delete have no example, so that a record is not deleted by accident. */
const withExamples = (parameters: OperationObject['parameters'] = [], { method }: OperationMetadata) =>
  parameters.map((parameter) => {
    const isId = 'in' in parameter && parameter.in === 'path' && isInteger(parameter.schema);
    return isId && method !== 'DELETE' ? { ...parameter, example: 1 } : parameter;
  });

const isInteger = (schema: object | undefined): boolean =>
  schema !== undefined && 'type' in schema && schema.type === 'integer';

function requestBody(generated: OperationObject, { body, file, upload }: OperationMetadata): Partial<OperationObject> {
  if (upload !== undefined) {
    const part = { schema: { ...bytes.schema, maxLength: upload.maxBytes }, example: upload.example };
    const content = Object.fromEntries(upload.mediaTypes.map((type) => [type, part]));
    return { requestBody: { required: true, content } };
  }
  if (file !== undefined) {
    const schema = { ...bytes.schema, maxLength: file.maxBytes };
    return {
      requestBody: {
        required: true,
        content: Object.fromEntries(file.mediaTypes.map((type) => [type, { schema }])),
      },
    };
  }
  const content =
    generated.requestBody && 'content' in generated.requestBody ? generated.requestBody.content : undefined;
  const schema = content?.['application/json']?.schema;
  if (schema === undefined || body === undefined) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema, example: body.example } } } };
}

function successResponse(success: OperationMetadata['success'], operation: OperationMetadata) {
  const headers = {
    'X-Request-Id': {
      schema: { type: 'string' as const },
      description: 'The id of the request. Include it in support questions.',
    },
    ...(success.location && {
      Location: { schema: { type: 'string' as const }, description: 'The path of the new record.' },
    }),
    ...(success.paged && pageHeaders),
    ...(isSafelyRetried(operation) && idempotencyReplayed),
    ...(hasEntityTag(operation) && entityTagHeader),
    ...(isLimited(operation) && limitHeaders),
  };
  if (success.file) return { description: success.description, ...fileContent(success.file, headers, success.example) };
  if (success.body === undefined) return { description: success.description, headers };
  const schema = { $ref: getSchemaPath(success.body) };
  const example = success.example === undefined ? {} : { example: success.example };
  const content = { 'application/json': { schema, ...example }, ...otherFormats(success.otherFormats) };
  return { description: success.description, headers, content };
}

const isLimited = (operation: OperationMetadata): boolean => limitClassOf(operation, operation.method) !== undefined;

const hasEntityTag = ({ entityTag, ifMatch, method }: OperationMetadata): boolean =>
  entityTag === true || (ifMatch !== undefined && method !== 'DELETE');

const pageHeaders = {
  Link: {
    schema: { type: 'string' as const },
    description:
      'Links to the next and the previous page (RFC 8288), with the same filters and the same order. A client that follows them reads each record once, although records are added meanwhile, and a late page costs no more than the first.',
  },
  'X-Total-Count': {
    schema: { type: 'string' as const, pattern: '^([0-9]+|10000?\\+)$' },
    description:
      'Only with `count=true`: the number of records in the whole list. It is exact up to 10,000; a longer list has `10000+`. Of findings with `q` it is exact up to 1,000, then `1000+`.',
  },
};

const jsonObject = { schema: { type: 'object' as const, additionalProperties: true } };

const otherFormats = (types: readonly string[] = []) => Object.fromEntries(types.map((type) => [type, jsonObject]));

/** A file or a part of it. JSON is the only type with a schema besides bytes. */
const fileContent = (types: readonly string[], headers: object, example?: unknown) => ({
  headers: {
    ...headers,
    ETag: { schema: { type: 'string' as const }, description: 'The digest of the file.' },
    'Content-Disposition': { schema: { type: 'string' as const }, description: 'The file name.' },
    'Accept-Ranges': {
      schema: { type: 'string' as const, enum: ['bytes'] },
      description: 'Range requests are supported.',
    },
  },
  content: Object.fromEntries(types.map((type) => [type, /[/+]json$/.test(type) ? { ...jsonObject, example } : bytes])),
});

const bytes = { schema: { type: 'string' as const, format: 'binary' } };

const fileResponses = {
  206: {
    description: 'The requested range, with the content type of the file.',
    headers: { 'Content-Range': { schema: { type: 'string' as const }, description: 'The range and the total size.' } },
    content: { '*/*': bytes },
  },
  304: { description: 'The file still has the ETag in If-None-Match.' },
};

function roleSentence({ role, scope, credentials }: OperationMetadata): string {
  if (credentials !== undefined) return CREDENTIAL_SENTENCES[credentials];
  const who = {
    any: 'Any caller',
    integrator: 'Integrators',
    whole_integrator: 'Integrators, with a key that is not limited to one organization',
    machine_events: 'Integrators with machine events, with a key that is not limited to one organization',
    viewer: 'Any role',
    member: 'Members and above',
    admin: 'Admins and above',
    owner: 'Owners',
  }[role];
  return `${who}; key scope \`${scope}\`.`;
}
