import { Code, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconBrain, IconCheck, IconChevronRight, IconTool } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ToolUse } from '../../../shared/contracts/conversations.ts';
import { formatDuration, formatWait } from '../../lib/format.ts';
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

export function ToolList({ tools }: { tools: ToolUse[] }) {
  const { t } = useTranslation('conversations');
  if (tools.length === 0) return null;
  return (
    <div role="group" aria-label={t('tool.label')}>
      {tools.map((tool) => (
        <Tool key={tool.id} tool={tool} />
      ))}
    </div>
  );
}

export function Tool({ tool }: { tool: ToolUse }) {
  const { t } = useTranslation('conversations');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={classes['fold']}>
      <button type="button" className={classes['foldHead']} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <IconChevronRight size={14} aria-hidden />
        <IconTool size={15} aria-hidden />
        <span className={classes['foldName']}>{tool.name}</span>
        {tool.state === 'running' && <Loader size={12} aria-hidden />}
        {tool.state === 'done' && <IconCheck size={14} color="var(--mantine-color-green-6)" aria-hidden />}
        {tool.state === 'failed' && <IconAlertTriangle size={14} color="var(--mantine-color-red-6)" aria-hidden />}
        <span>
          {t(`tool.${tool.state}`)}
          {tool.tookMs !== null && ` · ${formatWait(tool.tookMs)}`}
        </span>
      </button>
      {isOpen && (
        <div className={classes['foldBody']}>
          <Part label={t('tool.input')} text={tool.input} />
          <Part label={t('tool.output')} text={tool.output} />
        </div>
      )}
    </div>
  );
}

function Part({ label, text }: { label: string; text: string }) {
  if (text === '') return null;
  return (
    <>
      <Text size="xs" c="dimmed" mt={4}>
        {label}
      </Text>
      <Code block className={classes['raw'] ?? ''} tabIndex={0}>
        {pretty(text)}
      </Code>
    </>
  );
}

/** JSON with its structure in sight; anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
