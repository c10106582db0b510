import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { SearchBudget } from './search-budget';

/** Searched in a few milliseconds, after which the event loop gets a turn. */
const CHUNK_LENGTH = 200_000;
/** A character costs less here than an instruction of an expression. */
const CHARACTERS_PER_STEP = 2;
const STEPS_PER_WORD = 50;

/** The border table of Knuth-Morris-Pratt: for each prefix, the length of its longest border. */
function bordersOf(word: string): Uint32Array {
  const borders = new Uint32Array(word.length);
  for (let at = 1, length = 0; at < word.length; at += 1) {
    length = matchedLength(word, borders, length, word.charCodeAt(at));
    borders[at] = length;
  }
  return borders;
}

/** The length of the matched prefix of the word after one more character. */
function matchedLength(word: string, borders: Uint32Array, read: number, character: number): number {
  let length = read;
  while (length > 0 && word.charCodeAt(length) !== character) length = borders[length - 1] ?? 0;
  return word.charCodeAt(length) === character ? length + 1 : 0;
}

function* chunksOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += CHUNK_LENGTH) yield text.slice(at, at + CHUNK_LENGTH);
}

/** Knuth-Morris-Pratt search in linear time. `String.includes` may compare the whole word at every character. */
export async function includes(text: string, word: string, budget: SearchBudget): Promise<boolean> {
  budget.spend(STEPS_PER_WORD + (text.length + word.length) / CHARACTERS_PER_STEP);
  if (word.length > text.length) return false;
  const borders = bordersOf(word);
  let read = 0;
  for (const piece of chunksOf(text)) {
    await yieldToEventLoop();
    for (let at = 0; at < piece.length; at += 1) {
      read = matchedLength(word, borders, read, piece.charCodeAt(at));
      if (read === word.length) return true;
    }
  }
  return false;
}

export async function toLowerCase(text: string, budget: SearchBudget): Promise<string> {
  budget.spend(text.length / CHARACTERS_PER_STEP);
  const lowered: string[] = [];
  for (const piece of chunksOf(text)) {
    await yieldToEventLoop();
    lowered.push(piece.toLowerCase());
  }
  return lowered.join('');
}
