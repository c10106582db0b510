/** With changes of their clocks from 2022 to 2025. Cairo and Mexico City changed their rule in these years. */
export const ZONES: readonly { readonly zone: string; readonly changes: readonly string[] }[] = [
  { zone: 'UTC', changes: ['2024-01-01T00:00:00Z'] },
  { zone: 'Europe/Lisbon', changes: ['2022-03-27T01:00:00Z', '2025-10-26T01:00:00Z'] },
  { zone: 'Europe/Berlin', changes: ['2023-03-26T01:00:00Z', '2024-10-27T01:00:00Z'] },
  { zone: 'America/New_York', changes: ['2024-03-10T07:00:00Z', '2022-11-06T06:00:00Z'] },
  { zone: 'America/St_Johns', changes: ['2025-03-09T05:30:00Z', '2023-11-05T04:30:00Z'] },
  { zone: 'America/Santiago', changes: ['2022-09-11T04:00:00Z', '2024-04-07T03:00:00Z'] },
  { zone: 'America/Mexico_City', changes: ['2022-04-03T08:00:00Z', '2022-10-30T07:00:00Z', '2023-04-02T08:00:00Z'] },
  { zone: 'Africa/Cairo', changes: ['2023-04-27T22:00:00Z', '2024-10-31T21:00:00Z'] },
  { zone: 'Asia/Kathmandu', changes: ['2024-01-01T00:00:00Z'] },
  { zone: 'Australia/Sydney', changes: ['2023-09-30T16:00:00Z', '2025-04-05T16:00:00Z'] },
  { zone: 'Australia/Lord_Howe', changes: ['2022-10-01T15:30:00Z', '2024-04-06T15:00:00Z'] },
  { zone: 'Pacific/Auckland', changes: ['2024-09-28T14:00:00Z', '2022-04-02T14:00:00Z'] },
];
