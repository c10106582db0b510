import type { VNode } from 'preact';
import type { ShownExperiment } from '../../modules/retests';
import { Card } from '../frame/card';
import { CopyBlock } from '../frame/copy-block';
import { Table } from '../frame/table';
import { asSentence } from '../frame/words';
import { AccessProof } from './access-proof';

/** How the weakness was proved, for a developer who wants to see it. */
export const Experiment = ({ experiment }: { experiment: ShownExperiment | null }): VNode | null =>
  experiment && (
    <Card id="experiment" title={experiment.access === undefined ? 'Experiment' : 'Who got what'}>
      {experiment.access !== undefined && <AccessProof access={experiment.access} />}
      <p dir="auto">{asSentence(experiment.certainty)}</p>
      <Table
        rows={experiment.rows}
        columns={[
          { label: 'Step', class: 'nowrap muted', isNamed: true, cell: ({ step }) => step },
          { label: 'Sent', class: 'main wide', cell: ({ sent }) => <code dir="ltr">{sent}</code> },
          { label: 'Expected', class: 'wide', dir: 'auto', isNamed: true, cell: ({ expects }) => expects },
          { label: 'Observed', class: 'wide', dir: 'auto', isNamed: true, cell: ({ observed }) => observed },
          { label: 'Status', class: 'nowrap', isNamed: true, cell: ({ status }) => status },
          ...(experiment.rows.some(({ ms }) => ms > 0)
            ? [{ label: 'Time', class: 'nowrap muted', cell: ({ ms }: { readonly ms: number }) => `${ms} ms` }]
            : []),
        ]}
      />
      {experiment.curl !== null && (
        <>
          <p>This repeats the decisive request:</p>
          <CopyBlock id="experiment-curl" label="Command" text={experiment.curl} />
        </>
      )}
    </Card>
  );
