import { demoEvent, scopeAsset, snapshotOf } from './testing/snapshot-of';
import { jobSnapshot } from './testing/snapshots';
import { subjectTexts } from './subject-texts';

describe('subjectTexts', () => {
  it('names an event with its kind', () => {
    expect(subjectTexts(snapshotOf())).toEqual({
      name: 'Winter pentest',
      kind: 'Penetration test report',
      noun: 'event',
      reference: 'winter-pentest-k3x9qa',
      series: 'winter-pentest-k3x9qa',
      facts: [['Engagement', 'Human, Pentest, Virtual']],
    });
  });

  it('names a job by its URL, with its time, its completed tests and its result for pipelines', () => {
    const { name, noun, facts } = subjectTexts(jobSnapshot());
    expect([name, noun]).toEqual(['https://shop.nordwind.example/cart', 'job']);
    expect(facts).toEqual([
      ['Started', '2 Nov 2026, 08:00 UTC'],
      ['Tests', '3 completed'],
      ['Pipeline', 'Failed at severity medium'],
    ]);
    expect(subjectTexts(jobSnapshot({ started: null })).facts[0]).toEqual(['Started', 'Never']);
  });

  it('counts the assets of an organization and names its newest events', () => {
    const events = Array.from({ length: 7 }, (_, index) => ({ ...demoEvent, name: `Event ${index}` }));
    const scope = { in_scope: [scopeAsset(1, 'a.example')], out_of_scope: [] };
    const { facts } = subjectTexts(snapshotOf({ subject: 'organization', event: null, events, scope }));
    expect(facts).toEqual([
      ['Assets', '1'],
      [
        'Events',
        'Event 0 (running), Event 1 (running), Event 2 (running), Event 3 (running), Event 4 (running), and 2 more',
      ],
    ]);
    expect(subjectTexts(snapshotOf({ subject: 'organization', event: null })).facts[1]).toEqual(['Events', 'None']);
  });
});
