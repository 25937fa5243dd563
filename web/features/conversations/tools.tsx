import { Code, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconChevronRight, IconTool } from '@tabler/icons-react';
import { useState } from 'react';
import type { ToolUse } from '../../../shared/contracts/conversations.ts';
import { formatWait } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './conversations.module.css';

/** The calls of an answer, each with what it was given and what it gave. */
export function ToolList({ tools }: { tools: ToolUse[] }) {
  const { t } = useTranslation('conversations');
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
