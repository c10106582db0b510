import type { AccessRow, NamedAccount, OwnedObject } from '../access-record';
import { isFromCache } from '../page';
import { percentDecoded } from '../protocols/http/percent-decoded';
import type { SecretValues } from '../transport/secret-values';
import { type AccessFacts, decideAccess } from './access-decision';
import type { AccessPages } from './access-pages';
import {
  type AccessAccount,
  type AccessScanRequest,
  type AccessSighting,
  CHECK_OF,
  MOST_COMMON,
  MOST_OWN,
} from './access-scan-request';
import { type AccessAnswer, identifiersOf, isServed, rowOf, type Send, valuesIn } from './access-visit';
import { accessSighting, MOST_OF_ROUTE, type SeenAccess, withObjects } from './access-sighting';
import { idsOnRoute, neighbourOf, objectOf, type ObjectPath, placeOfRoute } from './object-paths';

const MOST_CONFIRMED = 6;
const MOST_VALUES = 3;
const LONGEST_VALUE = 200;

/** What belongs to one account and is requested with the other. */
interface Candidate {
  readonly path: string;
  /** Null for a page. */
  readonly object: ObjectPath | null;
  readonly kind: AccessFacts['kind'];
  readonly values: readonly { readonly value: string; readonly isTyped: boolean }[];
}

/** What two sessions have shown about it. */
interface Seen {
  readonly candidate: Candidate;
  readonly first: Readonly<Record<'other' | 'nobody', AccessAnswer | null>>;
  readonly owner: readonly AccessAnswer[];
}

/** Requests with one account what belongs to the other. */
export class Direction {
  private seen: Seen[] = [];
  tested = 0;
  sightings: readonly AccessSighting[] = [];

  constructor(
    private readonly request: AccessScanRequest,
    private readonly pages: AccessPages,
    readonly owner: AccessAccount,
    readonly other: AccessAccount,
    /** What the owner of this direction is in `pages`. */
    private readonly ownSide: 'owner' | 'other',
    private readonly secrets: () => readonly SecretValues[],
  ) {}

  private get otherSide(): 'owner' | 'other' {
    return this.ownSide === 'owner' ? 'other' : 'owner';
  }

  private candidates(): Candidate[] {
    const others = this.pages.ownPathsOf(this.otherSide, this.ownSide);
    const perRoute = new Map<string, number>();
    const own = this.pages.ownPathsOf(this.ownSide, this.otherSide).flatMap((path): Candidate[] => {
      const object = objectOf(path, others);
      const isOfOther = object !== null && idsOnRoute(object, this.pages.pathsOf(this.otherSide)).size > 0;
      const kind = this.request.isAbove && !isOfOther ? 'function' : 'object';
      if (object === null && kind === 'object' && this.owner.values.length === 0) return [];
      const route = object?.route ?? path;
      perRoute.set(route, (perRoute.get(route) ?? 0) + 1);
      return (perRoute.get(route) ?? 0) > MOST_OF_ROUTE ? [] : [{ path, object, kind, values: [] }];
    });
    // A cache may serve what is at the same address for all.
    const common = this.pages.commonPathsOf(this.ownSide, this.otherSide).flatMap((path): Candidate[] => {
      const isShownOnce = valuesIn(this.pages.answerOf(this.ownSide, path), this.owner.values).length > 0;
      return isShownOnce ? [{ path, object: null, kind: 'object', values: [] }] : [];
    });
    return [...own.slice(0, MOST_OWN), ...common.slice(0, MOST_COMMON)];
  }

  /** In the second session of the other account. */
  async askFirst(send: Send): Promise<void> {
    // An earlier attempt was void: its session had ended.
    this.seen = [];
    this.tested = 0;
    for (const candidate of this.candidates()) {
      const answer = await send('owner', candidate.path);
      const values = isServed(answer) ? this.valuesOf(candidate, answer) : [];
      if (answer === null || values.length === 0) continue;
      this.tested += 1;
      const other = await send('other', candidate.path);
      const nobody = await send('nobody', candidate.path);
      const known = values.map(({ value }) => value);
      if (valuesIn(other, known).length + valuesIn(nobody, known).length === 0) continue;
      this.seen.push({ candidate: { ...candidate, values }, first: { other, nobody }, owner: [answer] });
    }
  }

  private valuesOf({ kind, object }: Candidate, answer: AccessAnswer): Candidate['values'] {
    const typed = valuesIn(answer, this.owner.values).map((value) => ({ value, isTyped: true }));
    const secrets = this.secrets();
    const read = [...identifiersOf(answer)]
      .filter((value) => !this.owner.values.includes(value) && !secrets.some((one) => one.has(value)))
      .filter((value) => kind === 'function' || this.pages.isOfAccount(this.ownSide, this.otherSide, value, object))
      .map((value) => ({ value, isTyped: false }));
    return [...typed, ...read].filter(({ value }) => value.length <= LONGEST_VALUE);
  }

