/** Usual paths of OpenAPI documents. */
export const OPENAPI_PATHS = [
  '/openapi.json',
  '/openapi.yaml',
  '/swagger.json',
  '/v3/api-docs',
  '/v2/api-docs',
  '/api-docs',
  '/api/openapi.json',
  '/swagger/v1/swagger.json',
] as const;

/** Usual paths of GraphQL servers. */
export const GRAPHQL_PATHS = ['/graphql', '/api/graphql'] as const;
