import type { Mutant } from '../mutant';

const reflection = 'src/engine/protocols/http/reflection.ts';
const reflected = 'src/engine/checks/reflected-input.spec.ts';

/** What built-in checks accept as proof. */
export const checks: readonly Mutant[] = [
  {
    name: 'reflected-input: input in a quoted attribute counts as an element',
    file: reflection,
    search: `this.at = this.after(quote, start);
      return`,
    replace: 'return',
    spec: reflected,
    test: 'a quoted attribute whose quotes are escaped',
  },
  {
    name: 'reflected-input: input in a string of a script counts as code',
    file: 'src/engine/protocols/http/script-code.ts',
    search: 'if (end === null) continue;',
    replace: 'return true;',
    spec: reflected,
    test: 'a string of a script',
  },
  {
    name: 'reflected-input: text that cannot end its element counts',
    file: 'src/engine/checks/reflected-input.ts',
    search: "isActive: reflectionIn(second).kind === 'active'",
    replace: 'isActive: true',
    spec: reflected,
    test: 'a textarea that it cannot end',
  },
  {
    name: 'open-redirect: a meta tag with another name redirects',
    file: 'src/engine/protocols/http/refresh.ts',
    search: ".filter((tag) => attributeOf(tag, 'http-equiv')?.trim().toLowerCase() === 'refresh')",
    replace: '',
    spec: 'src/engine/checks/open-redirect.spec.ts',
    test: 'the meta tag has another name',
  },
];
