import { readReportOptions } from './read-report-options';
import { defaultReportOptions } from './report-options';

describe('readReportOptions', () => {
  it.each([undefined, null, {}, { format: null, statuses: null }])('fills %j with the defaults', (sent) => {
    expect(readReportOptions(sent)).toEqual(defaultReportOptions);
  });

  it('takes every option', () => {
    const whole = {
      format: 'sarif',
      sections: ['findings'],
      min_severity: 'high',
      statuses: [1, 10],
      include_evidence: false,
      include_resolved: false,
    };
    expect(readReportOptions(whole)).toEqual(whole);
  });

  it.each([
    [[], 'options must be an object of: format'],
    ['pdf', 'options must be an object of: format'],
    [{ format: 'doc' }, 'options.format must be one of: pdf, html'],
    [{ format: 'toString' }, 'options.format must be'],
    [{ sections: [] }, 'options.sections must be a list of at least one'],
    [{ sections: ['summary', 'summary'] }, 'each once'],
    [{ sections: ['summary', 'cover'] }, 'options.sections must be'],
    [{ sections: 'summary' }, 'options.sections must be'],
    [{ min_severity: 3 }, 'options.min_severity must be one of: none, info'],
    [{ statuses: [0] }, 'options.statuses must be a list of whole numbers from 1 to 10'],
    [{ statuses: [11] }, 'options.statuses'],
    [{ statuses: [1.5] }, 'options.statuses'],
    [{ statuses: ['1'] }, 'options.statuses'],
    [{ statuses: [1, 1] }, 'each once'],
    [{ include_evidence: 'yes' }, 'options.include_evidence must be true or false'],
    [{ include_resolved: 1 }, 'options.include_resolved must be true or false'],
    [{ colour: 'red' }, 'options.colour is not an option; these are: format, sections'],
    [{ constructor: 1 }, 'options.constructor is not an option'],
  ])('refuses %j', (sent, sentence) => {
    expect(() => readReportOptions(sent)).toThrow(
      expect.objectContaining({ kind: 'invalid', message: expect.stringContaining(sentence) }),
    );
  });

  it('names all that is wrong at once', () => {
    expect(() => readReportOptions({ format: 'doc', colour: 1, statuses: [99] })).toThrow(
      /options\.format .*; options\.colour .*; options\.statuses /,
    );
  });
});
