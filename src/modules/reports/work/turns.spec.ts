import { Turns } from './turns';

const held = () => {
  let release = (): void => undefined;
  const done = new Promise<void>((resolve) => (release = resolve));
  return { done, release };
};

describe('Turns', () => {
  it('lets in as many as it is told, and the others in their order as those before them end', async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    const works = Array.from({ length: 5 }, held);
    const all = works.map(({ done }, index) =>
      turns.take(async () => {
        begun.push(index);
        await done;
        return index;
      }),
    );
    expect(begun).toEqual([0, 1]);
    works[1]?.release();
    await all[1];
    expect(begun).toEqual([0, 1, 2]);
    for (const { release } of works) release();
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('goes on after one that fails', async () => {
    const turns = new Turns(1);
    await expect(turns.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.take(async () => 'yes')).toBe('yes');
  });
});
