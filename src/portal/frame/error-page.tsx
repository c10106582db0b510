import type { VNode } from 'preact';

interface ErrorPageProps {
  readonly status: number;
  readonly description: string;
  readonly requestId: string;
  /** The page of the portal before this one. */
  readonly back: string | undefined;
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'You may not do this',
  404: 'This page does not exist',
  409: 'This is not possible now',
  413: 'This form is too large',
  429: 'Too many attempts',
  503: 'The database is not available',
};

export const ErrorPage = ({ status, description, requestId, back }: ErrorPageProps): VNode => (
  <section class="notice" aria-labelledby="error-title">
    <h2 id="error-title">{TITLES[status] ?? (status < 500 ? 'This request was refused' : 'Something failed')}</h2>
    <p>{description}</p>
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
