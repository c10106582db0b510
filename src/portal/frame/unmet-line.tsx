import type { VNode } from 'preact';
import type { UnmetRequirement } from '../../modules/identity';
import { Time } from './time';
import { useView } from './view';

const SECURITY = '/settings/security';

/** What the organization will require of the reader from a day on; on the page that sets it up, that of all organizations. */
export function UnmetLines(): VNode {
  const { unmet, organization, path } = useView();
  const shown = unmet.filter(({ organizationId }) => path === SECURITY || organizationId === organization?.id);
  return (
    <>
      {shown.map((one) => (
        <div key={one.organizationId} class="notice-line" role="status">
          <UnmetLine {...one} />
          {path !== SECURITY && <a href={SECURITY}>Set it up</a>}
        </div>
      ))}
    </>
  );
}

const UnmetLine = ({ name, requirement, from, isClosed, needsSignIn }: UnmetRequirement): VNode => (
  <span>
    <bdi>{name}</bdi> requires{' '}
    {needsSignIn
      ? `that you sign in with your ${requirement === 'passkey' ? 'passkey' : 'second factor'}`
      : requirement === 'passkey'
        ? 'a passkey'
        : 'a passkey or an authenticator app'}
    {!isClosed && from !== null && (
      <>
        {' '}
        from <Time at={from} to="day" />
      </>
    )}
    .
  </span>
);
