import { awaitCall, type Callback, type Callbacks, type CallbackSyntax, overHttp, type Scout } from '../../callbacks';
import type { Page } from '../../page';
import { randomWord } from '../../twins';
import { unlessBroken } from '../broken-response';
import type { Experiment } from '../experiment';
import type { Outcome } from '../outcome';

/** With the first call, and each with a new name. */
const FURTHER_ROUNDS = 2;
/** The time of the first call decides how long the others may take. */
const LEAST_WINDOW_MS = 1_500;
const MOST_WINDOW_MS = 60_000;
/** With which an application refuses a value. */
const REFUSED = new Set([400, 422]);

export const NO_LISTENER =
  'the weakness was seen by a call of the listener, and none is configured, or the target is behind a beacon';
const NOT_CALLED =
  'nothing called the listener, but that does not show a fix: the target may not reach it now, and it does not refuse the value as invalid (400 or 422)';
const NO_HTTPS =
  'nothing called the listener, but that does not show a fix: the listener has no HTTPS (CALLBACK_CERTIFICATE is not set), so it cannot see whether https:// is called';
const NOT_REPEATED = 'a value was followed by a call, and the same value with another name was not';
const TEXT_CALLED = 'names that were only text were called too, as by a link checker, so the calls show nothing';
const UNSEEN_CONTROLS =
  'the page repeats the value and not its controls, so that a link checker may have made the calls';

const ALSO_HTTP = 'it was called over HTTP too, which another check reports';

/** Whether calls over HTTP show it, or calls of the name server alone. */
export type CallKind = 'http' | 'dns';

interface Shown {
  readonly call: Callback;
  readonly ms: number;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Whether a page shows the host, so that what reads pages finds it there. */
const repeats = ({ text, headers, hops }: Page, host: string): boolean =>
  text.toLowerCase().includes(host) ||
  headers.fields.some(([, value]) => value.toLowerCase().includes(host)) ||
  hops.some((hop) => hop.headers.fields.some(([, value]) => value.toLowerCase().includes(host)));

/** Proves by calls of the listener that a value acts. */
export class CallbackTest {
  constructor(
    private readonly experiment: Experiment,
    private readonly syntaxes: readonly CallbackSyntax[],
    private readonly callbacks: Callbacks,
    private readonly kind: CallKind = 'http',
  ) {}

  /** Null if nothing was called. */
  async outcome(): Promise<Outcome | null> {
    const ids = new Set(this.syntaxes.map(({ id }) => id));
    const { scouted } = this.experiment.prior;
    const scouts = scouted?.filter(({ syntax }) => ids.has(syntax.id)) ?? (await this.sendScouts());
    const first = await this.firstCall(scouts);
    return first && this.confirm(first.scout, first.shown);
  }

  /** In a verification of what a call has shown. */
  async verification(): Promise<Outcome> {
    const { variant, isRepeat } = this.experiment;
    const known = this.syntaxes.filter(({ id }) => id === variant);
    const others = isRepeat ? [] : this.syntaxes.filter(({ id }) => id !== variant);
    const answers: Page[] = [];
    const scouts = await this.sendScouts([...known, ...others], answers);
    const first = await this.firstCall(scouts);
    if (first !== null) return this.confirm(first.scout, first.shown);
    const isRefused = answers.length === scouts.length && answers.every(({ status }) => REFUSED.has(status));
    if (isRefused && this.kind === 'http' && !this.callbacks.hasHttps && this.syntaxes.some(({ isHttps }) => isHttps))
      return { state: 'disturbed', reason: NO_HTTPS };
    return isRefused
      ? { state: 'sound', detail: 'the application refuses each value as invalid, and nothing called the listener' }
      : { state: 'disturbed', reason: NOT_CALLED };
  }

  private async sendScouts(syntaxes = this.syntaxes, answers: Page[] = []): Promise<Scout[]> {
    const scouts: Scout[] = [];
    for (const syntax of syntaxes.filter(({ fits }) => fits?.(this.experiment.point.value) !== false)) {
      const scout = { syntax, host: this.callbacks.newHost(), sentAt: this.callbacks.now() };
      const answer = await unlessBroken(() => this.send(syntax, scout.host));
      if (answer !== null) answers.push(answer);
      scouts.push(scout);
    }
    return scouts;
  }

  private send(syntax: CallbackSyntax, host: string): Promise<Page> {
    const { experiment } = this;
    return experiment.send(syntax.write(experiment.point.value, host), { expects: `${host} is called` });
  }

