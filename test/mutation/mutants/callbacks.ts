import type { Mutant } from '../mutant';

const experiment = 'src/engine/active/callbacks/callbacks.spec.ts';
const test = 'src/engine/active/callbacks/callback-test.ts';
const sound = 'proves nothing at 1,200 points without the weakness';
const listener = 'src/apps/callbacks/listener.spec.ts';

/** Calls of the listener: what proves something, and what never reaches the database. */
export const callbacks: readonly Mutant[] = [
  {
    name: 'callbacks: a link checker that opens controls too proves a weakness',
    file: test,
    search: 'if (ofControls.length > 0) return this.unproved(TEXT_CALLED);',
    replace: '',
    spec: experiment,
    test: sound,
  },
  {
    name: 'callbacks: a page that repeats only the value proves a weakness',
    file: test,
    search: 'if (answer !== null && repeats(answer, host) && !seenControls) return this.unproved(UNSEEN_CONTROLS);',
    replace: '',
    spec: experiment,
    test: sound,
  },
  {
    name: 'callbacks: one call proves a weakness',
    file: test,
    search: 'if (call === undefined) return this.unproved(NOT_REPEATED);',
    replace: 'if (call === undefined) break;',
    spec: experiment,
    test: sound,
  },
  {
    name: 'callbacks: a retest without a call says fixed',
    file: test,
    search: 'const isRefused = answers.length === scouts.length && answers.every(({ status }) => REFUSED.has(status));',
    replace: 'const isRefused = true;',
    spec: experiment,
    test: 'is inconclusive if nothing is called, whatever the page is',
  },
  {
    name: 'callbacks: names of others are recorded',
    file: 'src/kernel/callback-name.ts',
    search: 'return timingSafeEqual(mac, Buffer.from(label.slice(ID_LENGTH))) ? label : null;',
    replace: 'return mac.length > 0 ? label : null;',
    spec: 'src/kernel/callback-name.spec.ts',
    test: 'is foreign with another key',
  },
  {
    name: 'callbacks: a source may send as much as it likes',
    file: 'src/apps/callbacks/listener.ts',
    search: `isIP(source) !== 0 && (own === null ? this.ofForeign.allows(source) : this.ofOwn.allows(source, own));`,
    replace: `isIP(source) !== 0 && own !== '';`,
    spec: listener,
    test: 'answers a source 50 times a second',
  },
  {
    name: 'callbacks: foreign names use up what calls need',
    file: 'src/apps/callbacks/listener.ts',
    search: `(own === null ? this.ofForeign.allows(source) : this.ofOwn.allows(source, own));`,
    replace: `(own === '' ? this.ofOwn.allows(source, own) : this.ofForeign.allows(source));`,
    spec: listener,
    test: 'names that others invent',
  },
  {
    name: 'callbacks: a packet from port 0 is answered',
    file: 'src/apps/callbacks/listener.ts',
    search: `if (port === 0) return`,
    replace: `if (port < 0) return`,
    spec: listener,
    test: 'a packet from port 0',
  },
  {
    name: 'callbacks: our own code resolves their names',
    file: 'src/engine/transport/egress.ts',
    search: 'return isCallback ? this.counted(OF_CALLBACKS) : null;',
    replace: 'return null;',
    spec: 'src/engine/transport/egress.spec.ts',
    test: 'is never resolved',
  },
];
