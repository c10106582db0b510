import type { VNode } from 'preact';
import type { ShownAccess } from '../../modules/retests';

const TITLES = {
  object: 'An object of another account',
  function: 'A page of a higher account',
  cache: 'A page of another account, from a cache',
} as const;

/** Who asked for what, and what of the answer belongs to the owner. */
const Side = ({ who, row }: { who: string; row: ShownAccess['own'] }): VNode => (
  <figure class="request">
    <figcaption dir="auto">{who}</figcaption>
    <code dir="ltr">GET {row.path}</code>
    <p>
      {row.status}, {row.bytes} bytes, with{' '}
      {row.values.map((value) => (
        <>
          <mark dir="auto">{value}</mark>{' '}
        </>
      ))}
    </p>
  </figure>
);

/** Both requests side by side, with the values that decide. */
export const AccessProof = ({ access }: { access: ShownAccess }): VNode => {
  const { kind, owner, seenAs, own, got } = access;
  const asker = seenAs === null ? 'without a session' : `as ${seenAs}`;
  return (
    <>
      <p dir="auto">
        <strong>{TITLES[kind]}.</strong> Seen {asker}, got what belongs to {owner}.
      </p>
      <div class="requests">
        <Side who={`As ${owner}, whose values these are`} row={own} />
        <Side who={seenAs === null ? 'Without a session' : `As ${seenAs}`} row={got} />
      </div>
    </>
  );
};
