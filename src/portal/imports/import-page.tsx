import type { VNode } from 'preact';
import { type Import, isImportOver, summaryOfImport } from '../../modules/imports';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { actorName } from '../frame/actor-name';
import { Form } from '../frame/form';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { labelOf, pluralize, sizeText } from '../frame/words';
import { FollowedPart } from '../live/followed-part';
import { beaconsUrl, eventUrl, findingsUrl, findingUrl, importsUrl, importUrl } from '../urls';
import { ImportProgressPart } from './import-progress';
import type { ImportView } from './import-reader';
import { ProposedChecks } from './import-proposals';
import { Questions } from './import-questions';
import { countsText, FORMAT_LABELS, ImportState } from './imports-page';
import { type ImportPageProps, Rows, urlOf } from './import-rows';

export const isRunning = ({ one }: ImportView): boolean => !isImportOver(one.status) && one.waitsUntil === null;

/** All of it changes with the end of the import. */
export const ImportPage = (props: ImportPageProps): VNode => (
  <div class="columns" id="live">
    <div>
      {isRunning(props.view) ? (
        <Running view={props.view} />
      ) : props.view.one.waitsUntil === null ? (
        <Ended {...props} />
      ) : (
        <Questions view={props.view} />
      )}
    </div>
    <aside>
      <Facts view={props.view} />
      <Undo view={props.view} />
    </aside>
  </div>
);

function Running({ view }: { view: ImportView }): VNode {
  const { one, mayImport } = view;
  const base = urlOf(view);
  return (
    <Card id="progress" title="Progress">
      <FollowedPart stream={`${base}/progress`} page={`${base}/live`}>
        <ImportProgressPart one={one} />
      </FollowedPart>
      {one.status !== 'UNDOING' && <p class="muted">The rows are listed when it ends.</p>}
      {mayImport && one.status !== 'UNDOING' && (
        <Form action={`${base}/cancel`}>
          <button>{one.dryRun ? 'Cancel the dry run' : 'Cancel, and keep what was imported'}</button>
        </Form>
      )}
    </Card>
  );
}

const Ended = (props: ImportPageProps): VNode => (
  <>
    <Outcome view={props.view} />
    <Results view={props.view} />
    <ProposedChecks view={props.view} />
    <Rows {...props} />
  </>
);

const OUTCOMES: Partial<Record<Import['status'], string>> = { ERROR: 'The import failed' };

/** What to know before the rows: it was a dry run, it ended early, or it was undone. */
function Outcome({ view: { organizationId, one, mayImport } }: { view: ImportView }): VNode | null {
  const { status, error, dryRun, removed, kept, fileKeptUntil } = one;
  const sentences = [
    ...(error === null ? [] : [<p dir="auto">{error}</p>]),
    ...(status === 'CANCELED' ? [<p>It was canceled. The rows below were read before that.</p>] : []),
    ...(status === 'UNDONE'
      ? [
          <p>
            It was undone: {pluralize(removed, 'finding')} removed
            {kept > 0 && `, and ${pluralize(kept, 'finding')} kept because people changed them meanwhile`}.
          </p>,
        ]
      : []),
    ...(dryRun
      ? [
          <p>
            This was a dry run: nothing was changed.{' '}
            {status === 'FINISHED' && fileKeptUntil !== null && (
              <>
                The file is kept until <Time at={fileKeptUntil} />.
              </>
            )}
            {mayImport && status === 'FINISHED' && fileKeptUntil === null && (
              <>
                Its file is not kept any more, because it was imported, because 24 hours have passed, or because there
                are newer ones. <a href={`${importsUrl(organizationId)}?for_real=true`}>Upload the file again</a> to
                import it.
              </>
            )}
          </p>,
          mayImport && fileKeptUntil !== null && (
            <Form action={`${importUrl(organizationId, one.id)}/import`}>
              <button class="primary">Import these results</button>
            </Form>
          ),
        ]
      : []),
  ];
  if (sentences.length === 0) return null;
  return (
    <Card
      id="outcome"
      title={dryRun && status === 'FINISHED' ? 'Dry run' : (OUTCOMES[status] ?? labelOf(status.toLowerCase()))}
      role="status"
    >
      {sentences}
    </Card>
  );
}

