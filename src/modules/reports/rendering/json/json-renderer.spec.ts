import { REPORT_SECTIONS } from '../../domain/report-options';
import { demoSnapshot, hostileSnapshot } from '../testing/snapshots';
import { JsonRenderer, jsonReport } from './json-renderer';

const always = [
  'assay_version',
  'assessment',
  'comparison',
  'end_date',
  'event',
  'events',
  'job',
  'left_out',
  'options',
  'organization',
  'report_id',
  'schema',
  'start_date',
  'subject',
  'taken',
];

describe('JSON', () => {
  it('writes the snapshot and the name of its schema', async () => {
    for (const snapshot of [demoSnapshot(), hostileSnapshot()]) {
      const parsed: unknown = JSON.parse((await new JsonRenderer().render(snapshot)).toString());
      expect(parsed).toEqual(
        JSON.parse(JSON.stringify({ schema: 'assay/report/1', ...snapshot, logo: undefined, counted: undefined })),
      );
    }
  });

  it.each([
    ['summary', ['summary', 'time_to_fix', 'timeline', 'totals']],
    ['scope', ['scope']],
    ['changes', ['changes']],
    ['methodology', ['checks']],
    ['findings', ['check_descriptions', 'findings']],
    ['retests', []],
    ['evidence', []],
    ['appendix', ['vocabulary']],
  ] as const)('writes the fields of the section %s only when it is requested', (section, own) => {
    const snapshot = demoSnapshot();
    const report = jsonReport({ ...snapshot, options: { ...snapshot.options, sections: [section] } });
    expect(Object.keys(report).sort()).toEqual([...always, ...own].sort());
  });

  it('writes every field when all sections are requested', () => {
    const { logo: _logo, counted: _counted, ...fields } = demoSnapshot();
    expect(Object.keys(jsonReport(demoSnapshot())).sort()).toEqual(['schema', ...Object.keys(fields)].sort());
    expect(demoSnapshot().options.sections).toEqual(REPORT_SECTIONS);
  });
});
