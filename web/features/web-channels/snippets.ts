export const modes = ['bubble', 'inline', 'page'] as const;
export type Mode = (typeof modes)[number];

export const places = ['html', 'wordpress', 'shopify', 'wix', 'tagManager', 'react'] as const;
export type Place = (typeof places)[number];

interface Told {
  /** Where Kotae stands, such as `https://kotae.example`. */
  origin: string;
  channel: string;
  mode: Mode;
}

/** The element in which the widget stands where it is part of the page. */
const target = '#kotae-chat';

/** What is pasted in a kind of site. */
export function writeSnippet(place: Place, { origin, channel, mode }: Told): string {
  const host = mode === 'inline' ? `<div id="${target.slice(1)}" style="height: 600px"></div>\n` : '';
  const attributes = [
    ['channel', channel],
    ...(mode === 'bubble' ? [] : [['mode', mode]]),
    ...(mode === 'inline' ? [['target', target]] : []),
  ];
  if (place === 'react') {
    const assigned = attributes.map(([name, value]) => `    script.dataset.${name} = '${value}';`).join('\n');
    return `import { useEffect } from 'react';

export function Chat() {
  useEffect(() => {
    const script = document.createElement('script');
    script.async = true;
    script.src = '${origin}/embed.js';
${assigned}
    document.body.append(script);
    return () => {
      script.remove();
      window.Kotae?.destroy?.();
    };
  }, []);
  return ${mode === 'inline' ? `<div id="${target.slice(1)}" style={{ height: 600 }} />` : 'null'};
}`;
  }
  // A tag manager puts scripts in by itself, and drops what it does not know of their attributes.
  if (place === 'tagManager')
    return `${host}<script async src="${origin}/embed.js?${new URLSearchParams(attributes)}"></script>`;
  const written = attributes.map(([name, value]) => ` data-${name}="${value}"`).join('');
  return `${host}<script async src="${origin}/embed.js"${written}></script>`;
}

/** On the site's server, where the secret may be. */
export const hashSnippet = `import { createHmac } from 'node:crypto';

const hash = createHmac('sha256', process.env.KOTAE_SECRET)
  .update(customer.id)
  .digest('hex');`;

/** On the page, before the script above. */
export const identifySnippet = `<script>
  window.Kotae = window.Kotae || {
    queue: [['identify', {
      id: 'customer-42',
      hash: '…',
      name: 'Hanako Mori',
      email: 'hanako@example.com',
    }]],
  };
</script>`;
