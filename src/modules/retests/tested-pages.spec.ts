import { Logger } from '@nestjs/common';
import type { Launchable } from './launch';
import { TestedPages } from './tested-pages';

describe('what a test has seen', () => {
  it('only adds a line to the log when it cannot be stored', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const pages = new TestedPages();
    const launch = { assetId: 7 } as Launchable;
    await pages.keep(launch, null);
    expect(error).not.toHaveBeenCalled();
    pages.keepWith(() => Promise.reject(new Error('no space left')));
    await pages.keep(launch, null);
    expect(error.mock.calls).toEqual([['What a test saw of asset 7 was not kept: Error: no space left']]);
    error.mockRestore();
  });
});
