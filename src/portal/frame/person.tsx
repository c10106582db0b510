import type { VNode } from 'preact';
import { useView } from './view';

const TONES = 6;

/** The first letters of the first and the last word: Ada Ito is AI. */
function initialsOf(name: string): string {
  const letters = name.match(/(?<![\p{L}\p{M}\d])[\p{L}\d]\p{M}*/gu) ?? [];
  return [letters[0], letters.slice(1).at(-1)].join('').toLocaleUpperCase('en');
}

interface PersonProps {
  readonly id: number;
  /** Undefined for a former user. */
  readonly name: string | undefined;
  /** Also if the person is the viewer. */
  readonly isNamed?: boolean;
}

/** The name of a user behind a circle with the initials. The viewer is "you". */
export function Person({ id, name = `User ${id}`, isNamed = false }: PersonProps): VNode {
  const isViewer = useView().caller?.facts.userId === id && !isNamed;
  return (
    <span class="person" title={isViewer ? name : undefined}>
      <span class={`initials tone-${id % TONES}`} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <bdi>{isViewer ? 'You' : name}</bdi>
    </span>
  );
}
