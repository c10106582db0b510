import { isAnsweredAsSent, type Sent } from '../../answered-alike';
import { isFirewallPage } from '../../firewall-pages';
import type { Page } from '../../page';
import { blockReason } from '../../response-trust';
import type { Forged, SentRequest } from '../../sent-request';
import type { Experiment, Oracle } from '../experiment';
import type { InsertionPoint } from '../../experiment-record';
import { pathOf } from '../insertion-point';
import type { Outcome } from '../outcome';
import { forgedFrom, markIn, secretFields, SENDERS } from './forged-form';
import { placesOf } from './shown-places';
import { newMark } from './stored-arrival';
import { MOST_SHOWING, StoredValues } from './stored-values';

const NOT_SHOWN = 'no page that the account reads shows what it has submitted';
const OF_ANYBODY = 'what a visitor without the session submits is stored as well';
const NOT_TWICE = 'one forged submission was stored, and a second one was not';
const UNSTABLE = 'forged submissions are refused, each time with another answer';

const without = (reason: string): Outcome => ({ state: 'disturbed', reason, hasNoSubject: true });

interface Shown {
  readonly sender: string;
  readonly at: string;
}

/** Submissions of the account, of another site with its session, and of another site without it, each with a mark of its own. */
class ForgedSeries {
  readonly values = new StoredValues(this.experiment, (path) => this.read(path));
  private readonly forged = new Map<string, Sent[]>();
  /** Marks that must not appear before the end. */
  private readonly absent: { readonly mark: string; readonly reason: string }[] = [];
  private showing: readonly string[] = [];
  /** Where pages show what the account has submitted. */
  private places: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  constructor(
    private readonly experiment: Experiment,
    private readonly old: string,
    /** The names of fields that another site cannot fill in. */
    private readonly secret: ReadonlySet<string>,
  ) {}

  /** The account submits the form. Why that shows nothing, or null. */
  async genuine(): Promise<Outcome | null> {
    const mark = newMark();
    const { value, ...point } = this.pointWith(mark);
    const stored = await this.values.store(value, mark, 'submitted by the account, appears', {
      ...point,
      value,
    });
    if (stored === null) return this.values.answers.sound('');
    this.places = await this.appearances(this.showing.length > 0 ? this.showing : this.values.pages(stored.led), mark);
    this.showing = [...this.places.keys()];
    if (this.showing.length === 0) return without(NOT_SHOWN);
    await this.experiment.probe.submissions?.shows(point.request, this.showing);
    return null;
  }

  /** Another site submits it. The page that shows it then, where it shows what the account submits; null if none does. */
  async forge(as: Forged['as'], sender: string): Promise<string | null> {
    const mark = newMark();
    const expects = as === 'account' ? `forged (${sender}), appears` : 'forged without the session, does not appear';
    const { value, ...point } = this.pointWith(mark);
    const request = forgedFrom(point.request, this.secret, as, sender);
    const answer = await this.experiment.send(value, {
      expects: `${mark} ${expects}`,
      point: { ...point, value, request },
    });
    if (as === 'account') this.forged.set(sender, [...(this.forged.get(sender) ?? []), { value: mark, answer }]);
    const at = await this.shownAt(mark);
    if (at !== null) await this.experiment.probe.submissions?.shows(request, [at]);
    else this.absent.push({ mark, reason: as === 'account' ? NOT_TWICE : OF_ANYBODY });
    return at;
  }

  /** With the session, until one is stored. */
  async forgeAs(senders: readonly string[]): Promise<Shown | null> {
    for (const sender of senders) {
      const at = await this.forge('account', sender);
      if (at !== null) return { sender, at };
    }
    return null;
  }

  /** Pages may show something late, or a cache an old page: now they show what came after it. */
  async late(): Promise<Outcome | null> {
    for (const { mark, reason } of this.absent) if ((await this.shownAt(mark)) !== null) return without(reason);
    return null;
  }

