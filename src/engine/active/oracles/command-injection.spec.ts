import { commandInjection } from '../../checks/command-injection';
import { describeUnless } from '../../testing/describe-unless';
import type { RealServer } from '../../testing/real-server';
import { missingPhp, observeAt, startPhp } from '../testing/injectable-shop';

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
