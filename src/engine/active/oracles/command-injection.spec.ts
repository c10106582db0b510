import { commandInjection } from '../../checks/command-injection';
import { describeUnless } from '../../testing/describe-unless';
import type { RealServer } from '../../testing/real-server';
import { missingPhp, observeAt, startPhp } from '../testing/injectable-shop';
import { observeApplication, pageWith } from '../testing/simulated-point';
import { commandInjectionOracle } from './command-injection';

describeUnless(missingPhp(), 'command-injection at a PHP application', () => {
  let tool: RealServer;
  beforeAll(async () => void (tool = await startPhp('commands.php')));
  afterAll(() => tool.stop());

  it.each([
    '/plain',
    '/middle',
    '/single',
    '/double',
    '/bash',
    '/no-semicolon',
    '/no-pipe',
    '/only-pipe',
    '/no-dollar',
    '/line',
    '/only-semicolon',
    '/only-ampersand',
    '/only-line',
    '/no-space',
    '/no-space-no-dollar',
    '/line-alone',
  ])('finds %s by what a shell computes', async (path) => {
    expect(await observeAt(commandInjection, tool.port, path, '127.0.0.1')).toEqual({
      state: 'vulnerable',
      detail: expect.stringContaining('A shell computes what is in the value'),
    });
  });

  it.each(['/fixed', '/echo', '/calculator', '/number', '/nothing'])('finds nothing at %s', async (path) => {
    expect(await observeAt(commandInjection, tool.port, path, '127.0.0.1')).toMatchObject({ state: 'not_vulnerable' });
  });
});

it('ends the command of the application only after everything that leaves it whole', async () => {
  const { values } = await observeApplication(commandInjectionOracle, () => pageWith(''));
  const endsCommand = (value: string): boolean => /[;|&\n]/.test(value);
  const first = values.findIndex(endsCommand);
  expect(values.slice(0, first)).toEqual(expect.arrayContaining([expect.stringContaining('$(sleep ')]));
  expect(values.slice(first)).toHaveLength(values.filter(endsCommand).length);
});
