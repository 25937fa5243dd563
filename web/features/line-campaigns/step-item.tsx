import { Button, Switch, TextInput } from '@mantine/core';
import { IconChevronDown, IconSend, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { StepScenario, StepTime } from '../../../shared/contracts/line-campaigns.ts';
import { isUnfinished, type LineBubble } from '../../../shared/line-content.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import type { ContentParts } from './content-parts.ts';
import classes from './line-campaigns.module.css';
import { readable, TimeFields, whenOf } from './step-time.tsx';

export interface Step {
  /** What it is known by here, since it has no other name until it is saved. */
  key: string;
  uuid?: string;
  time: StepTime;
  content: LineBubble[];
  taps: boolean;
  tapTag: string | null;
}

interface Props {
  number: number;
  step: Step;
  figures: StepScenario['steps'][number] | undefined;
  channel: { name: string };
  parts: ContentParts;
  isOpen: boolean;
  isWrong: boolean;
  /** Of a place within it. */
  error(path: string): string | undefined;
  onToggle(): void;
  onChange(step: Partial<Step>): void;
  onRemove(): void;
  /** Nothing where it was never saved. */
  onTest: (() => void) | undefined;
}

/** A step on its line: when, what, and how many have got it; opened, it is written beside how it looks. */
export function StepItem({
  number,
  step,
  figures,
  channel,
  parts: { Field, Preview, filled },
  isOpen,
  isWrong,
  error,
  onToggle,
  onChange,
  onRemove,
  onTest,
}: Props) {
  const { t } = useTranslation('line-campaigns');
  const body = useId();
  const { content, taps } = step;
  const says = filled(content);
  const isBlank = says.some(isUnfinished);
  return (
    <li className={classes['node']} data-open={isOpen || undefined} data-wrong={isWrong || undefined}>
      <div className={classes['stepHead']}>
        <h3>
          <button type="button" aria-expanded={isOpen} aria-controls={body} onClick={onToggle}>
            {whenOf(step.time, t)}
          </button>
        </h3>
        <p className={classes['says']}>
          {says[0] ? <span>{wordsOf(says[0], t)}</span> : <span data-none>{t('scenario.nothing')}</span>}
          {says.length > 1 && <small>{t('scenario.more', { count: says.length - 1 })}</small>}
          {isBlank && <small data-blank>{t('scenario.blank')}</small>}
        </p>
        {figures && (
          <dl className={classes['stepFigures']}>
            {(['sent', 'waiting', 'stopped', 'tapped'] as const).map((name) => (
              <div key={name}>
                <dt>{t(`scenario.${name}`)}</dt>
                <dd>{name === 'tapped' && !figures.taps ? '–' : formatNumber(figures[name])}</dd>
              </div>
            ))}
          </dl>
        )}
        <IconChevronDown size={16} aria-hidden className={classes['chevron']} />
      </div>
      {/* A picture on its way into a step is not lost when another one is looked at. */}
      <div id={body} className={classes['stepBody']} hidden={!isOpen}>
        <div>
          <TimeFields number={number} value={step.time} error={error('time')} onChange={(time) => onChange({ time })} />
          <Field
            label={t('scenario.message', { number })}
            value={content}
            onChange={(next) => onChange({ content: next })}
            error={(path) => error(`content.${path}`)}
          />
          {error('content') && (
            <p className={classes['fault']} role="alert">
              {error('content')}
            </p>
          )}
          <div className={classes['after']}>
            <Switch
              label={t('scenario.taps')}
              checked={taps}
              onChange={(event) =>
                onChange({
                  taps: event.currentTarget.checked,
                  ...(!event.currentTarget.checked && { tapTag: null }),
                })
              }
            />
            {taps && (
              <TextInput
                label={t('scenario.tapTag')}
                description={t('links.tagHint')}
                value={step.tapTag ?? ''}
                maxLength={40}
                error={error('tapTag')}
                onChange={(event) => onChange({ tapTag: event.currentTarget.value || null })}
              />
            )}
          </div>
          <div className={classes['stepActs']}>
            {onTest && (
              <Button size="xs" variant="default" leftSection={<IconSend size={14} />} onClick={onTest}>
                {t('trial.one')}
              </Button>
            )}
            <Button size="xs" variant="subtle" color="gray" leftSection={<IconTrash size={14} />} onClick={onRemove}>
              {t('scenario.remove', { number })}
            </Button>
          </div>
        </div>
        {isOpen && (
          <aside aria-label={t('scenario.looks', { number })}>
            <Preview name={channel.name} value={content} empty={t('editor.previewEmpty')} />
          </aside>
        )}
      </div>
    </li>
  );
}

const wordsOf = (bubble: LineBubble, t: ReturnType<typeof useTranslation<'line-campaigns'>>['t']): string =>
  bubble.type === 'text' ? readable(bubble.text, t('scenario.someone')) : t(`scenario.bubble.${bubble.type}`);
