import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './line-menus.module.css';

const complete = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;

/** A color by eye or by its number. */
export function ColorInput({
  label,
  value,
  hint,
  onChange,
}: {
  label: string;
  value: string;
  hint?: string | undefined;
  onChange(color: string): void;
}) {
  const { t } = useTranslation('line-menus');
  // While it is written it need not be one.
  const [written, setWritten] = useState<string>();
  const isWrong = written !== undefined && !complete.test(written.trim());
  const write = (text: string) => {
    setWritten(text);
    const digits = complete.exec(text.trim())?.[1]?.toLowerCase();
    if (digits) onChange(`#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`);
  };
  return (
    <TextInput
      label={label}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={written ?? value.toUpperCase()}
      onChange={(event) => write(event.currentTarget.value)}
      onBlur={() => setWritten(undefined)}
      maxLength={9}
      spellCheck={false}
      error={isWrong && t('picture.colorForm')}
      leftSection={
        <input
          type="color"
          className={classes['pick']}
          aria-label={t('picture.pick', { label })}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
      leftSectionPointerEvents="all"
    />
  );
}
