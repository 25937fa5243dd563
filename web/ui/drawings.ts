/** What a drawing is made of: paths in ink, and those in green. */
export interface Lines {
  ink: string;
  mark: string;
}

/** What stands where nothing is yet; it comes when it is first shown. */
export const drawings = {
  bots: {
    ink: 'M34 22h52a8 8 0 0 1 8 8v26a8 8 0 0 1-8 8H58L46 74V64H34a8 8 0 0 1-8-8V30a8 8 0 0 1 8-8ZM60 22v-8M60 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
    mark: 'M48 38v4M72 38v4M48 52c7 5 17 5 24 0',
  },
  knowledge: {
    ink: 'M60 26c-8-6-20-8-32-6v48c12-2 24 0 32 6 8-6 20-8 32-6V20c-12-2-24 0-32 6ZM60 26v48',
    mark: 'M38 34c5 0 10 1 14 3M38 46c5 0 10 1 14 3M82 34c-5 0-10 1-14 3',
  },
  documents: { ink: 'M40 12h28l16 16v48H40zM68 12v16h16', mark: 'M50 40h24M50 50h24M50 60h14' },
  pictures: {
    ink: 'M30 14h60a6 6 0 0 1 6 6v48a6 6 0 0 1-6 6H30a6 6 0 0 1-6-6V20a6 6 0 0 1 6-6ZM24 62l20-22 20 22 12-12 20 16',
    mark: 'M71 32a7 7 0 1 0 14 0 7 7 0 1 0-14 0',
  },
  search: { ink: 'M30 40a24 24 0 1 0 48 0 24 24 0 1 0-48 0M72 58l18 18', mark: 'M44 40h20M44 48h12' },
  keys: {
    ink: 'M24 42a18 18 0 1 0 36 0 18 18 0 1 0-36 0M58 50h36v12M80 50v10',
    mark: 'M36 42a6 6 0 1 0 12 0 6 6 0 1 0-12 0',
  },
  mails: {
    ink: 'M30 20h60a6 6 0 0 1 6 6v38a6 6 0 0 1-6 6H30a6 6 0 0 1-6-6V26a6 6 0 0 1 6-6Z',
    mark: 'm27 25 33 26 33-26',
  },
  website: {
    ink: 'M22 14h76a6 6 0 0 1 6 6v48a6 6 0 0 1-6 6H22a6 6 0 0 1-6-6V20a6 6 0 0 1 6-6ZM16 28h88M24 21h.1M31 21h.1M38 21h.1M28 40h26M28 50h18',
    mark: 'M72 40h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H82l-6 5v-5h-4a4 4 0 0 1-4-4V44a4 4 0 0 1 4-4Z',
  },
  line: {
    ink: 'M42 8h36a6 6 0 0 1 6 6v54a6 6 0 0 1-6 6H42a6 6 0 0 1-6-6V14a6 6 0 0 1 6-6ZM56 14h8M44 24h20a4 4 0 0 1 4 4v4a4 4 0 0 1-4 4H50l-4 4v-4h-2M36 62h48',
    mark: 'M76 44H56a4 4 0 0 0-4 4v4a4 4 0 0 0 4 4h14l4 4v-4h2',
  },
  credits: {
    ink: 'M28 58a32 32 0 1 1 64 0M22 70h76M60 58l18-18',
    mark: 'M60 32v6M40 40l4 4M34 58h6M80 58h6M60 62a4 4 0 1 0 0-8 4 4 0 0 0 0 8',
  },
  connection: {
    ink: 'M6 45h14M28 29h12a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8H28a8 8 0 0 1-8-8V37a8 8 0 0 1 8-8ZM92 29H80a8 8 0 0 0-8 8v16a8 8 0 0 0 8 8h12a8 8 0 0 0 8-8V37a8 8 0 0 0-8-8ZM100 45h14',
    mark: 'M48 39h14M48 51h14M72 39h10M72 51h10',
  },
} satisfies Record<string, Lines>;
