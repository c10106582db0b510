import type { VNode } from 'preact';
import { RECORD_KINDS } from '../../modules/feed';
import { FilterForm } from '../frame/filter-form';
import { labelOf } from '../frame/words';
import { FollowedPart } from '../live/followed-part';
import { activityUrl } from '../urls';
import { ActivityList } from './activity-list';
import type { Activity } from './activity';

interface ActivityPageProps {
  readonly activity: Activity;
  readonly type: string | undefined;
  /** Of a page that is not the first one: it does not change. */
  readonly from?: number | undefined;
}

/** A job is called a scan here. */
const NAMES: Readonly<Record<string, string>> = { job: 'Scans', discovery: 'Searches for hosts' };

export const ActivityPage = (props: ActivityPageProps): VNode => (
  <div id="list">
    <FilterForm action={activityUrl(props.activity.organizationId)} target="#list">
      <label>
        What
        <select name="type">
          <option value="">Everything</option>
          {RECORD_KINDS.map((kind) => (
            <option key={kind} value={kind} selected={kind === props.type}>
              {NAMES[kind] ?? `${labelOf(kind)}s`}
            </option>
          ))}
        </select>
      </label>
    </FilterForm>
    {props.from === undefined ? <LiveActivity {...props} /> : <ActivityList activity={props.activity} />}
    {props.activity.before !== null && (
      <p>
        <a
          href={`${activityUrl(props.activity.organizationId)}?type=${props.type ?? ''}&before=${props.activity.before}`}
        >
          Earlier
        </a>
      </p>
    )}
  </div>
);

export function LiveActivity({ activity, type }: ActivityPageProps): VNode {
  const url = activityUrl(activity.organizationId);
  const query = type === undefined ? '' : `?type=${type}`;
  return (
    <div id="live">
      <FollowedPart stream={`${url}/stream${query}`} page={`${url}/live${query}`}>
        <ActivityList activity={activity} />
      </FollowedPart>
    </div>
  );
}
