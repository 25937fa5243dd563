import { Box, Button, Group, Select, Stack, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUnsavedGuard } from '../../lib/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { useBotKnowledges } from './bots.queries.ts';
import { ConversationSection } from './conversation-section.tsx';
import { GuardrailsSection } from './guardrails-section.tsx';
import { HandoffSection } from './handoff-section.tsx';
import { IdentitySection } from './identity-section.tsx';
import { KnowledgeSection } from './knowledge-section.tsx';
import { ModelSection, type ModelSlots } from './model-section.tsx';
import { PersonaSection } from './persona-section.tsx';
import { sectionFields, sectionNames, type SectionName } from './section.tsx';
import { ToolsSection } from './tools-section.tsx';
import { later } from '../../ui/later.tsx';
import { State } from '../../ui/page.tsx';
import { useDraft, type SaveState } from './use-draft.ts';
import classes from './bots.module.css';

const ConflictNote = later(async () => (await import('./conflict-note.tsx')).ConflictNote);

interface Props extends ModelSlots {
  bot: Bot;
  /** What the fields begin with. */
  start: Bot;
  onSaved(): void;
  onState(state: SaveState): void;
  /** Beside the way to the parts, where there is no room for the preview itself. */
  aside: ReactNode;
}

/** Everything a bot is made of, in parts that one can go to; saved as one writes. */
export function BotForm({ bot, start, onSaved, onState, aside, costOf, creditsOf, keyDialog }: Props) {
  const { t } = useTranslation('bots-editor');
  const bases = useBotKnowledges();
  const { values, set, keep, isDirty, flush, conflict, error, faulty, retry, fieldError } = useDraft({
    bot: start,
    bases: bases.data,
    onSaved,
    onState,
  });
  const guard = useUnsavedGuard(isDirty, flush);
  const shared = { bot, values, set, fieldError };
  const onVariable = (name: string) => set('variables', [...values.variables, { name, value: '' }]);
  const faultySections = sectionNames.filter((name) => faulty.some((field) => sectionFields[name].includes(field)));

  const sections: Record<SectionName, ReactNode> = {
    identity: <IdentitySection {...shared} onSaved={onSaved} />,
    persona: <PersonaSection {...shared} onVariable={onVariable} />,
    model: <ModelSection {...shared} costOf={costOf} creditsOf={creditsOf} keyDialog={keyDialog} />,
    knowledge: <KnowledgeSection {...shared} bases={bases.data} onVariable={onVariable} />,
    conversation: <ConversationSection {...shared} onVariable={onVariable} />,
    guardrails: <GuardrailsSection {...shared} />,
    tools: <ToolsSection {...shared} onKept={keep} />,
    handoff: <HandoffSection {...shared} />,
    appearance: <AppearanceSection {...shared} />,
  };

  return (
    <div className={classes['form']}>
      <SectionNav faulty={faultySections} aside={aside} />
      <Stack gap={40} className={classes['sections'] ?? ''}>
        {conflict && <ConflictNote conflict={conflict} onFail={() => {}} />}
        {error && !conflict && (
          <Group justify="space-between" gap="xs" role="alert" className={classes['note'] ?? ''}>
            <State kind="failed">{error.message}</State>
            {(error.status === 0 || error.status >= 409) && (
              <Button size="compact-sm" variant="default" onClick={retry}>
                {t('common:retry')}
              </Button>
            )}
          </Group>
        )}
        {sectionNames.map((name) => (
          <Box key={name}>{sections[name]}</Box>
        ))}
      </Stack>
      <ConfirmDialog {...guard} />
    </div>
  );
}

/** Where one is among the parts, and the way to the others. */
function SectionNav({ faulty, aside }: { faulty: SectionName[]; aside: ReactNode }) {
  const { t } = useTranslation('bots-editor');
  const isWide = useMediaQuery('(min-width: 75em)', window.innerWidth >= 1200);
  const [current, setCurrent] = useState<SectionName>('identity');

  const nav = useRef<HTMLElement>(null);
  const take = (element: HTMLElement | null) => void (nav.current = element);

  useEffect(() => {
    const scroller = nav.current?.closest<HTMLElement>('[data-scroller]');
    if (!scroller) return undefined;
    const find = () => {
      const { top, height } = scroller.getBoundingClientRect();
      const isAtEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
      // The last part that has come to the upper third is where one is; at the very end, the last of all.
      const passed = sectionNames.findLast((name) => {
        const section = document.querySelector(`#section-${name}`);
        return section && section.getBoundingClientRect().top < top + height / 3;
      });
      setCurrent((isAtEnd ? sectionNames.at(-1) : passed) ?? 'identity');
    };
    scroller.addEventListener('scroll', find, { passive: true });
    return () => scroller.removeEventListener('scroll', find);
  }, [isWide]);

  const goTo = (name: SectionName) => {
    document
      .querySelector(`#section-${name}`)
      ?.scrollIntoView({ behavior: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
    document.querySelector<HTMLElement>(`#heading-${name}`)?.focus({ preventScroll: true });
  };
  const label = (name: SectionName) =>
    t(`sections.${name}.title`) + (faulty.includes(name) ? ` · ${t('sections.faulty')}` : '');

  if (!isWide) {
    return (
      <div ref={take} className={classes['picker']}>
        <Select
          aria-label={t('sections.label')}
          value={current}
          allowDeselect={false}
          onChange={(value) => goTo(sectionNames.find((name) => name === value) ?? 'identity')}
          data={sectionNames.map((name) => ({ value: name, label: label(name) }))}
        />
        {aside}
      </div>
    );
  }
  return (
    <nav ref={take} className={classes['nav']} aria-label={t('sections.label')}>
      {sectionNames.map((name) => (
        <UnstyledButton
          key={name}
          className={classes['navItem'] ?? ''}
          aria-current={current === name || undefined}
          data-faulty={faulty.includes(name) || undefined}
          onClick={() => goTo(name)}
        >
          {label(name)}
        </UnstyledButton>
      ))}
    </nav>
  );
}
