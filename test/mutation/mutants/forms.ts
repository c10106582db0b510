import type { Mutant } from '../mutant';

const forms = 'src/engine/active/forms/forms.spec.ts';
const forged = 'src/engine/active/oracles/forged-request.ts';
const forgedSpec = 'src/engine/active/oracles/forged-request.spec.ts';

/** What tests may change on a target. */
export const formMutants: readonly Mutant[] = [
  {
    name: 'forms: the transport sends what may change a target without the consent',
    file: 'src/engine/transport/via-submissions.ts',
    search: 'if (submissions === undefined)',
    replace: 'if (submissions === null)',
    spec: 'src/engine/active/forms/retests-of-forms.spec.ts',
    test: 'is not tested where nothing may be submitted',
  },
  {
    name: 'forms: they are submitted without end',
    file: 'src/engine/active/forms/submissions.ts',
    search: 'return submissions >= perForm ?',
    replace: 'return submissions >= 10 * perForm ?',
    spec: forms,
    test: 'is submitted at most as often as its limit',
  },
  {
    name: 'forms: they are submitted at the same time',
    file: 'src/engine/active/forms/submissions.ts',
    search: 'const mine = this.last.then(work);',
    replace: 'const mine = Promise.resolve().then(work);',
    spec: forms,
    test: 'is never submitted twice at a time',
  },
  {
    name: 'forms: what nobody may allow is submitted',
    file: 'src/engine/active/forms/form-rule.ts',
    search: "if (word !== null) return { by: 'word', reason: word, isAllowable: false };",
    replace: '',
    spec: forms,
    test: 'is left out, and listed, if',
  },
  {
    name: 'forms: what an admin has forbidden is submitted',
    file: 'src/engine/active/forms/form-rule.ts',
    search: 'if (isForbidden(form.path)) return FORBIDDEN;',
    replace: '',
    spec: forms,
    test: 'is left out where an admin has forbidden its path',
  },
  {
    name: 'forms: what has another mark is deleted',
    file: 'src/engine/submitted.ts',
    search: 'const page = mark === null ? null : await ask(at, cookies, 0);',
    replace: 'const page = await ask(at, cookies, 0);',
    spec: forms,
    test: 'what it created is deleted by its own address alone',
  },
  {
    name: 'forged forms: what visitors may write as well counts',
    file: forged,
    search: "if ((await series.forge('visitor', shown?.sender ?? senders[0] ?? '')) !== null)",
    replace: "if ((await series.forge('visitor', shown?.sender ?? senders[0] ?? '')) === '')",
    spec: forgedSpec,
    test: 'visitors without a session write there as well',
  },
  {
    name: 'forged forms: they name no foreign origin',
    file: 'src/engine/active/oracles/forged-form.ts',
    search: "['Origin', 'https://forged.example'],",
    replace: '',
    spec: forgedSpec,
    test: 'Origin is checked',
  },
  {
    name: 'forged forms: nobody reads whether they were stored',
    file: forged,
    search: 'const at = await this.shownAt(mark);',
    replace: "const at = as === 'visitor' ? await this.shownAt(mark) : (this.showing[0] ?? null);",
    spec: forgedSpec,
    test: 'a token is checked',
  },
  {
    name: 'forged forms: cookies for the own site alone are sent',
    file: 'src/engine/cookie-jar.ts',
    search: '(isForAll || !isCrossSite) &&',
    replace: '',
    spec: forgedSpec,
    test: 'the cookie has SameSite=Lax',
  },
  {
    name: 'active jobs: full needs no confirmation',
    file: 'src/modules/assets/domain/active-tests.ts',
    search: 'confirmFull === asset.value) return;',
    replace: "asset.value !== '') return;",
    spec: 'test/e2e/active-jobs.spec.ts',
    test: 'is refused where the asset does not allow it',
  },
];
