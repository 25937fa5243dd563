type Kind =
  | 'bots'
  | 'knowledge'
  | 'documents'
  | 'search'
  | 'keys'
  | 'mails'
  | 'website'
  | 'connection'
  | 'lost'
  | 'broken'
  | 'offline';

/** Small drawings for places where there is nothing yet, or nothing any more. */
export function Drawing({ kind, size = 120 }: { kind: Kind; size?: number }) {
  const line = {
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: 2,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
  } as const;
  const soft = { fill: 'var(--mantine-primary-color-light)' };
  const mark = { ...line, stroke: '#00b900', strokeWidth: 2.5 };
  return (
    <svg
      width={size}
      height={(size * 3) / 4}
      viewBox="0 0 120 90"
      aria-hidden
      style={{ color: 'var(--mantine-color-dimmed)' }}
    >
      <ellipse cx="60" cy="80" rx="44" ry="6" {...soft} />
      {kind === 'bots' && (
        <>
          <path {...line} d="M34 22h52a8 8 0 0 1 8 8v26a8 8 0 0 1-8 8H58L46 74V64H34a8 8 0 0 1-8-8V30a8 8 0 0 1 8-8Z" />
          <path {...mark} d="M48 38v4M72 38v4M48 52c7 5 17 5 24 0" />
          <path {...line} d="M60 22v-8M60 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z" />
        </>
      )}
      {kind === 'knowledge' && (
        <>
          <path {...line} d="M60 26c-8-6-20-8-32-6v48c12-2 24 0 32 6 8-6 20-8 32-6V20c-12-2-24 0-32 6ZM60 26v48" />
          <path {...mark} d="M38 34c5 0 10 1 14 3M38 46c5 0 10 1 14 3M82 34c-5 0-10 1-14 3" />
        </>
      )}
      {kind === 'documents' && (
        <>
          <path {...line} d="M40 12h28l16 16v48H40zM68 12v16h16" />
          <path {...mark} d="M50 40h24M50 50h24M50 60h14" />
        </>
      )}
      {kind === 'search' && (
        <>
          <circle {...line} cx="54" cy="40" r="24" />
          <path {...line} d="m72 58 18 18" />
          <path {...mark} d="M44 40h20M44 48h12" />
        </>
      )}
      {kind === 'keys' && (
        <>
          <circle {...line} cx="42" cy="42" r="18" />
          <path {...line} d="M58 50 94 50v12M80 50v10" />
          <circle {...mark} cx="42" cy="42" r="6" />
        </>
      )}
      {kind === 'mails' && (
        <>
          <path {...line} d="M30 20h60a6 6 0 0 1 6 6v38a6 6 0 0 1-6 6H30a6 6 0 0 1-6-6V26a6 6 0 0 1 6-6Z" />
          <path {...mark} d="m27 25 33 26 33-26" />
        </>
      )}
      {kind === 'website' && (
        <>
          <path {...line} d="M22 14h76a6 6 0 0 1 6 6v48a6 6 0 0 1-6 6H22a6 6 0 0 1-6-6V20a6 6 0 0 1 6-6ZM16 28h88" />
          <path {...line} d="M24 21h.1M31 21h.1M38 21h.1M28 40h26M28 50h18" />
          <path {...mark} d="M72 40h20a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H82l-6 5v-5h-4a4 4 0 0 1-4-4V44a4 4 0 0 1 4-4Z" />
        </>
      )}
      {kind === 'connection' && (
        <>
          <path
            {...line}
            d="M16 30h22a8 8 0 0 1 8 8v14a8 8 0 0 1-8 8H16zM104 30H82a8 8 0 0 0-8 8v14a8 8 0 0 0 8 8h22z"
          />
          <path {...mark} d="M46 39h14M46 51h14M74 45H64" />
        </>
      )}
      {kind === 'lost' && (
        <>
          <path {...line} d="M30 72V20l20-8 20 8 20-8v52l-20 8-20-8zM50 12v52M70 20v52" />
          <path {...mark} d="m56 34 8 8m0-8-8 8" />
        </>
      )}
      {kind === 'broken' && (
        <>
          <path
            {...line}
            d="M26 18h68a6 6 0 0 1 6 6v40a6 6 0 0 1-6 6H62l6-14-14-10 8-14-6-8M50 70H26a6 6 0 0 1-6-6V24a6 6 0 0 1 6-6h22"
          />
          <path {...mark} d="M34 34h8M78 34h8" />
        </>
      )}
      {kind === 'offline' && (
        <>
          <path {...line} d="M20 36c24-20 56-20 80 0M34 50c16-13 36-13 52 0M48 64c7-6 17-6 24 0" />
          <path {...mark} d="M24 14 96 76" />
        </>
      )}
    </svg>
  );
}
