import type { VNode } from 'preact';
import { Time } from './time';
import { asSentence } from './words';

const CONFIRMED = /\buser (\d+) confirmed at (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

interface ReasonProps {
  readonly text: string;
  /** The names of users, by id: of members only, because the target may have written a part of the text. */
  readonly people?: ReadonlyMap<number, string>;
}

/** Why a test ended as it did. Users who confirmed something are shown by name, and times in the viewer's zone. */
export function Reason({ text, people }: ReasonProps): VNode {
  const [before, id, at = '', after] = asSentence(text).split(CONFIRMED);
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return <>{asSentence(text)}</>;
  return (
    <>
      {before}
      <bdi>{people?.get(Number(id)) ?? 'an admin'}</bdi> confirmed <Time at={time} />
      {after}
    </>
  );
}

/** Names of requests and settings in the API become those of the portal's pages. */
export const stepInPortal = (step: string): string =>
  step
    .replaceAll(/, in the portal or with PUT \/v1\/\S+?(?=[,.]?(?: |$))/g, '')
    .replace('(ENGINE_USER_AGENT, or its address)', '(by their User-Agent field, or their address)')
    .replace('requests_per_second of the asset', 'the requests per second of the asset');
