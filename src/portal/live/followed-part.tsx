import type { ComponentChildren, VNode } from 'preact';

interface FollowedPartProps {
  /** Sends what this part contains while a worker runs. */
  readonly stream: string;
  /** Answers with the element `#live` around it: when the work has ended, or when the stream does not arrive. */
  readonly page: string;
  readonly children: ComponentChildren;
}

/** A part of a page that a script keeps up to date while a worker runs. */
export const FollowedPart = ({ stream, page, children }: FollowedPartProps): VNode => (
  <div data-stream={stream} data-page={page}>
    {children}
  </div>
);