/** What its tests have shown, with links to the findings. */
function Results({ view: { organizationId, one } }: { view: ImportView }): VNode | null {
  if (one.dryRun || one.status === 'UNDONE') return null;
  const { sentence, tested, untested } = summaryOfImport(one);
  const results = (['confirmed', 'refuted', 'inconclusive'] as const).filter((result) => one.verification[result]);
  return (
    <Card id="results" title="Results">
      <p>{sentence}</p>
      {tested > 0 && (
        <p>
          Show the findings that are{' '}
          {results.map((verification, index) => (
            <>
              {index > 0 && ', '}
              <a key={verification} href={findingsUrl(organizationId, { verification, import: one.id })}>
                {pluralize(one.verification[verification] ?? 0, verification, verification)}
              </a>
            </>
          ))}
          . Their status changes only when people change it.
        </p>
      )}
      {untested.length > 0 && (
        <details>
          <summary>Why findings were not tested</summary>
          <ul class="plain">
            {untested.map(({ reason, findings }) => (
              <li key={reason} dir="auto">
                {pluralize(findings, 'finding')}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

function Facts({ view: { organizationId, one, event, people } }: { view: ImportView }): VNode {
  const { status, format, size, assetValue } = one;
  return (
    <Card id="facts" title="Details">
      <dl class="facts">
        <Fact label="State">
          <ImportState one={one} />
        </Fact>
        {one.waitsUntil !== null && <Fact label="Rows">{countsText(one)}</Fact>}
        {(format !== null || isImportOver(status)) && (
          <Fact label="Format">{format === null ? 'not recognized' : FORMAT_LABELS[format]}</Fact>
        )}
        <Fact label="Size">{sizeText(size)}</Fact>
        {event !== null && (
          <Fact label="Event">
            <a href={eventUrl(organizationId, event.slug)}>{event.name}</a>
          </Fact>
        )}
        <Fact label="Results on unknown hosts">
          {one.unknownAssets === 'add' ? 'their hosts are added as assets' : 'refused'}
        </Fact>
        {one.assetLabels.length > 0 && <Fact label="Labels of added hosts">{one.assetLabels.join(', ')}</Fact>}
        {one.beaconId !== null && (
          <Fact label="Network">
            <a href={beaconsUrl(organizationId)}>behind beacon {one.beaconId}</a>
          </Fact>
        )}
        {assetValue !== null && <Fact label="Asset of results that name no host">{assetValue}</Fact>}
        <Fact label="Uploaded">
          <Time at={one.created} /> by <bdi>{actorName(one.actorType, one.actorId, people)}</bdi>
        </Fact>
        {one.finished !== null && (
          <Fact label="Ended">
            <Time at={one.finished} />
          </Fact>
        )}
      </dl>
      <p>
        <a href={importsUrl(organizationId)}>All imports</a>
      </p>
    </Card>
  );
}

function Undo({ view }: { view: ImportView }): VNode | null {
  const { organizationId, one, mayImport, touched } = view;
  if (!mayImport || one.dryRun || !isImportOver(one.status) || one.status === 'UNDONE' || one.rowsRemoved !== null)
    return null;
  return (
    <Card id="undo" title="Undo">
      <Panel label="Undo the import" action={`${urlOf(view)}/undo`}>
        {touched.length > 0 && (
          <ul class="links">
            {touched.map((id) => (
              <li key={id}>
                <a href={findingUrl(organizationId, id)}>Finding {id}</a>
              </li>
            ))}
          </ul>
        )}
        <p>
          This removes the findings that no one else has seen, and resolves again what the import reopened. It is
          refused if people have changed, commented or retested these findings. Assets that it added stay.
        </p>
        <button class="danger">Undo the import</button>
      </Panel>
    </Card>
  );
}
