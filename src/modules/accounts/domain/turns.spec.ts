import { type Turn, TURN_PRIORITY, withoutTurn, withTurn } from './turns';

const job = { holder: 'job 1', what: 'a scan', priority: TURN_PRIORITY.job };
const other = { holder: 'job 2', what: 'a scan', priority: TURN_PRIORITY.job };
const pipeline = { holder: 'job 3', what: 'a scan', priority: TURN_PRIORITY.pipeline };
const retest = { holder: 'retest 1', what: 'a retest', priority: TURN_PRIORITY.retest };

const holders = (turns: readonly Turn[]): string[] => turns.map(({ holder }) => holder);

it('gives an account to the first, and to retests and pipelines before the jobs that wait', () => {
  let turns: Turn[] = [];
  for (const [at, asked] of [job, other, pipeline, retest].entries()) turns = withTurn(turns, asked, at);
  expect(holders(turns)).toEqual(['job 1', 'retest 1', 'job 3', 'job 2']);
  turns = withTurn(turns, other, 10);
  expect(holders(turns)).toEqual(['job 1', 'retest 1', 'job 3', 'job 2']);
  turns = withoutTurn(turns, 'job 1', 11);
  expect(holders(turns)).toEqual(['retest 1', 'job 3', 'job 2']);
});

it('lets no work wait behind later work of the same priority', () => {
  let turns = withTurn(withTurn(withTurn([], job, 0), other, 1), { ...other, holder: 'job 4' }, 2);
  turns = withTurn(withoutTurn(turns, 'job 1', 3), job, 4);
  expect(holders(turns)).toEqual(['job 2', 'job 4', 'job 1']);
});

it('passes on the turn of a worker that no longer reports', () => {
  let turns = withTurn(withTurn([], job, 0), other, 1);
  turns = withTurn(turns, other, 19_000);
  expect(holders(turns)).toEqual(['job 1', 'job 2']);
  turns = withTurn(turns, other, 20_000);
  expect(holders(turns)).toEqual(['job 2']);
  expect(holders(withTurn(turns, job, 21_000))).toEqual(['job 2', 'job 1']);
});
