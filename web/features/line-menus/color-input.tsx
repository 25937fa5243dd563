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

const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = (color: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => channel(parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((first, second) => second - first);
  return (light + 0.05) / (dark + 0.05);
}
