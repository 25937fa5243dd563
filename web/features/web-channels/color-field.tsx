import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { contrastOf, enough, inkOn } from './contrast.ts';
import classes from './web-channels.module.css';

interface Props {
  label: string;
  value: string;
  /** What it stands on in the widget. */
  ground: string;
  error?: string | undefined;
  onChange(color: string): void;
}

const complete = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;

/** A color by eye or by its number, and how it is read. */
export function ColorField({ label, value, ground, error, onChange }: Props) {
  const { t } = useTranslation('web-channels');
  // While it is written it need not be one.
  const [written, setWritten] = useState<string>();
  const isWrong = written !== undefined && !complete.test(written.trim());
  const write = (text: string) => {
    setWritten(text);
    const digits = complete.exec(text.trim())?.[1]?.toLowerCase();
    if (digits) onChange(`#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`);
  };
  const { ink, contrast } = inkOn(value);
  const onGround = contrastOf(value, ground);
  return (
    <div>
      <TextInput
        label={label}
        value={written ?? value.toUpperCase()}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={() => setWritten(undefined)}
        maxLength={9}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        leftSection={
          <input
            type="color"
            className={classes['pick']}
            aria-label={t('look.pick', { label })}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        }
        leftSectionPointerEvents="all"
        error={isWrong ? t('look.colorForm') : error}
      />
      <p className={classes['hint']} role="status">
        {t(`look.ink.${ink}`, { contrast: contrast.toFixed(1) })}
        {onGround < enough.shape ? (
          <span className={classes['warning']}>
            <State kind="warning">{t('look.hardToSee', { contrast: onGround.toFixed(1) })}</State>
          </span>
        ) : (
          onGround < enough.text && ` ${t('look.notAsText', { contrast: onGround.toFixed(1) })}`
        )}
      </p>
    </div>
  );
}
