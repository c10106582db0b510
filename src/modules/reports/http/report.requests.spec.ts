import { RequestPipe } from '../../../platform/http/request-pipe';
import { defaultReportOptions } from '../domain/report-options';
import { CreateReportRequest, orderOf } from './report.requests';

describe('the options of a report', () => {
  const read = async (options: unknown) =>
    orderOf(
      (await new RequestPipe().transform(
        { options },
        { type: 'body', metatype: CreateReportRequest },
      )) as CreateReportRequest,
    ).options;

  it.each([undefined, null, {}, { format: null, statuses: null }])('get their defaults from %j', async (sent) => {
    expect(await read(sent)).toEqual(defaultReportOptions);
  });

  it('keep every value that is sent', async () => {
    const whole = {
      format: 'sarif',
      sections: ['findings'],
      min_severity: 'high',
      statuses: [1, 10],
      owner: 'group:7',
      include_evidence: false,
      include_resolved: false,
      title_page: {
        title: 'Shop',
        subtitle: 'Retest',
        confidentiality: 'Internal',
        recipient: 'Ada Ito',
        version: '1.1',
        tester: 'Mara Lindqvist',
        contact: 'mara@example.com',
        distribution: ['Ada Ito', 'Board'],
        author: 'Ada Ito',
        reviewer: 'Yusuf Demir',
      },
      kind: 'report',
      order: 'asset',
      first_findings: [7, 3],
      left_out_findings: [9],
      compare_with: 12,
      texts: { summary: 'A *good* state.', rating: 'Low risk', conclusion: null, next_steps: null },
    };
    expect(await read(whole)).toEqual(whole);
  });

  it.each([
    [[], 'options must be an object of: format'],
    ['pdf', 'options must be an object of: format'],
    [{ format: 'doc' }, 'options.format must be one of: pdf, html'],
    [{ format: 'toString' }, 'options.format must be'],
    [{ sections: [] }, 'options.sections must be a list of 1 to 9'],
    [{ title_page: { title: ' ' } }, 'options.title_page.title must be a string of 1 to 200 characters'],
    [{ title_page: { logo: 'x' } }, '"logo" is not a field of options.title_page; known fields: title, subtitle'],
    [{ title_page: { distribution: [''] } }, 'options.title_page.distribution must be a list of 0 to 20'],
    [{ title_page: 'x' }, 'options.title_page must be an object of: title'],
    [{ sections: ['summary', 'summary'] }, 'without repetitions'],
    [{ sections: ['summary', 'cover'] }, 'options.sections must be'],
    [{ sections: 'summary' }, 'options.sections must be'],
    [{ min_severity: 3 }, 'options.min_severity must be one of: none, info'],
    [
      { statuses: [0] },
      'options.statuses must be a list of 0 to 10, without repetitions, where each is a whole number from 1 to 10',
    ],
    [{ statuses: [11] }, 'options.statuses'],
    [{ statuses: [1.5] }, 'options.statuses'],
    [{ statuses: ['1'] }, 'options.statuses'],
    [{ statuses: [1, 1] }, 'without repetitions'],
    [{ include_evidence: 'yes' }, 'options.include_evidence must be true or false'],
    [{ include_resolved: 1 }, 'options.include_resolved must be true or false'],
    [{ kind: 'letter', format: 'csv' }, 'options.kind must be report in this format: a letter is pdf or html.'],
    [{ texts: { summary: ' ' } }, 'options.texts.summary must not be blank'],
    [{ texts: { summary: 'x'.repeat(10_001) } }, 'options.texts.summary must be a string of at most 10000 characters'],
    [{ texts: { summary: '>'.repeat(30) + 'x' } }, 'options.texts.summary has quotes and lists inside each other'],
    [{ texts: { rating: 'a\nb' } }, 'options.texts.rating must be one line'],
    [{ left_out_findings: [0] }, 'options.left_out_findings must be a list of 0 to 1000'],
    [{ first_findings: [1, 1] }, 'without repetitions'],
    [{ compare_with: 'last' }, 'options.compare_with must be a whole number'],
    [{ colour: 'red' }, '"colour" is not a field of options; known fields: first_findings, left_out_findings'],
    [{ constructor: 1 }, '"constructor" is not a field of options'],
  ])('are refused as %j', async (sent, sentence) => {
    await expect(read(sent)).rejects.toEqual(
      expect.objectContaining({ kind: 'invalid', message: expect.stringContaining(sentence) }),
    );
  });

  it('are rejected with all invalid values in one error', async () => {
    await expect(read({ format: 'doc', statuses: [99] })).rejects.toThrow(/^options\.format .*; options\.statuses /);
  });
});
