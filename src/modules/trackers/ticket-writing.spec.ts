import { randomUUID } from 'node:crypto';
import {
  disagreementsAfter,
  type FollowedState,
  type AskedVerdict,
  moveOf,
  type SeenCategory,
  type Truth,
} from './domain/ticket-states';
import {
  type NewTicket,
  type RemoteTicket,
  type TicketNote,
  type TrackerApi,
  TrackerError,
} from './domain/tracker-api';
import { openTicket, readTicket, type TicketWrite, writeTicket } from './ticket-writing';

/** Reproducible, so that a failure can be repeated by its seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

interface Stored {
  category: SeenCategory;
  version: number;
  readonly marker: string;
  readonly notes: string[];
}

class Lost extends Error {}

/** A tracker whose requests or answers are lost, and which now and then answers with what was there before. */
class FaultyTracker implements TrackerApi {
  readonly tickets = new Map<string, Stored>();
  private version = 0;
  /** What it has shown, from which its replicas answer. */
  private readonly past = new Map<string, RemoteTicket[]>();

  constructor(
    private readonly random: () => number,
    readonly loss: number,
  ) {}

  facts = () => Promise.reject(new Error('not simulated'));
  isPublic = () => Promise.resolve(false);
  changedSince = () => Promise.resolve({ ids: [...this.tickets.keys()], until: new Date(0) });

  find(marker: string) {
    return this.answered(
      () => [...this.tickets].filter(([, one]) => one.marker === marker).map(([id]) => this.shown(id))[0],
    );
  }

  create({ marker }: NewTicket) {
    return this.answered(() => {
      const id = String(this.tickets.size + 1);
      this.tickets.set(id, { category: 'open', version: ++this.version, marker, notes: [] });
      return this.shown(id);
    });
  }

  get(id: string) {
    return this.answered(() => {
      const now = this.shown(id);
      const past = this.past.get(id) ?? [];
      const isStale = this.random() < this.loss;
      return (isStale ? past[Math.floor(this.random() * past.length)] : now) ?? now;
    });
  }

  hasNote(id: string, note: TicketNote) {
    return this.answered(() => this.stored(id).notes.includes(note.id));
  }

  addNote(id: string, note: TicketNote) {
    return this.answered(() => {
      this.stored(id).notes.push(note.id);
      this.stored(id).version = ++this.version;
    });
  }

  changeState(id: string, to: 'open' | 'closed') {
    return this.answered(() => {
      this.setState(id, to === 'open' ? 'open' : 'done');
      return this.shown(id);
    });
  }

  setState(id: string, category: SeenCategory): void {
    this.past.set(id, [...(this.past.get(id) ?? []), this.shown(id)]);
    this.stored(id).category = category;
    this.stored(id).version = ++this.version;
  }

  stored(id: string): Stored {
    const one = this.tickets.get(id);
    if (one === undefined) throw new Error(`no ticket ${id}`);
    return one;
  }

  private shown(id: string): RemoteTicket {
    const { category, version, marker } = this.stored(id);
    return { id, key: id, url: '', category, version: new Date(version), marker };
  }

  private async answered<T>(answer: () => T): Promise<T> {
    const luck = this.random();
    if (luck < this.loss) throw new Lost('the request');
    const result = answer();
    if (luck > 1 - this.loss) throw new Lost('the answer');
    return result;
  }
}

const text = { paragraphs: [], link: { text: '', url: '' } };
const ticketOf = (marker: string): NewTicket => ({
  marker,
  title: '',
  body: text,
  priority: null,
  labels: [],
  component: null,
  assignee: null,
});

/** What Assay keeps of a ticket. A decision and the write that it asks for are kept together. */
interface Kept {
  readonly marker: string;
  id: string | null;
  state: FollowedState;
  version: number;
  disagreements: number;
  truth: Truth;
  verdict: AskedVerdict;
  retests: number;
  pending: TicketWrite | null;
}

const keptOf = (): Kept => ({
  marker: randomUUID(),
  id: null,
  state: 'open',
  version: 0,
  disagreements: 0,
  truth: 'open',
  verdict: 'none',
  retests: 0,
  pending: null,
});

