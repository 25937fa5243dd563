import { Group, Loader, Text } from '@mantine/core';
import { IconBrain, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatDuration } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './conversations.module.css';

const sayAfterSeconds = 3;
/** An answer takes no longer. */
const maxAheadMs = 20 * 60_000;

/** That the model thinks, and after a while for how long: some take minutes before their first word. */
function useThinking(since: string, isNow: boolean): string {
  const { t } = useTranslation('conversations');
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isNow) return undefined;
    // A clock that is wrong, or an answer that goes on later, counts from here.
    const told = Date.parse(since);
    const begun = Date.now() - told < maxAheadMs && told <= Date.now() ? told : Date.now();
    const clock = setInterval(() => setSeconds(Math.floor((Date.now() - begun) / 1000)), 1000);
    return () => clearInterval(clock);
  }, [since, isNow]);
  return seconds < sayAfterSeconds ? t('reasoning.now') : t('reasoning.nowFor', { time: formatDuration(seconds) });
}

/** Until the first word, where nothing is told of what the model thinks. */
export function Waiting({ since }: { since: string }) {
  const { t } = useTranslation('conversations');
  return (
    <Group gap={8} component="span">
      <Loader type="dots" size="sm" aria-label={t('chat.thinking')} />
      <Text size="sm" c="dimmed" component="span">
        {useThinking(since, true)}
      </Text>
    </Group>
  );
}

/** What the model thought: open as long as there is nothing else to read, unless the reader decides. */
export function Reasoning({ text, since, isNow }: { text: string; since: string; isNow: boolean }) {
  const { t } = useTranslation('conversations');
  const [chosen, setChosen] = useState<boolean>();
  const now = useThinking(since, isNow);
  if (text === '') return null;
  const isOpen = chosen ?? isNow;
  return (
    <div className={classes['fold']}>
      <button type="button" className={classes['foldHead']} aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
        <IconChevronRight size={14} aria-hidden />
        <IconBrain size={15} aria-hidden />
        {isNow ? now : t('reasoning.done')}
        {isNow && <Loader type="dots" size="xs" color="gray" />}
      </button>
      {isOpen && <div className={classes['reasoning']}>{text}</div>}
    </div>
  );
}
