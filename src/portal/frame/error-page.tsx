import type { VNode } from 'preact';
import { useView } from './view';

/** The page on which the reader can fix the cause of the error. */
export interface Remedy {
  readonly href: string;
  readonly label: string;
}

interface ErrorPageProps {
  readonly status: number;
  readonly description: string;
  readonly requestId: string;
  /** The page of the portal before this one. */
  readonly back: string | undefined;
  readonly remedy: Remedy | undefined;
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'You may not do this',
  404: 'This page does not exist',
  409: 'This is not possible now',
  413: 'This form is too large',
  429: 'Too many attempts',
  503: 'This is not available now',
};

export const titleOfError = (status: number): string =>
  TITLES[status] ?? (status < 500 ? 'This request was refused' : 'Something failed');

export function ErrorPage({ status, description, requestId, back, remedy }: ErrorPageProps): VNode {
  const { caller, organization } = useView();
  return (
    <section class="notice">
      {/* The frame of signed-in people has it. */}
      {caller === undefined && <h1>{titleOfError(status)}</h1>}
      <p>
        {organization ? description.replace(`organization ${organization.id}.`, `${organization.name}.`) : description}
      </p>
      {remedy !== undefined && (
        <p>
          <a href={remedy.href}>{remedy.label}</a>
        </p>
      )}
      {status === 404 && <p>Check the address. The record may have been deleted, or you may have no access to it.</p>}
      {status >= 500 && <p>Nothing was saved. Try again in a moment.</p>}
      <p>
        {back !== undefined && (
          <>
            <a href={back}>Back to the last page</a> ·{' '}
          </>
        )}
        <a href="/">Start page</a>
      </p>
      <p class="muted">
        Request <code>{requestId}</code>
      </p>
    </section>
  );
}
