import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { everything } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { DestinationPauses, type DestinationReference, pauseOf } from '../feed';
import { ATTEMPT_MS, isAccepted, outcomeOf } from '../webhooks';
import { type ChannelAnswer, ChannelDispatch, type Parcel } from './channel-dispatch';
import { ChannelMessagesRepository } from './data/channel-messages.repository';
import type { Channel } from './data/channel.entity';
import { ChannelsRepository } from './data/channels.repository';
import { countedHour, nextTurn } from './domain/channel-turn';
import { channelKind } from './domain/channel-vocabulary';
import { recordOf } from './domain/entry-news';
import { MAX_ITEMS } from './domain/message';

const scope = everything('the messages of all organizations are sent');

/** What a receiver answers to a message that it does not understand, or that is too long. */
const REFUSALS: ReadonlySet<string | null> = new Set(['HTTP 400', 'HTTP 413']);

/** Sends the next message of a channel, and records the result. */
@Injectable()
export class ChannelSending {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly messages: ChannelMessagesRepository,
    private readonly dispatch: ChannelDispatch,
    private readonly pauses: DestinationPauses,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Returns false if there is nothing to send now. */
  async sendNext(reference: DestinationReference, signal: AbortSignal): Promise<boolean> {
    const parcel = await this.changing(reference, (channel) => this.take(channel));
    if (parcel === undefined) return false;
    const answer = await this.dispatch.send(parcel, signal);
    await this.changing(reference, (channel) => this.keep(channel, parcel, answer));
    return parcel.isTest || wasAccepted(answer) || isToShorten(parcel, answer);
  }

  /** Leaves an audit entry only if the channel is paused. */
  private async changing<T>(reference: DestinationReference, change: (channel: Channel) => Promise<T>) {
    const { id, organizationId } = reference;
    let result: T | undefined;
    await this.unitOfWork.runIfDue(pauseOf(channelKind, reference), scope, async () => {
      const channel = await this.channels.lockOne(scope, organizationId, id);
      if (channel === undefined) return undefined;
      result = await change(channel);
      const after = await this.channels.findOne(scope, organizationId, id);
      return after?.state === channel.state ? undefined : true;
    });
    return result;
  }

  /** A lost attempt is repeated when it can no longer be running; by mail it is not, because that may have arrived. */
  private async take(channel: Channel): Promise<Parcel | undefined> {
    const waiting = await this.messages.listWaitingOfLocked(channel);
    const [first] = waiting;
    if (first === undefined) return undefined;
    const now = this.clock.now();
    const isTest = first.position === null;
    if (!isTest && (channel.state === 'paused' || (channel.nextAttempt !== null && channel.nextAttempt > now)))
      return undefined;
    if (!(await this.pauses.hasMaker(channel))) {
      await this.pauses.pause(this.channels, channel, 'maker_left');
      return undefined;
    }
    const turn = isTest ? { takes: 'one' as const } : nextTurn(channel, first.created, now);
    if ('waitUntil' in turn) {
      await this.channels.change(channel, { nextAttempt: turn.waitUntil });
      return undefined;
    }
    const messages = turn.takes === 'one' ? [first] : waiting;
    if (channel.kind === 'mail' || isTest)
      await this.messages.setTaken(
        channel,
        messages.map(({ id }) => id),
        now,
      );
    else await this.channels.change(channel, { nextAttempt: new Date(now.getTime() + ATTEMPT_MS) });
    const bundle = turn.takes === 'one' ? null : channel.digest === 'off' ? 'limit' : 'digest';
    const isShort = !isTest && channel.kind !== 'mail' && channel.attempts > 0 && REFUSALS.has(channel.lastError);
    return { channel, messages, bundle, isTest, isShort };
  }

  private async keep(channel: Channel, parcel: Parcel, answer: ChannelAnswer): Promise<void> {
    const { messages, isTest, isShort } = parcel;
    const now = this.clock.now();
    const ids = messages.map(({ id }) => id);
    const lastError = errorOf(answer);
    if (isTest || wasAccepted(answer)) await this.messages.remove(channel, ids);
    if (isTest) return this.channels.change(channel, { lastError, ...(lastError === null && { lastSent: now }) });
    if (wasAccepted(answer)) {
      if (isShort) await this.recordShort(parcel);
      const refusal = isShort ? `${parcel.channel.lastError}: a short message was sent instead` : null;
      const ended = { attempts: 0, nextAttempt: null, failingSince: null, lastError: refusal, lastSent: now };
      return this.channels.change(channel, { ...ended, ...countedHour(channel, now) });
    }
    if (channel.kind === 'mail') await this.messages.setTaken(channel, ids, null);
    if (answer === 'no_recipients') {
      await this.channels.change(channel, { lastError });
      return this.pauses.pause(this.channels, channel, answer);
    }
    const attempts = channel.attempts + 1;
    const receiver = { failingSince: channel.failingSince, misses: channel.attempts, resumeAt: null };
    const outcome = outcomeOf({ answer, now, attempts, firstAttempt: now, receiver });
    const next = [outcome.nextAttempt, outcome.receiver.resumeAt].map((date) => date?.getTime() ?? 0);
    const { failingSince } = outcome.receiver;
    if (isToShorten(parcel, answer))
      return this.channels.change(channel, { attempts, nextAttempt: now, failingSince, lastError });
    await this.channels.change(channel, {
      attempts,
      nextAttempt: new Date(Math.max(...next)),
      failingSince,
      lastError,
    });
    if (outcome.pause === 'gone' || outcome.pause === 'failing')
      await this.pauses.pause(this.channels, channel, outcome.pause);
  }

  /** In the audit log, because the next message that is accepted clears the error of the channel. */
  private recordShort({ channel: { id, organizationId, lastError }, messages }: Parcel): Promise<void> {
    const records = [...new Set(messages.map(recordOf))].slice(0, MAX_ITEMS);
    return this.unitOfWork.recordPart(
      { operation: 'channel.shorten', resourceType: 'channel', resourceId: String(id) },
      { organizationId, metadata: { refusal: lastError, records } },
    );
  }
}

/** It is sent at once without its texts, so that a text about one record delays no other. */
const isToShorten = ({ channel, isTest, isShort }: Parcel, answer: ChannelAnswer): boolean =>
  !isTest && !isShort && channel.kind !== 'mail' && REFUSALS.has(errorOf(answer));

const wasAccepted = (answer: ChannelAnswer): boolean => answer !== 'no_recipients' && isAccepted(answer);

function errorOf(answer: ChannelAnswer): string | null {
  if (answer === 'no_recipients') return answer;
  if (isAccepted(answer)) return null;
  return 'status' in answer ? `HTTP ${answer.status}` : answer.error;
}
