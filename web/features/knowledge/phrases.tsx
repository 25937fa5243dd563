import { CloseButton, Input } from '@mantine/core';
import { useId, useState } from 'react';
import { isComposing } from '../../ui/keyboard.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './chunks.module.css';

interface Props {
  label: string;
  placeholder: string;
  value: string[];
  most: number;
  maxLength: number;
  onChange(value: string[]): void;
}

/** Short texts, each added with Enter or by leaving the field. */
export function Phrases({ label, placeholder, value, most, maxLength, onChange }: Props) {
  const { t } = useTranslation('knowledge');
  const id = useId();
  const [text, setText] = useState('');
  const add = () => {
    const phrase = text.trim();
    setText('');
    if (phrase && !value.includes(phrase)) onChange([...value, phrase]);
  };
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <div className={classes['phrases']}>
        {value.map((phrase) => (
          <span key={phrase}>
            {phrase}
            <CloseButton
              size="xs"
              aria-label={t('chunks.removePhrase', { phrase })}
              onClick={() => onChange(value.filter((each) => each !== phrase))}
            />
          </span>
        ))}
        {value.length < most && (
          <Input
            id={id}
            size="xs"
            placeholder={placeholder}
            value={text}
            maxLength={maxLength}
            onChange={(event) => setText(event.currentTarget.value)}
            onBlur={add}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || isComposing(event)) return;
              event.preventDefault();
              add();
            }}
          />
        )}
      </div>
    </div>
  );
}
