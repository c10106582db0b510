import { CHECKS } from '../../../engine/checks';
import { MAX_TEMPLATES, parseSelection, type SelectableTemplate, selectTemplates } from './check-selection';

const loaded = (id: string, more: Partial<SelectableTemplate> = {}): SelectableTemplate => ({
  id,
  version: 1,
  tags: ['cve'],
  notInJobs: null,
  ...more,
});

describe('a selection of checks', () => {
  it('contains ids of built-in checks and templates, and tags', () => {
    const { builtIn, templateIds, tags } = parseSelection(['http:One', 'CVE', 'weak-csp', 'http:One', 'cve']);
    expect([builtIn.map(({ id }) => id), templateIds, tags]).toEqual([['weak-csp'], ['One'], ['cve']]);
  });

  it('has all built-in checks with built-in, each once', () => {
    expect(parseSelection(['weak-csp', 'built-in']).builtIn).toEqual(CHECKS);
  });

  it('keeps what a tag selects and does not run, with the reason', () => {
    const templates = [loaded('a'), loaded('b', { notInJobs: 'it sends POST' })];
    expect(selectTemplates(parseSelection(['cve']), templates)).toEqual([
      { id: 'a', version: 1, skipped: null },
      { id: 'b', version: 1, skipped: 'it sends POST' },
    ]);
  });

  it('is refused if a tag has no template, even if another one has', () => {
    expect(() => selectTemplates(parseSelection(['cve', 'cves']), [loaded('a')])).toThrow('"cves" is neither');
  });

  it('is refused if nothing of it runs, because its job would succeed without a test', () => {
    const templates = [loaded('a', { notInJobs: 'it sends POST' })];
    expect(() => selectTemplates(parseSelection(['cve']), templates)).toThrow('none of the selected templates runs');
    expect(selectTemplates(parseSelection(['cve', 'weak-csp']), templates)).toHaveLength(1);
  });

  it('is refused with more templates than a job runs', () => {
    const templates = Array.from({ length: MAX_TEMPLATES + 1 }, (_, index) => loaded(`t${index}`));
    expect(() => selectTemplates(parseSelection(['cve']), templates)).toThrow('selects 501 templates');
    expect(selectTemplates(parseSelection(['cve']), templates.slice(1))).toHaveLength(MAX_TEMPLATES);
  });

  it('counts templates that do not run towards a limit of their own', () => {
    const skipped = Array.from({ length: 2_000 }, (_, index) => loaded(`s${index}`, { notInJobs: 'it sends POST' }));
    expect(selectTemplates(parseSelection(['cve']), [loaded('a'), ...skipped.slice(1)])).toHaveLength(2_000);
    expect(() => selectTemplates(parseSelection(['cve']), [loaded('a'), ...skipped])).toThrow('selects 2001 templates');
  });
});
