import type { AcceptanceKind } from '../../modules/assets';
import type { Column } from '../frame/table';
import { Time } from '../frame/time';

const ACCEPTED: Readonly<Record<AcceptanceKind, string>> = {
  findings: 'Its findings',
  incompleteness: 'That it is incomplete',
};

export const ACCEPTED_OPTIONS = Object.entries(ACCEPTED).map(([value, label]) => ({ value, label }));

interface ShownAcceptance {
  readonly accepted: { readonly checkId: string; readonly reason: string; readonly acceptedBy: string };
  readonly covers: AcceptanceKind;
  readonly until: Date;
  readonly isExpired: boolean;
}

/** What the tables of accepted checks show of each. */
export const acceptanceColumns: readonly Column<ShownAcceptance>[] = [
  { label: 'Check', class: 'main nowrap', cell: ({ accepted: { checkId } }) => <code>{checkId}</code> },
  { label: 'Accepted', class: 'nowrap', cell: ({ covers }) => ACCEPTED[covers] },
  { label: 'Reason', class: 'wide', dir: 'auto', cell: ({ accepted: { reason } }) => reason },
  {
    label: 'Until',
    class: 'nowrap',
    cell: ({ until, isExpired }) => (
      <>
        <Time at={until} to="day" /> {isExpired && <strong>expired</strong>}
      </>
    ),
  },
  { label: 'By', class: 'wide', cell: ({ accepted: { acceptedBy } }) => acceptedBy },
];
