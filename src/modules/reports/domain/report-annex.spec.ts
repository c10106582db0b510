import { annexNotice, inFull, sizeInWords } from './report-annex';
import { defaultReportOptions, type ReportOptions } from './report-options';

const options = (parts: Partial<ReportOptions> = {}): ReportOptions => ({ ...defaultReportOptions, ...parts });

const all = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    status: index % 2 === 0 ? (5 as const) : (1 as const),
  }));

describe('the annex of a report', () => {
  it('of a PDF has the most urgent open findings if there are more than 3,000, and those that were named', () => {
    const shown = inFull(all(8_000), options({ first_findings: [7_999] }), [{ id: 8_000 }]);
    expect(shown).toHaveLength(3_000);
    expect(shown.filter(({ status }) => status === 5).map(({ id }) => id)).toEqual([7_999]);
    expect(shown.map(({ id }) => id)).toContain(8_000);
    expect(shown.at(-1)?.id).toBe(2 * 2_998);
    expect(inFull(all(3_000), options(), [])).toHaveLength(3_000);
  });

  it('is whole in HTML, and files for programs and letters are never shortened', () => {
    for (const parts of [{ format: 'html' }, { format: 'csv' }, { kind: 'letter' }] as const)
      expect(inFull(all(8_000), options(parts), [])).toHaveLength(8_000);
  });

  it('reads only the most urgent findings for a summary without an annex', () => {
    const urgent = Array.from({ length: 10 }, (_, index) => ({ id: 100 * (index + 1) }));
    const shown = inFull(all(8_000), options({ sections: ['summary'], first_findings: [1] }), urgent);
    expect(shown.map(({ id }) => ({ id }))).toEqual(urgent);
  });

  it.each([
    [{}, 0, 'This filter has no findings.'],
    [{}, 1, 'This filter has 1 finding. The annex shows each of them.'],
    [{}, 3_000, 'This filter has 3,000 findings. The annex shows each of them.'],
    [{}, 8_431, 'This filter has 8,431 findings. The annex shows the 3,000 most urgent; the summary counts all.'],
    [{ sections: ['summary'] }, 8_431, 'This filter has 8,431 findings. The summary counts all of them.'],
    [{ format: 'html' }, 8_431, 'This filter has 8,431 findings. The annex shows each of them.'],
    [{ format: 'csv' }, 10_000, 'This filter has 10,000 findings.'],
  ] as const)('says before the generation what the report will have: %#', (parts, findings, sentence) => {
    expect(sizeInWords(options(parts), findings, 10_000)).toBe(sentence);
  });

  const NARROWER = 'in all: for fewer, choose a shorter period, a higher severity or one owner.';

  it.each([
    [{}, 12, `The annex shows at most the 3,000 most urgent. The summary counts at most 100,000 ${NARROWER}`],
    [{ sections: ['summary'] }, 12, `The summary counts at most 100,000 ${NARROWER}`],
    [{ format: 'csv' }, 12, `This kind of file has at most 20,000 ${NARROWER}`],
  ] as const)('says of a subject with very many findings only how many of the newest match: %#', (parts, some, end) => {
    const begin = (count: string): string => `This filter has ${count} of the newest 10,000 findings. ${end}`;
    expect(sizeInWords(options(parts), some, 10_001)).toBe(begin('12'));
    expect(sizeInWords(options(parts), 10_001, 10_001)).toBe(begin('10,000'));
  });

  it('says of a report whether its annex is shorter than its summary', () => {
    const of = (count: number, parts?: Partial<ReportOptions>) =>
      annexNotice({ options: options(parts), totals: { findings: 12_431 }, findings: all(count) });
    expect(of(3_000)).toBe('The annex has the 3,000 most urgent of 12,431 findings; the summary counts all.');
    expect([of(12_431), of(10, { sections: ['summary'] }), of(1, { format: 'csv' })]).toEqual([null, null, null]);
  });
});
