import type { ComponentChildren, VNode } from 'preact';
import { believedSince, beliefOf, nameOfCwe } from '../../modules/findings';
import { BeliefBadge, SeverityBadge } from '../frame/badges';
import { Labels } from '../frame/labels';
import { Time } from '../frame/time';
import { assetUrl, findingsUrl } from '../urls';
import { DueDate } from './due-date';
import { Assignee, AssigneeMenu, DueMenu, LabelsMenu } from './finding-editors';
import type { FindingView } from './finding-reader';
import { StatusProperty } from './finding-status';

interface ViewProps {
  readonly view: FindingView;
}

/** A word and its value, which those who may change it click on. */
const Property = ({ label, children }: { label: string; children: ComponentChildren }): VNode => (
  <div class="property">
    <dt>{label}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);

/** What is known of the finding, in a column beside it. */
export function Properties({ view }: ViewProps): VNode {
  const { organizationId, finding, owner, beacon, priority, mayTest, seenAs } = view;
  const { cwe, checkId, score, cvssVector, cve, otherCves, references, verifiedAt, builtInCheck } = finding;
  const mayChange = mayTest && finding.mergedInto === null;
  return (
    <aside aria-label="Properties">
      <dl class="properties">
        <Property label="Status">
          <StatusProperty view={view} />
        </Property>
        <Property label="Severity">
          <SeverityBadge severity={finding.severity} /> {score !== null && score.toFixed(1)}
          {cvssVector !== null && <code class="vector">{cvssVector}</code>}
        </Property>
        <Property label="Priority">
          <span title={priority.reasons.map(({ text }) => text).join(' ')}>{finding.priority} of 5</span>
        </Property>
        <Property label="Belief">
          <BeliefBadge belief={beliefOf(finding)} /> since <Time at={believedSince(finding)} to="day" />
        </Property>
        <Property label="Assignee">{mayChange ? <AssigneeMenu view={view} /> : <Assignee view={view} />}</Property>
        <Property label="Due">{mayChange ? <DueMenu view={view} /> : <DueDate finding={finding} />}</Property>
        <Property label="Labels">
          <Labels labels={finding.labels} hrefOf={(label) => findingsUrl(organizationId, { label })} />
          {mayChange ? <LabelsMenu view={view} /> : finding.labels.length === 0 && <span class="muted">None</span>}
        </Property>
      </dl>
      <dl class="properties">
        <Property label="Asset">
          {finding.assetId === null ? (
            finding.assetValue
          ) : (
            <a href={assetUrl(organizationId, finding.assetId)}>{finding.assetValue}</a>
          )}
          {beacon !== null && <span class="muted"> through {beacon.name}</span>}
        </Property>
        {seenAs !== null && <Property label="Seen as">{seenAs}</Property>}
        {owner !== null && <Property label="Owner">{owner}</Property>}
        {checkId !== null && (
          <Property label="Check">
            <a href={findingsUrl(organizationId, { check: checkId })}>{checkId}</a>
          </Property>
        )}
        {cwe !== null && (
          <Property label="CWE">
            <a href={`https://cwe.mitre.org/data/definitions/${cwe}.html`} rel="noreferrer">
              CWE-{cwe}
            </a>{' '}
            {nameOfCwe(cwe)}
          </Property>
        )}
        {builtInCheck !== null && builtInCheck.owasp.length > 0 && (
          <Property label="OWASP">
            <ul class="plain">
              {builtInCheck.owasp.map(({ id, name }) => (
                <li key={id}>
                  {id} {name}
                </li>
              ))}
            </ul>
          </Property>
        )}
        {cve !== null && <Property label="CVE">{[cve, ...otherCves].join(', ')}</Property>}
        <Exploitation view={view} />
        <Property label="First seen">
          <Time at={finding.created} />
        </Property>
        <Property label="Last seen">
          <Time at={finding.lastSeen} />
        </Property>
        {finding.verification === 'confirmed' && verifiedAt !== null && (
          <Property label="Confirmed">
            <Time at={verifiedAt} />
          </Property>
        )}
        {references.length > 0 && (
          <Property label="References">
            <ul class="plain">
              {references.map((url) => (
                <li key={url}>
                  <a href={url} rel="noreferrer">
                    {url}
                  </a>
                </li>
              ))}
            </ul>
          </Property>
        )}
      </dl>
    </aside>
  );
}

/** What public data says of its CVEs. */
function Exploitation({ view: { organizationId, finding } }: ViewProps): VNode {
  const { epss, kev } = finding.vulnerability;
  return (
    <>
      {epss !== null && (
        <Property label="EPSS">
          <span title={`The probability of exploitation in the next 30 days. ${epss.source}, ${epss.date}.`}>
            {(epss.score * 100).toFixed(1)} %
          </span>
        </Property>
      )}
      {kev !== null && (
        <Property label="Exploited">
          <a href={findingsUrl(organizationId, { kev: true })}>since {kev.dateAdded}</a>
          {kev.ransomware && ', also by ransomware'}
          {kev.dueDate !== null && `, to be fixed by ${kev.dueDate}`}{' '}
          <span class="muted">
            ({kev.source}, <Time at={kev.released} to="day" />)
          </span>
        </Property>
      )}
    </>
  );
}
