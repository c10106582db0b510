import type { SeeOther } from '../frame/page';
import type { Change } from './route-metadata';

/** Makes a change of its own, with its audit entry. */
export type MakeChange = <T>(change: Change, work: () => Promise<T>) => Promise<T>;

/** What a handler returns to continue after its change is committed. */
export class AfterCommit {
  constructor(readonly goOn: (change: MakeChange) => Promise<SeeOther>) {}
}
