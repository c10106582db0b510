import type { Statement } from '../host-seen';
import { technologyTemplate } from './technology-template';

const templateOf = (request: string, info = '', name = 'Acme Portal Login Panel - Detect'): string =>
  `id: acme\ninfo:\n  name: ${name}\n  severity: info\n  tags: tech\n${info}http:\n  - ${request}\n    matchers: [{type: word, words: ["<h1>Acme</h1>"]}]\n`;
const home = 'path: ["{{BaseURL}}"]';

const page = (path: string, body: string): Statement => ({
  kind: 'http',
  url: `https://www.example.com${path}`,
  status: 200,
  headers: [['Content-Type', 'text/html']],
  body,
});

describe('a template of a technology', () => {
  it('names it, with vendor and CPE, where it matches the start page', async () => {
    const cpe = 'cpe:2.3:a:acme:portal:*:*:*:*:*:*:*:*';
    const info = `  metadata: {vendor: acme, product: portal}\n  classification: {cpe: "${cpe}"}\n`;
    const template = technologyTemplate(templateOf(home, info));
    expect(await template?.seenIn([page('/', '<h1>Acme</h1>'), page('/missing', '')])).toEqual({
      name: 'Acme Portal',
      vendor: 'acme',
      version: '',
      os: '',
      cpe,
      source: 'template acme on https://www.example.com/',
    });
    expect(await template?.seenIn([page('/', 'Other'), page('/login', '<h1>Acme</h1>')])).toBeNull();
    expect(
      await template?.seenIn([{ kind: 'greeting', service: 'ssh', text: '<h1>Acme</h1>', source: '' }]),
    ).toBeNull();
  });

  it.each([
    ['path: ["{{BaseURL}}/"]', true],
    ['raw: ["GET / HTTP/1.1\\nHost: {{Hostname}}\\n\\n"]', true],
    ['path: ["{{BaseURL}}/login"]', false],
    ['path: ["{{BaseURL}}", "{{BaseURL}}/a"]', false],
    ['path: ["{{BaseURL}}"]\n    method: POST', false],
    ['path: ["{{BaseURL}}"]\n    headers: {X-Forwarded-For: 127.0.0.1}', false],
    ['path: ["{{BaseURL}}/{{one}}"]\n    payloads: {one: ["", a]}', false],
    ['path: ["{{BaseURL}}"]\n    body: x', false],
    ['path: ["{{unknown}}"]', false],
  ])('is used with %s: %s', (request, isUsed) => {
    expect(technologyTemplate(templateOf(request)) !== null).toBe(isUsed);
  });

  it.each([
    ['Nginx Version Detect', 'Nginx'],
    ['Grafana Login Panel', 'Grafana'],
    ['WordPress Detection', 'WordPress'],
    ['Detect', 'Detect'],
    ['Metric Detector', 'Metric'],
  ])('with the title %s names %s, and ignores a CPE that is none', async (title, name) => {
    const info = '  classification: {cpe: "cpe:/a:old"}\n';
    const seen = await technologyTemplate(templateOf(home, info, title))?.seenIn([page('/', '<h1>Acme</h1>')]);
    expect(seen).toMatchObject({ name, cpe: '' });
  });
});
