import { FRAME, type FrameType } from './frame';
import { InboundLimits } from './inbound-limits';

let now = 0;
const clock = (): number => now;

beforeEach(() => (now = 1_000));

const limits = (areMessagesLimited = true): InboundLimits => new InboundLimits({ areMessagesLimited, now: clock });

const send = (to: InboundLimits, type: FrameType, bytes: number, times = 1): void => {
  const frame = { type, id: 1, payload: Buffer.alloc(bytes) };
  for (let at = 0; at < times; at += 1) to.count(frame);
};

const greeted = (): InboundLimits => {
  const one = limits();
  send(one, FRAME.control, 100);
  now += 1_000;
  return one;
};

describe('the limits of what the other side sends', () => {
  it('allow a first control message of any size, and 4 KiB in all messages after it', () => {
    const one = limits();
    send(one, FRAME.control, 65_536);
    send(one, FRAME.control, 4_096);
    expect(() => send(one, FRAME.control, 4_097)).toThrow('a message is longer than 4096 bytes');
  });

  it.each([FRAME.failed, FRAME.response, FRAME.reset, FRAME.opened, FRAME.window, FRAME.end, 99 as FrameType])(
    'allow 4 KiB in a frame of type %d, also before the first control message',
    (type) => {
      send(limits(), type, 4_096);
      expect(() => send(limits(), type, 4_097)).toThrow('a message is longer than 4096 bytes');
    },
  );

  it('allow ten control messages in each second', () => {
    const one = greeted();
    send(one, FRAME.control, 20, 10);
    now += 999;
    expect(() => send(one, FRAME.control, 20)).toThrow('more than 10 control messages in a second');
    now += 1;
    send(one, FRAME.control, 20, 10);
    expect(() => send(one, FRAME.control, 20)).toThrow('more than 10 control messages in a second');
  });

  it('allow 1 MiB of messages of all types together in each second', () => {
    const one = greeted();
    send(one, FRAME.control, 4_096);
    send(one, FRAME.failed, 4_096, 100);
    send(one, FRAME.response, 4_096, 155);
    expect(() => send(one, FRAME.failed, 1)).toThrow('more than 1 MiB of messages in a second');
    now += 1_000;
    send(one, FRAME.failed, 4_096, 256);
  });

  it('allow 20,000 small frames in five seconds, and any number of large ones with data', () => {
    const one = limits();
    send(one, FRAME.data, 1_024, 50_000);
    send(one, FRAME.data, 1_023, 15_000);
    send(one, FRAME.window, 4, 5_000);
    expect(() => send(one, FRAME.data, 1)).toThrow('too many small frames');
    now += 5_000;
    send(one, FRAME.data, 1, 20_000);
  });

  it('allow the service long and many messages to an agent', () => {
    const one = limits(false);
    send(one, FRAME.control, 65_536, 100);
    expect(() => send(one, FRAME.control, 20, 20_001)).toThrow('too many small frames');
  });
});
