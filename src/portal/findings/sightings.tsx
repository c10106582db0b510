import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import type { ExplainedSighting } from '../../modules/findings';
import { Card } from '../frame/card';
import { actorName } from '../frame/actor-name';
import { SeverityBadge } from '../frame/badges';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { findingUrl, importUrl, scanUrl } from '../urls';
import type { FindingView, SightingsView } from './finding-reader';

/** The last ones, on the page of the finding. */
export function Sightings({ view }: { view: FindingView }): VNode | null {
  const { organizationId, finding, sightings } = view;
  if (sightings.items.length === 0) return null;
  const areScans = sightings.items.every(({ jobUuid }) => jobUuid !== null);
  return (
    <details>
      <summary>
        {pluralize(finding.timesSeen, areScans ? 'scan' : 'sighting')}, last <Time at={finding.lastSeen} />
      </summary>
      <SightingList view={view} />
      {sightings.next !== undefined && (
        <p>
          <a href={`${findingUrl(organizationId, finding.id)}/sightings`}>All sightings</a>
        </p>
      )}
    </details>
  );
}

interface SightingsPageProps {
  readonly view: SightingsView;
  readonly page: Page;
  readonly url: string;
}

export const SightingsPage = ({ view, page, url }: SightingsPageProps): VNode => (
  <Card id="sightings" title="Who saw it">
    <p>
      <a href={findingUrl(view.organizationId, view.finding.id)} dir="auto">
        {view.finding.title}
      </a>
    </p>
    <SightingList view={view} />
    <Pager page={page} slice={view.sightings} url={url} />
  </Card>
);

const SightingList = ({ view }: { view: SightingsView }): VNode => (
  <ol class="timeline">
    {view.sightings.items.map((sighting) => (
      <SightingItem key={sighting.id} {...{ view, sighting }} />
    ))}
  </ol>
);

function SightingItem({ view, sighting }: { view: SightingsView; sighting: ExplainedSighting }): VNode {
  const { findingId, ruleId, seenAt, title, severity, location, parameter, identity } = sighting;
  return (
    <li>
      <strong dir="auto">{whoSaw(sighting, view)}</strong> {ruleId !== null && <code dir="ltr">{ruleId}</code>}{' '}
      <span class="muted">
        <Time at={seenAt} />
      </span>
      <div>
        <SeverityBadge severity={SEVERITIES[severity]} /> <bdi>{title}</bdi>
        {location !== null && (
          <>
            {' '}
            at <code dir="ltr">{location}</code>
          </>
        )}
        {parameter !== null && (
          <>
            , parameter <code dir="auto">{parameter}</code>
          </>
        )}
        {findingId !== view.finding.id && (
          <>
            , recorded as <a href={findingUrl(view.organizationId, findingId)}>#{findingId}</a>
          </>
        )}
      </div>
      <Source {...{ view, sighting }} />
      {identity.length > 0 && (
        <details>
          <summary>Why it is this finding</summary>
          <p class="muted">Sightings in which all of this agrees are one finding:</p>
          <ul class="plain">
            {identity.map((part) => (
              <li key={part} dir="auto">
                {part}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function whoSaw({ scanner, actorType, actorId }: ExplainedSighting, { people }: SightingsView): string {
  if (scanner === 'manual') return actorName(actorType, actorId, people);
  return scanner === 'assay' ? 'Assay' : scanner;
}

/** The import or the job with the sighting. */
function Source({
  view: { organizationId },
  sighting: { importId, jobUuid, line },
}: {
  view: SightingsView;
  sighting: ExplainedSighting;
}): VNode | null {
  if (importId !== null)
    return (
      <div>
        in <a href={importUrl(organizationId, importId)}>import {importId}</a>
        {line !== null && `, line ${line}`}
      </div>
    );
  if (jobUuid === null) return null;
  return (
    <div>
      in <a href={scanUrl(organizationId, jobUuid)}>a scan</a>
    </div>
  );
}
