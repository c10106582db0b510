import type { VNode } from 'preact';
import { nameOfCwe } from '../../modules/findings';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { findingsUrl } from '../urls';
import type { FindingView } from './finding-reader';

/** What is known of the weakness. */
export function Details({ view: { organizationId, finding, beacon, priority } }: { view: FindingView }): VNode {
  const { cwe, checkId, vulnerability } = finding;
  const { epss, kev } = vulnerability;
  return (
    <Card id="details" title="Details">
      <dl class="facts">
        <Fact label="Asset">
          {finding.assetId === null ? (
            finding.assetValue
          ) : (
            <a href={findingsUrl(organizationId, { asset_id: finding.assetId })}>{finding.assetValue}</a>
          )}
        </Fact>
        {beacon !== null && <Fact label="Through the beacon">{beacon.name}</Fact>}
        {finding.location !== null && (
          <Fact label="Location">
            <code dir="ltr">{finding.location}</code>
          </Fact>
        )}
        {checkId !== null && (
          <Fact label="Check">
            <a href={findingsUrl(organizationId, { check: checkId })}>
              <code>{checkId}</code>
            </a>
          </Fact>
        )}
        {finding.score !== null && <Fact label="CVSS score">{finding.score.toFixed(1)}</Fact>}
        {finding.cvssVector !== null && (
          <Fact label="CVSS vector">
            <code>{finding.cvssVector}</code>
          </Fact>
        )}
        {cwe !== null && (
          <Fact label="CWE">
            <a href={`https://cwe.mitre.org/data/definitions/${cwe}.html`} rel="noreferrer">
              CWE-{cwe}
            </a>{' '}
            {nameOfCwe(cwe)}
          </Fact>
        )}
        {finding.cve !== null && <Fact label="CVE">{[finding.cve, ...finding.otherCves].join(', ')}</Fact>}
        {epss !== null && (
          <Fact label="EPSS">
            {(epss.score * 100).toFixed(1)} % probability of exploitation in the next 30 days{' '}
            <span class="muted">
              ({epss.source}, {epss.date})
            </span>
          </Fact>
        )}
        {kev !== null && (
          <Fact label="Known exploited">
            <a href={findingsUrl(organizationId, { kev: true })}>since {kev.dateAdded}</a>
            {kev.ransomware && ', also by ransomware'}
            {kev.dueDate !== null && `, to be fixed by ${kev.dueDate}`}{' '}
            <span class="muted">
              ({kev.source}, released <Time at={kev.released} to="day" />)
            </span>
          </Fact>
        )}
        {finding.references.length > 0 && (
          <Fact label="References">
            <ul class="plain">
              {finding.references.map((url) => (
                <li key={url}>
                  <a href={url} rel="noreferrer">
                    {url}
                  </a>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact label="Priority">
          {finding.priority} of 5, 1 is the most urgent
          <ul class="plain">
            {priority.reasons.map(({ text }) => (
              <li key={text} class="muted">
                {text}
              </li>
            ))}
          </ul>
        </Fact>
        <Fact label="Recorded">
          <Time at={finding.created} />
        </Fact>
        <Fact label="Last seen">
          <Time at={finding.lastSeen} />, {pluralize(finding.timesSeen, 'time')} in all
        </Fact>
      </dl>
    </Card>
  );
}
