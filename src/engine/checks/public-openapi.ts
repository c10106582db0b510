import { OPENAPI_PATHS } from '../protocols/http/api-paths';
import { exposedFile } from '../protocols/http/exposed-file';

/** The field with the version may follow others, and the paths come later. */
const JSON_DOCUMENT = /^\ufeff?\s{0,50}\{[\s\S]{0,5000}?"(?:openapi|swagger)"\s{0,5}:\s{0,5}"[23]\.\d/;
const YAML_DOCUMENT = /^\ufeff?(?:(?:#[^\n]{0,500}|---|[ \t\r]{0,20})\n){0,50}(?:openapi|swagger): {1,5}["']?[23]\.\d/;

const identify = (text: string): string | null =>
  JSON_DOCUMENT.test(text) || YAML_DOCUMENT.test(text) ? 'it describes the API' : null;

export const publicOpenapi = exposedFile(
  {
    id: 'public-openapi',
    title: 'OpenAPI (Swagger) description of an API is public',
    severity: 'info',
    cwe: [200],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-05'],
    cvss: null,
    references: [
      'https://spec.openapis.org/oas/latest.html',
      'https://owasp.org/API-Security/editions/2023/en/0xa9-improper-inventory-management/',
    ],
    decides:
      'Requests usual paths of OpenAPI documents, such as `/openapi.json`, `/swagger.json` and `/v3/api-docs`. It is vulnerable if a response is a document of OpenAPI or Swagger with its version. It is fixed when no path returns such a document.',
    text: `Anyone can read the description of an API: all its paths, parameters and models, including those that no page
uses. This is no weakness if the API is meant for the public. Otherwise it shows attackers what to try.

**How to fix it.** If the API is internal, turn off the document and its user interface in production, or require a
login for them. If it is public, accept this finding, and make sure that the document contains no internal paths.`,
  },
  OPENAPI_PATHS.map((path) => ({ path, identify })),
);