  private async firstCall(scouts: readonly Scout[]): Promise<{ scout: Scout; shown: Shown } | null> {
    const last = Math.max(0, ...scouts.map(({ sentAt }) => sentAt.getTime()));
    const hosts = scouts.map(({ host }) => host);
    const calls = await awaitCall(this.callbacks, hosts, last + this.callbacks.patienceMs);
    if (this.kind === 'dns' && calls.some(overHttp)) return null;
    const call = calls.find(this.isCall);
    const scout = scouts.find(({ host }) => host === call?.host);
    return call === undefined || scout === undefined ? null : { scout, shown: this.shownBy(call, scout.sentAt) };
  }

  private isCall = (call: Callback): boolean => this.kind === 'dns' || overHttp(call);

  private shownBy(call: Callback, sentAt: Date): Shown {
    return { call, ms: Math.max(0, call.called.getTime() - sentAt.getTime()) };
  }

  private async confirm({ syntax }: Scout, first: Shown): Promise<Outcome> {
    const windowMs = Math.min(MOST_WINDOW_MS, Math.max(LEAST_WINDOW_MS, 2 * first.ms));
    const shown = [first];
    const hosts: string[] = [];
    const controls: string[] = [];
    for (let round = 0; round < FURTHER_ROUNDS; round += 1) {
      const seenControls = await this.sendControls(syntax, controls);
      const host = this.callbacks.newHost();
      const sentAt = this.callbacks.now();
      const answer = await unlessBroken(() => this.send(syntax, host));
      if (answer !== null && repeats(answer, host) && !seenControls) return this.unproved(UNSEEN_CONTROLS);
      const calls = await awaitCall(this.callbacks, [host], sentAt.getTime() + windowMs, this.isCall);
      const call = calls.find(this.isCall);
      if (call === undefined) return this.unproved(NOT_REPEATED);
      hosts.push(host);
      shown.push(this.shownBy(call, sentAt));
    }
    // As long as each value had. The controls were sent before the values, so theirs have had more.
    const until = this.callbacks.now().getTime() + windowMs;
    const ofControls = await awaitCall(this.callbacks, controls, until, () => true);
    if (ofControls.length > 0) return this.unproved(TEXT_CALLED);
    if (this.kind === 'dns' && (await this.callbacks.callsOf(hosts)).some(overHttp)) return this.unproved(ALSO_HTTP);
    return this.proof(syntax, shown, controls.length, windowMs);
  }

  /** Returns whether a page shows a control of the same parameter. */
  private async sendControls(syntax: CallbackSyntax, controls: string[]): Promise<boolean> {
    const { experiment, callbacks } = this;
    const { point } = experiment;
    const ask = async (write: CallbackSyntax['write'], elsewhere?: typeof point): Promise<boolean> => {
      const host = callbacks.newHost();
      controls.push(host);
      const expects = `control: ${host} is ${elsewhere === undefined ? 'only text' : 'in a parameter that nothing reads'}`;
      const sent = { expects, ...(elsewhere !== undefined && { point: elsewhere }) };
      const answer = await unlessBroken(() => experiment.send(write(point.value, host), sent));
      return answer !== null && repeats(answer, host);
    };
    await ask(syntax.write, { ...point, kind: 'query', name: randomWord() });
    let isSeen = false;
    for (const control of syntax.controls) isSeen = (await ask(control)) || isSeen;
    return isSeen;
  }

  private unproved(reason: string): Outcome {
    return { state: 'disturbed', reason, hasNoSubject: true };
  }

  private proof({ id, by }: CallbackSyntax, shown: readonly Shown[], controls: number, windowMs: number): Outcome {
    const { name } = this.experiment.point;
    const calls = shown.map(({ call, ms }) => `${call.protocol} from ${call.source} after ${seconds(ms)}`).join(', ');
    return {
      state: 'proved',
      detail:
        this.kind === 'dns'
          ? `A name in ${name} is resolved: the listener was asked for ${shown.length} new names, and not called over HTTP.`
          : `${by} in ${name}: the server called the listener ${shown.length} times, for a new name each time.`,
      certainty: `${shown.length} names that only one request has were called: ${calls}. None of ${controls} names that were sent as text or in another parameter was, within ${seconds(windowMs)}. Nobody can guess a name of 128 random bits.`,
      variant: id,
    };
  }
}
