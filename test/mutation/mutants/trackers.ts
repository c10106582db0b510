import type { Mutant } from '../mutant';

const folder = 'src/modules/trackers';
const spec = 'test/e2e/trackers.spec.ts';
const truthSpec = 'test/e2e/ticket-truth.spec.ts';
const writing = `${folder}/ticket-writing.ts`;
const steps = `${folder}/ticket-steps.ts`;
const hooks = `${folder}/tracker-hooks.ts`;
const states = `${folder}/domain/ticket-states.ts`;

/** No second ticket, no loop, no ticket that strangers can read, and none that closes without a fix. */
export const trackers: readonly Mutant[] = [
  {
    name: 'trackers: a ticket is opened again after a lost answer',
    file: writing,
    search: '(await api.find(ticket.marker, firstAttempt)) ?? api.create(ticket)',
    replace: 'api.create(ticket)',
    spec,
    test: 'is not opened twice when the answer was lost',
  },
  {
    name: 'trackers: a note is written again after a lost answer',
    file: writing,
    search: 'if (note !== null && (await api.hasNote(id, note))) return',
    replace: 'if (note === null && before.id === "") return',
    spec: truthSpec,
    test: 'does not write a note twice whose answer was lost',
  },
  {
    name: 'trackers: an old answer counts as a decision of a person',
    file: writing,
    search: 'known !== null && ticket.version < known',
    replace: 'known === ticket.version',
    spec: truthSpec,
    test: 'does not begin with an answer that is older than what Assay has written',
  },
  {
    name: 'trackers: a ticket is opened in a public project',
    file: steps,
    search: "if (await api.isPublic()) return 'public';",
    replace: '',
    spec,
    test: 'is not opened where strangers can read it, and the tracker is paused',
  },
  {
    name: 'trackers: a public project is accepted',
    file: `${folder}/tracker-turns.ts`,
    search: 'const tested = isPublic ? null : this.clock.now();',
    replace: 'const tested = this.clock.now();',
    spec,
    test: 'is refused where strangers can read its project',
  },
  {
    name: 'trackers: credentials are sent to a new address',
    file: `${folder}/tracker-places.ts`,
    search: 'sealed === null || address !== tracker.address ?',
    replace: 'sealed === null ?',
    spec,
    test: 'sends its credentials to no other address than that for which they were typed',
  },
  {
    name: 'trackers: a bulk change opens tickets without a confirmed number',
    file: `${folder}/tickets.service.ts`,
    search: 'if (confirm !== without.length) throw confirmationNeeded(without.length);',
    replace: '',
    spec,
    test: 'waits when its tracker has opened the most of a day, or of a minute',
  },
  {
    name: 'trackers: a deleted ticket is opened again',
    file: steps,
    search: "state: 'gone',",
    replace: "state: 'wanted', remoteId: null, key: null,",
    spec: truthSpec,
    test: 'does not come of a ticket that was deleted',
  },
  {
    name: 'trackers: tests and people disagree for ever',
    file: states,
    search: 'disagreements >= MAX_DISAGREEMENTS',
    replace: 'disagreements > 1_000 * MAX_DISAGREEMENTS',
    spec: truthSpec,
    test: 'is changed no more after three disagreements, until a person looks again',
  },
  {
    name: 'trackers: a status that a person has set counts as a proof',
    file: `${folder}/domain/ticket-facts.ts`,
    search: "isSince(fixedAt) || (retest?.result === 'fixed' && isSince(retest.finished)) ? 'fixed' : 'open'",
    replace: "isSince(fixedAt) || retest?.result !== 'still_vulnerable' ? 'fixed' : 'open'",
    spec: truthSpec,
    test: 'leaves it open when a person sets the status to resolved, which proves nothing',
  },
  {
    name: 'trackers: an unsigned message is accepted',
    file: hooks,
    search: 'if (!isSigned(kind, headers, body, this.credentials.read(tracker).hookSecret)) throw',
    replace: 'if (body.length > 1_000_000) throw',
    spec,
    test: 'with a wrong signature has the answer of an unknown address',
  },
  {
    name: 'trackers: a message counts again',
    file: hooks,
    search: 'if (id !== null && this.seen.get(name) !== undefined) return;',
    replace: '',
    spec,
    test: 'counts once by its id',
  },
];