  /** In the third session of the other account. */
  async confirm(send: Send): Promise<void> {
    const found = new Map<string, AccessSighting>();
    for (const seen of this.seen.slice(0, MOST_CONFIRMED)) {
      const { candidate, owner } = seen;
      const { path, object } = candidate;
      const neighbour = object === null ? null : neighbourOf(object);
      const before = await send('owner', path);
      const again = { other: await send('other', path), nobody: await send('nobody', path) };
      const past = { other: await send('other', path, true), nobody: await send('nobody', path, true) };
      const beside =
        neighbour === null ? null : { other: await send('other', neighbour), nobody: await send('nobody', neighbour) };
      const mine = this.pages.answerOf(this.otherSide, path);
      const ofPage = isServed(mine) ? this.ownObject(mine, null) : null;
      const twin = object === null ? ofPage : await this.twinOf(object, send);
      const after = await send('owner', path);
      const own = [...owner, before, after];
      for (const asker of ['nobody', 'other'] as const) {
        const facts = (value: string, isTyped: boolean): AccessFacts => ({
          kind: candidate.kind,
          asker,
          isTyped,
          isShared: this.isShared(path),
          isInRequest: path.includes(value) || percentDecoded(path).includes(value),
          isOnPageOfOther: this.pages.mentions(this.otherSide, value),
          isOnPageOfNobody: this.pages.mentions('nobody', value),
          isRequestOfOther: this.pages.pathsOf(this.otherSide).includes(path),
          showsToOwner: own.every((one) => valuesIn(one, [value]).length > 0),
          isOfAccount: this.pages.isOfAccount(this.ownSide, this.otherSide, value, object),
          isOneOfSeveral: candidate.values.filter((one) => valuesIn(again[asker], [one.value]).length > 0).length > 1,
          hasTwin: object !== null && twin !== null,
          isRouteShared:
            object !== null && idsOnRoute(object, this.pages.commonPathsOf(this.ownSide, this.otherSide)).size > 0,
          showsForNeighbour: valuesIn(beside?.[asker] ?? null, [value]).length > 0,
          showsFirst: valuesIn(seen.first[asker], [value]).length > 0,
          showsAgain: valuesIn(again[asker], [value]).length > 0,
          showsPastCaches: valuesIn(past[asker], [value]).length > 0,
          isFromCache: past[asker] !== null && isFromCache(past[asker].page),
          showsToNobody: valuesIn(seen.first.nobody, [value]).length + valuesIn(again.nobody, [value]).length > 0,
        });
        const decided = candidate.values.flatMap(({ value, isTyped }) => {
          const { found: kind } = decideAccess(facts(value, isTyped));
          return kind === null ? [] : [{ value, kind }];
        });
        const [first] = decided;
        const answer = again[asker];
        if (first === undefined || answer === null || after === null) continue;
        const values = decided
          .filter(({ kind }) => kind === first.kind)
          .slice(0, MOST_VALUES)
          .map(({ value }) => value);
        const rows: AccessRow[] = [
          rowOf('owner', 'its own values', after, values),
          rowOf(asker, 'to be refused', answer, values),
          ...(beside?.[asker] == null
            ? []
            : [rowOf(asker, 'control: an id that does not exist', beside[asker], values)]),
          ...(past[asker] === null ? [] : [rowOf(asker, 'control: past caches', past[asker], values)]),
        ];
        const record = { kind: first.kind, seenAs: asker, objects: [{ path, values }], neighbour, twin, rows };
        this.add(found, candidate, record);
        break;
      }
    }
    this.sightings = [...found.values()];
  }

  private isShared(path: string): boolean {
    const [own = path] = path.split('?', 1);
    return this.request.shared.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one || own === one));
  }

  /** An object of the other account on the route, with a value that only its owner is shown there. */
  private async twinOf(object: ObjectPath, send: Send): Promise<OwnedObject | null> {
    const ids = idsOnRoute(object, this.pages.ownPathsOf(this.otherSide, this.ownSide));
    for (const [id, path] of [...ids].slice(0, 2)) {
      const answer = await send('other', path);
      if (isServed(answer)) return this.ownObject(answer, { ...object, id, path });
    }
    return null;
  }

  /** Of the other account, with what only it is shown there: what it alone may know, if there is any. */
  private ownObject(answer: AccessAnswer, object: ObjectPath | null): OwnedObject {
    const { path } = answer;
    const secrets = this.secrets();
    const isOwn = (value: string): boolean =>
      value.length <= LONGEST_VALUE &&
      !path.includes(value) &&
      !this.pages.mentions(this.ownSide, value) &&
      !secrets.some((one) => one.has(value));
    const typed = valuesIn(answer, this.other.values).filter(isOwn);
    const read = [...identifiersOf(answer)].filter((value) => isOwn(value) && !typed.includes(value));
    const known = read.filter((value) => this.pages.isOfAccount(this.otherSide, this.ownSide, value, object));
    const isPrivate = typed.length + known.length > 0;
    return { path, values: (isPrivate ? [...typed, ...known] : read).slice(0, MOST_VALUES), isPrivate };
  }

  /** Other objects of a route belong to the finding of the first one. */
  private add(found: Map<string, AccessSighting>, { object, path }: Candidate, record: SeenAccess): void {
    const { target, checks, isAbove } = this.request;
    const check = checks.find(({ id }) => id === CHECK_OF[record.kind]);
    if (check === undefined) return;
    const access = { ...record, owner: named(this.owner), other: named(this.other), areEquals: !isAbove };
    const isOfRoute = record.kind === 'object' && object !== null;
    const place = isOfRoute ? placeOfRoute(target, object) : { ...target, path: path.split('?', 1)[0] ?? path };
    const sighting = accessSighting(check, place, access);
    const known = found.get(`${check.id} ${sighting.location}`);
    found.set(`${check.id} ${sighting.location}`, known === undefined ? sighting : withObjects(known, record.objects));
  }
}

const named = ({ id, name }: NamedAccount): NamedAccount => ({ id, name });
