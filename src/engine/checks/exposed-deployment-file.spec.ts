import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { probeSite } from '../testing/probe-site';
import { exposedDeploymentFile } from './exposed-deployment-file';

const at = (path: string, body: string, type = 'text/plain'): Site => ({
  pages: { [path]: { headers: { 'content-type': type }, body } },
});

const COMPOSE = 'services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_PASSWORD: hush\n';

truthTable(exposedDeploymentFile, {
  scheme: 'http',
  vulnerable: at('/docker-compose.yml', COMPOSE),
  fixed: {},
  alsoVulnerable: {
    'the file has its longer ending': at('/docker-compose.yaml', COMPOSE),
    'the file has its newer name': at('/compose.yml', COMPOSE),
    'the file has its newer name and its longer ending': at('/compose.yaml', COMPOSE),
    'the Dockerfile is public': at('/Dockerfile', '# syntax\nARG TAG=22\nFROM node:${TAG} AS build\nRUN npm ci\n'),
    'IIS returns its configuration': at(
      '/web.config',
      '\ufeff<?xml version="1.0"?>\n<!-- made by hand -->\n<configuration>\n<connectionStrings/></configuration>',
      'text/xml',
    ),
    'the settings of PHP are public': at('/php.ini', '; ours\n[PHP]\nmemory_limit = 256M\nextension=gd\n'),
  },
  softErrors: lookalikeSites(COMPOSE),
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/docker-compose.yml': { status: 403, body: 'Forbidden' } } },
  },
});

describe('exposed-deployment-file', () => {
  it.each([
    ['a text about a Dockerfile', '/Dockerfile', 'Write this:\nFROM node\nRUN npm ci\n'],
    ['a line that begins with FROM', '/Dockerfile', 'FROM here on nothing is found\nRUN away\n'],
    ['a list of services of a company', '/docker-compose.yml', 'services:\n  - cleaning\n  - repairs\n'],
    ['another configuration in XML', '/web.config', '<configuration><languages/></configuration>'],
    ['a page about web.config', '/web.config', '<!doctype html><configuration><system.web></configuration>'],
    ['a page about PHP', '/php.ini', 'memory_limit = 256M\nis too much.\n'],
    ['assignments that PHP does not know', '/php.ini', 'error = not_found\n'],
  ])('does not treat %s as such a file', async (_what, path, body) => {
    expect(await probeSite(exposedDeploymentFile, at(path, body))).toBe('not_vulnerable');
  });
});
