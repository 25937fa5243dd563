import { IconBrandLine, IconWorld } from '@tabler/icons-react';

const icons = { web: IconWorld, line: IconBrandLine };

/** Which way a conversation comes, beside the words that say it. */
export function ChannelIcon({
  kind,
  size = 16,
  stroke = 1.75,
}: {
  kind: keyof typeof icons;
  size?: number;
  stroke?: number;
}) {
  const Icon = icons[kind];
  return <Icon size={size} stroke={stroke} aria-hidden />;
}
