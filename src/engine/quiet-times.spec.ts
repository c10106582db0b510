import { overlapping, QuietTimes } from './quiet-times';

/** Waits until everything has happened that does not wait for anything else. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('quiet times', () => {
  let order: string[];
  let ends: Record<string, () => void>;
  const work =
    (name: string): (() => Promise<void>) =>
    () => {
      order.push(name);
      return new Promise((resolve) => (ends[name] = resolve));
    };

  beforeEach(() => {
    order = [];
    ends = {};
  });

  it('let others run at once, and nothing beside what has to be alone but its own work', async () => {
    const quiet = new QuietTimes();
    const [one, other] = [{}, {}];
    void quiet.beside(one, work('first'));
    void quiet.beside(other, work('second'));
    void quiet.alone(one, work('alone'));
    ends.first?.();
    await settled();
    expect(order).toEqual(['first', 'second']);
    ends.second?.();
    await settled();
    void quiet.beside({}, work('waiting'));
    void quiet.alone(other, work('next'));
    void quiet.beside(one, work('measured'));
    await settled();
    expect(order.slice(2)).toEqual(['alone', 'measured']);
    ends.measured?.();
    ends.alone?.();
    await settled();
    // Work that must also be alone follows immediately, and not after what others send in between.
    expect(order.slice(4)).toEqual(['next']);
    ends.next?.();
    await settled();
    expect(order.slice(5)).toEqual(['waiting']);
  });

  it('end with work that fails', async () => {
    const quiet = new QuietTimes();
    const failing = quiet.alone({}, () => Promise.reject(new Error('no answer')));
    await expect(failing).rejects.toThrow('no answer');
    await expect(quiet.beside({}, () => Promise.resolve('sent'))).resolves.toBe('sent');
  });
});

describe('overlapping probes', () => {
  const pause = (): Promise<void> => Promise.resolve();

  it('begin when the first one lets them, and not before', async () => {
    const begun: number[] = [];
    let letGoOn = (): void => {};
    const ends: ((result: string | null) => void)[] = [];
    const all = overlapping<string>({ times: 3, pause }, (at, goOn) => {
      begun.push(at);
      letGoOn = goOn;
      return new Promise((resolve) => ends.push(resolve));
    });
    await settled();
    expect(begun).toEqual([0]);
    letGoOn();
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    // A result that arrives later is still returned.
    ends[0]?.(null);
    ends[1]?.(null);
    ends[2]?.('vulnerable');
    await expect(all).resolves.toEqual([null, null, 'vulnerable']);
  });

  it('follow no result, and leave nothing under way when one of them fails', async () => {
    const begun: number[] = [];
    await overlapping<string>({ times: 3, pause }, (at) => {
      begun.push(at);
      return Promise.resolve('vulnerable');
    });
    expect(begun).toEqual([0]);
    let isOver = false;
    const failed = overlapping<string>({ times: 2, pause }, async (at, goOn) => {
      goOn();
      if (at === 1) throw new Error('stopped');
      await settled();
      isOver = true;
      return null;
    });
    await expect(failed).rejects.toThrow('stopped');
    expect(isOver).toBe(true);
  });
});
