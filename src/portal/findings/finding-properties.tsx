import type { ComponentChildren, VNode } from 'preact';
import { addDays, dayOf } from '../../kernel/day';
import { nameOfCwe } from '../../modules/findings';
import { SeverityBadge } from '../frame/badges';
import { Field, Form, useRefusal } from '../frame/form';
import { Icon } from '../frame/icon';
import { Labels, LabelsField } from '../frame/labels';
import { Entries, Menu } from '../frame/menu';
import { Person } from '../frame/person';
import { Time } from '../frame/time';
import { useView } from '../frame/view';
import { assetUrl, findingsUrl, findingUrl } from '../urls';
import { DueDate } from './due-date';
import type { FindingView } from './finding-reader';
import { StatusProperty } from './finding-status';
import { versionOf } from './finding-versions';

interface ViewProps {
  readonly view: FindingView;
}

/** A word and its value, which those who may change it click on. */
export const Property = ({ label, children }: { label: string; children: ComponentChildren }): VNode => (
  <div class="property">
    <dt>{label}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);

/** What is known of the finding, in a column beside it. */
export function Properties({ view }: ViewProps): VNode {
  const { organizationId, finding, beacon, priority, mayTest } = view;
  const { cwe, checkId, score, cvssVector, cve, otherCves, references, verifiedAt } = finding;
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

export const Assignee = ({ view: { finding, people } }: ViewProps): VNode =>
  finding.assigneeId === null ? (
    <span class="muted">No one</span>
  ) : (
    <Person id={finding.assigneeId} name={people.get(finding.assigneeId)} />
  );

const Version = ({ of }: { of: Parameters<typeof versionOf>[0] }): VNode => (
  <input type="hidden" name="version" value={versionOf(of)} />
);

function AssigneeMenu({ view }: ViewProps): VNode {
  const { organizationId, finding, assignable } = view;
  const { caller } = useView();
  const action = `${findingUrl(organizationId, finding.id)}/assignee`;
  const me = caller?.facts.userId;
  const others = [...assignable].filter(([id]) => id !== finding.assigneeId);
  return (
    <>
      <Menu class="quiet" label={<Assignee view={view} />} name="Assignee" isOpen={useRefusal(action) !== undefined}>
        <Form action={action}>
          <Version of={finding.assigneeId} />
          <Entries>
            {finding.assigneeId !== null && (
              <li>
                <button name="assignee_id" value="">
                  No one
                </button>
              </li>
            )}
            {others.map(([id, name]) => (
              <li key={id}>
                <button name="assignee_id" value={id}>
                  <Person id={id} name={name} isNamed />
                </button>
              </li>
            ))}
          </Entries>
        </Form>
      </Menu>
      {me !== undefined && me !== finding.assigneeId && assignable.has(me) && (
        <Form action={action}>
          <Version of={finding.assigneeId} />
          <button class="link" name="assignee_id" value={me}>
            Assign to me
          </button>
        </Form>
      )}
    </>
  );
}

const DAYS = [
  [1, 'Tomorrow'],
  [7, 'In 7 days'],
  [30, 'In 30 days'],
  [90, 'In 90 days'],
] as const;

function DueMenu({ view: { organizationId, finding } }: ViewProps): VNode {
  const { dueDate } = finding;
  const action = `${findingUrl(organizationId, finding.id)}/due-date`;
  return (
    <Menu class="quiet" label={<DueDate finding={finding} />} name="Due date" isOpen={useRefusal(action) !== undefined}>
      <Form action={action}>
        <Version of={dueDate} />
        <Entries>
          {DAYS.map(([days, label]) => (
            <li key={days}>
              <button name="due_date" value={addDays(dayOf(new Date()), days)}>
                {label}
              </button>
            </li>
          ))}
          {dueDate !== null && (
            <li>
              <button name="due_date" value="">
                No due date
              </button>
            </li>
          )}
        </Entries>
      </Form>
      <Form action={action} class="in-menu">
        <Version of={dueDate} />
        <Field
          name="due_date"
          label="Another day"
          input={{ type: 'date', value: dueDate ?? '', min: '2000-01-01', max: '9999-12-31', required: false }}
        />
        <button>Save</button>
      </Form>
    </Menu>
  );
}

function LabelsMenu({ view: { organizationId, finding } }: ViewProps): VNode {
  const { labels } = finding;
  const action = `${findingUrl(organizationId, finding.id)}/labels`;
  return (
    <Menu
      class="quiet more"
      label={labels.length === 0 ? <span class="muted">Add a label</span> : <Icon name="plus" />}
      name={labels.length === 0 ? undefined : 'Change the labels'}
      isOpen={useRefusal(action) !== undefined}
    >
      <Form action={action} class="in-menu">
        <Version of={labels} />
        <LabelsField labels={labels} />
        <button>Save</button>
      </Form>
    </Menu>
  );
}
