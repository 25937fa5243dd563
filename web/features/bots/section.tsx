import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './bots.module.css';
import type { SetValue, Values } from './use-draft.ts';

export const sectionNames = [
  'identity',
  'persona',
  'model',
  'knowledge',
  'conversation',
  'guardrails',
  'tools',
  'handoff',
  'appearance',
] as const;
export type SectionName = (typeof sectionNames)[number];

export const sectionFields: Record<SectionName, string[]> = {
  identity: ['name', 'description', 'avatar'],
  persona: ['instructions', 'variables'],
  model: ['service', 'fallback', 'parameters'],
  knowledge: ['knowledges', 'retrieval', 'refusal', 'quoteLead'],
  conversation: ['greeting', 'starters', 'followUps', 'language'],
  guardrails: ['guardrails'],
  tools: ['tools'],
  handoff: ['contact', 'handoff'],
  appearance: ['appearance'],
};

/** What every part of the editor works on. */
export interface SectionProps {
  bot: Bot;
  values: Values;
  set: SetValue;
  fieldError(path: string): string | undefined;
}

export function Section({ name, children }: { name: SectionName; children: ReactNode }) {
  const { t } = useTranslation('bots-editor');
  return (
    <section
      id={`section-${name}`}
      data-section={name}
      aria-labelledby={`heading-${name}`}
      style={{ scrollMarginTop: 64 }}
    >
      <header className={classes['sectionHead']}>
        <h2 id={`heading-${name}`} tabIndex={-1}>
          {t(`sections.${name}.title`)}
        </h2>
        <p>{t(`sections.${name}.text`)}</p>
      </header>
      <Stack>{children}</Stack>
    </section>
  );
}