async function turn(tracker: FaultyTracker, kept: Kept, random: () => number): Promise<void> {
  if (kept.id === null) {
    const opened = await openTicket(tracker, ticketOf(kept.marker), new Date(0));
    kept.id = opened.id;
    kept.version = opened.version.getTime();
    return;
  }
  if (kept.pending !== null) {
    const { ticket } = await writeTicket(tracker, kept.id, kept.pending, new Date(kept.version));
    kept.pending = null;
    kept.version = Math.max(kept.version, ticket?.version.getTime() ?? 0);
    return;
  }
  const ticket = await readTicket(tracker, kept.id, new Date(kept.version));
  if (ticket === undefined) throw new Error('no ticket is deleted here');
  kept.version = ticket.version.getTime();
  if (kept.verdict === 'running' && random() < 0.5) {
    kept.verdict = random() < 0.5 ? 'fixed' : random() < 0.7 ? 'still_vulnerable' : 'inconclusive';
    if (kept.verdict === 'fixed') kept.truth = 'fixed';
    if (kept.verdict === 'still_vulnerable') kept.truth = 'open';
  }
  const { state, truth, verdict, disagreements } = kept;
  const facts = { state, truth, verdict, disagreements, hasCheck: true, mayRetest: random() < 0.8 };
  const move = moveOf({ ...facts, seen: ticket.category, isOverdue: random() < 0.1, opensNew: false });
  if (move === undefined || move.to === 'replaced') return;
  kept.state = move.to;
  kept.disagreements = disagreementsAfter(disagreements, move);
  if (move.retest) {
    kept.verdict = 'running';
    kept.retests++;
  }
  const note = move.say === undefined ? null : { id: randomUUID(), text, since: new Date(0) };
  if (note !== null || move.write !== undefined) kept.pending = { to: move.write ?? null, note };
}

const attempt = (tracker: FaultyTracker, kept: Kept, random: () => number): Promise<void> =>
  turn(tracker, kept, random).catch((error: unknown) => {
    if (!(error instanceof Lost || error instanceof TrackerError)) throw error;
  });

/** Many attempts, during which people change tickets, and then enough of them to settle. */
async function simulate(seed: number, loss: number) {
  const random = randomOf(seed);
  const tracker = new FaultyTracker(random, loss);
  const all = Array.from({ length: 20 }, keptOf);
  const work = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) for (const kept of all) await attempt(tracker, kept, random);
  };
  for (let day = 0; day < 14; day++) {
    await work(10);
    for (const id of tracker.tickets.keys()) {
      const luck = random();
      if (luck < 0.3) tracker.setState(id, 'done');
      else if (luck < 0.35) tracker.setState(id, 'wont_do');
      else if (luck < 0.4) tracker.setState(id, 'open');
    }
  }
  await work(120);
  return { tracker, all };
}

const SEEDS = Array.from({ length: 25 }, (_, seed) => seed + 1);

it.each(SEEDS)(
  'opens one ticket a finding, writes each note once and settles although answers are lost (seed %d)',
  async (seed) => {
    const { tracker, all } = await simulate(seed, 0.15);
    expect([...tracker.tickets.values()].map(({ marker }) => marker).sort()).toEqual(
      all.map(({ marker }) => marker).sort(),
    );
    for (const { notes } of tracker.tickets.values()) expect(new Set(notes).size).toBe(notes.length);
    for (const { id, state, pending, truth } of all) {
      const { category } = tracker.stored(id ?? '');
      expect(pending).toBeNull();
      if (state === 'open') expect(category).toBe('open');
      if (state === 'closed') expect([category === 'open', truth]).toEqual([false, 'fixed']);
      expect(['open', 'closed', 'person']).toContain(state);
    }
  },
);

it.each(SEEDS)(
  'tests no finding more often than people close its ticket, because what Assay writes is no request (seed %d)',
  async (seed) => {
    const random = randomOf(seed);
    const tracker = new FaultyTracker(random, 0.3);
    const kept = keptOf();
    for (let round = 0; round < 50; round++) await attempt(tracker, kept, random);
    tracker.setState(kept.id ?? '', 'done');
    for (let round = 0; round < 300; round++) await attempt(tracker, kept, random);
    expect(kept.retests).toBe(1);
  },
);
