export const EVENT_TYPE = { machine: 1, human: 2 } as const;
export type EventType = (typeof EVENT_TYPE)[keyof typeof EVENT_TYPE];

export const EVENT_CATEGORY = { pentest: 1, red_team: 2, continuous: 3 } as const;
export type EventCategory = (typeof EVENT_CATEGORY)[keyof typeof EVENT_CATEGORY];

export const DIMENSIONS = ['virtual', 'physical', 'hybrid'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

const vocabularyOf = (numbers: Readonly<Record<string, number>>) =>
  Object.entries(numbers).map(([name, number]) => ({ number, name }));

export const eventTypeVocabulary = vocabularyOf(EVENT_TYPE);
export const eventCategoryVocabulary = vocabularyOf(EVENT_CATEGORY);
