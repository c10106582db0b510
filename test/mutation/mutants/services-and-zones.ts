import type { Mutant } from '../mutant';

const evaluation = 'src/engine/protocols/dns/spf-evaluation.ts';
const spf = 'src/engine/checks/missing-spf.spec.ts';

/** How checks judge what zones and services other than web servers say. */
export const servicesAndZones: readonly Mutant[] = [
  {
    name: 'unenforced-dmarc: of a tag that is there twice, the last one counts',
    file: 'src/engine/protocols/dns/dmarc.ts',
    search: 'if (tags.size < stated.length)',
    replace: 'if (tags.size > stated.length)',
    spec: 'src/engine/checks/unenforced-dmarc.spec.ts',
    test: 'there are two policies',
  },
  {
    name: 'missing-spf: any number of lookups',
    file: evaluation,
    search: 'if (this.lookups > MOST_LOOKUPS)',
    replace: 'if (this.lookups > 1_000)',
    spec: spf,
    test: 'the names that it includes include too many',
  },
  {
    name: 'missing-spf: any number of names that do not exist',
    file: evaluation,
    search: '(this.voidLookups += 1) > MOST_VOID_LOOKUPS',
    replace: '(this.voidLookups += 1) > 100',
    spec: spf,
    test: 'three of its names do not exist',
  },
  {
    name: 'missing-spf: blocks of any size belong to somebody',
    file: evaluation,
    search: 'block.prefix < LARGEST_BLOCK[block.version] || ',
    replace: '',
    spec: spf,
    test: 'it allows every IPv6 address',
  },
  {
    name: 'missing-spf: an included name that all may send for counts for nothing',
    file: evaluation,
    search: "return result === 'pass';",
    replace: 'return false;',
    spec: spf,
    test: 'it includes a name that everybody may send for',
  },
  {
    name: 'missing-spf: no longer taking mail is a fix',
    file: 'src/engine/protocols/dns/mail-check.ts',
    search: 'return isRetest',
    replace: 'return !isRetest',
    spec: spf,
    test: 'is not fixed by no longer taking mail',
  },
  {
    name: 'open-redis: forbidden commands are a fix',
    file: 'src/engine/checks/open-redis.ts',
    search: 'replies.every(demandsLogin)',
    replace: 'replies.every((reply) => demandsLogin(reply) || isForbidden(reply))',
    spec: 'src/engine/checks/open-redis.spec.ts',
    test: 'its default user may not run these commands',
  },
  {
    name: 'anonymous-ftp: any refusal is a fix',
    file: 'src/engine/checks/anonymous-ftp.ts',
    search: 'reply.startsWith(REFUSED) &&',
    replace: 'reply.startsWith(REFUSED) ||',
    spec: 'src/engine/checks/anonymous-ftp.spec.ts',
    test: 'it is open at other hours',
  },
  {
    name: 'missing-dmarc: a record without a valid policy counts',
    file: 'src/engine/protocols/dns/dmarc.ts',
    search: 'if (isValid) return tags;',
    replace: 'return tags;',
    spec: 'src/engine/checks/missing-dmarc.spec.ts',
    test: 'its policy is misspelt',
  },
  {
    name: 'open-elasticsearch: the anonymous user is refused everything',
    file: 'src/engine/checks/open-elasticsearch.ts',
    search: ' && answer?.status === 401',
    replace: '',
    spec: 'src/engine/checks/open-elasticsearch.spec.ts',
    test: 'refuses these requests to the anonymous user',
  },
  {
    name: 'dangling-cname: any name that exists is a fix',
    file: 'src/engine/checks/dangling-cname.ts',
    search: 'alias !== null && aliases.includes(alias)',
    replace: 'alias === host',
    spec: 'src/engine/checks/dangling-cname.spec.ts',
    test: 'is registered again',
  },
];
