// Tabler's outlines (MIT): https://tabler.io/icons
const paths = {
  send: 'M12 5v14M18 11l-6-6-6 6',
  stop: 'M7 7h10v10H7z',
  minus: 'M5 12h14',
  close: 'M18 6 6 18M6 6l12 12',
  more: 'M4 12h1M11.5 12h1M19 12h1',
  clip: 'm15 7-6.5 6.5a1.5 1.5 0 0 0 3 3l6.5-6.5a3 3 0 0 0-6-6l-6.5 6.5a4.5 4.5 0 0 0 9 9l6.5-6.5',
  down: 'M12 5v14M18 13l-6 6-6-6',
  file: 'M14 3v4a1 1 0 0 0 1 1h4M17 21H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2z',
  good: 'M7 11v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1h3a4 4 0 0 0 4-4V6a2 2 0 0 1 4 0v5h3a2 2 0 0 1 2 2l-1 5a2 3 0 0 1-2 2h-7a3 3 0 0 1-3-3',
  bad: 'M7 13V5a1 1 0 0 0-1-1H4a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h3a4 4 0 0 1 4 4v1a2 2 0 0 0 4 0v-5h3a2 2 0 0 0 2-2l-1-5a2 3 0 0 0-2-2h-7a3 3 0 0 0-3 3',
};

export const Icon = ({ name }: { name: keyof typeof paths }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden>
    <path d={paths[name]} />
  </svg>
);
