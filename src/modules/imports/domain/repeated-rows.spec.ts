import { severityNumber, type Severity } from '../../../kernel/severity';
import { type FileRow, repeatedRowsOf } from './repeated-rows';

const row = (number: number, title: string, severity: Severity, result: FileRow['result'] = 'unchanged'): FileRow => ({
  number,
  line: number * 10,
  fingerprint: 'same',
  title,
  severity: severityNumber(severity),
  result,
});

describe('rows of a file with the same finding', () => {
  it('raise the severity of a finding that the file created, and say into which row they went and why', () => {
    const rows = [row(1, 'A', 'low', 'new'), row(2, 'B', 'high'), row(3, 'A', 'medium'), row(4, 'A', 'high')];
    const { reasons, ofNew, firsts } = repeatedRowsOf(rows, []);
    expect([...reasons]).toEqual([
      [2, 'Same finding as row 1 in line 10 (another title, another severity): its severity is raised to high.'],
      [3, 'Same finding as row 1 in line 10 (another severity).'],
    ]);
    expect([...ofNew]).toEqual([2, 3, 4]);
    expect(firsts.get('same')).toMatchObject({ number: 1, severity: severityNumber('high') });
  });

  it('are compared with a row of an earlier batch', () => {
    const earlier = [row(1, 'A', 'medium', 'new')];
    const { reasons, raised } = repeatedRowsOf([row(101, 'A', 'medium'), row(102, 'A', 'critical')], earlier);
    expect([...reasons]).toEqual([
      [102, 'Same finding as row 1 in line 10 (another severity): its severity is raised to critical.'],
    ]);
    expect(raised).toEqual([row(1, 'A', 'critical', 'new')]);
  });

  it('leave the severity of a finding that existed before the import', () => {
    const { reasons, ofNew } = repeatedRowsOf([row(1, 'A', 'low', 'seen_again'), row(2, 'A', 'high')], []);
    expect([...reasons.values()]).toEqual(['Same finding as row 1 in line 10 (another severity).']);
    expect(ofNew.size).toBe(0);
  });
});