  /** Why the answers to forged submissions are not those of the application, or null. */
  async disturbance(): Promise<Outcome | null> {
    for (const sent of this.forged.values()) {
      const [first] = sent;
      for (const { value, answer } of sent) {
        const reason = blockReason(answer);
        const refused = {
          answer,
          harmless: 'the submission of the account',
          twin: await this.experiment.firstOriginal(),
        };
        if (reason !== null)
          return {
            state: 'disturbed',
            reason,
            ...(isFirewallPage(answer) && { refused: { ...refused, isAlike: false } }),
          };
        if (first !== undefined && !(await isAnsweredAsSent(first, { value, answer })))
          return { state: 'disturbed', reason: UNSTABLE };
        this.experiment.trust(answer);
      }
    }
    return null;
  }

  private read(path: string): Promise<Page> {
    return this.experiment.probe.requestPage({ path, fresh: true });
  }

  private async appearances(paths: readonly string[], mark: string): Promise<Map<string, ReadonlySet<string>>> {
    const found = new Map<string, ReadonlySet<string>>();
    for (const path of paths) {
      const places = await this.placesAt(path, mark);
      if (places.size > 0) found.set(path, places);
      if (found.size >= MOST_SHOWING) break;
    }
    return found;
  }

  /** Read twice: a message about the last request is shown once. */
  private async placesAt(path: string, mark: string): Promise<ReadonlySet<string>> {
    const places = placesOf(await this.read(path), mark);
    if (places.size === 0) return places;
    const again = placesOf(await this.read(path), mark);
    return new Set([...places].filter((one) => again.has(one)));
  }

  private async shownAt(mark: string): Promise<string | null> {
    const appears = await this.appearances(this.showing, mark);
    const same = [...appears].find(([path, places]) => [...places].some((one) => this.places.get(path)?.has(one)));
    return same?.[0] ?? null;
  }

  private pointWith(mark: string): InsertionPoint {
    const { point } = this.experiment;
    const { headers, body } = point.request;
    const marked = JSON.parse(JSON.stringify({ headers, body }).replaceAll(this.old, mark)) as Partial<SentRequest>;
    return {
      ...point,
      value: point.value.replaceAll(this.old, mark),
      request: { ...point.request, ...marked },
    };
  }
}

async function observe(experiment: Experiment): Promise<Outcome> {
  const { point, probe, variant, isRepeat } = experiment;
  const series = new ForgedSeries(experiment, markIn(point) ?? '', await secretFields(experiment));
  const others = Object.keys(SENDERS).filter((one) => one !== variant);
  const senders = variant === null ? others : isRepeat ? [variant] : [variant, ...others];
  let shown: Shown | null = null;
  for (let turn = 0; turn < 2; turn += 1) {
    const missing = await series.genuine();
    if (missing !== null) return missing;
    if ((await series.forge('visitor', shown?.sender ?? senders[0] ?? '')) !== null) return without(OF_ANYBODY);
    const before: Shown | null = shown;
    shown = await series.forgeAs(before === null ? senders : [before.sender]);
    if (turn > 0 && (shown === null) !== (before === null)) return { state: 'disturbed', reason: NOT_TWICE };
    if (shown === null && turn === 0) probe.markAsUnshown?.();
    // A job has shown enough; a fix is shown by the second turn as well.
    if (shown === null && variant === null) break;
  }
  const last = shown === null ? await series.genuine() : null;
  const doubt = last ?? (await series.late());
  if (doubt !== null) return doubt;
  if (shown === null)
    return (
      (await series.disturbance()) ??
      series.values.answers.sound('what another site submits is not stored, and what the account submits is')
    );
  const { sender, at } = shown;
  return {
    state: 'proved',
    detail: `Another site can submit ${pathOf(point.request.path)} with the session of the account (${sender}, without a token). What it submits appears in ${at}.`,
    certainty: `Two forged submissions with random names of nine letters appeared in ${at}, each between submissions of the account, and two without the session did not. A page that has both names by chance is less likely than 1 to 2.6 × 10^23.`,
    variant: sender,
    appearsAt: at,
  };
}

/** Proves that another site can change what an account has stored. */
export const forgedRequest: Oracle = {
  // Nothing else is submitted meanwhile in the session.
  measuresTime: true,
  observe,
};
