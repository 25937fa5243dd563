import { TextInput, type TextInputProps } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { domainIn } from './domains.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onChange(value: string): void;
}

/** A domain as it is typed; a whole address that is pasted becomes its domain. */
export function DomainField({ value, onChange, ...rest }: Props) {
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const domain = domainIn(event.clipboardData.getData('text'));
    const { selectionStart, selectionEnd } = event.currentTarget;
    const isWhole = selectionStart === 0 && selectionEnd === value.length;
    if (!domain || !isWhole) return;
    event.preventDefault();
    onChange(domain);
  };
  return (
    <TextInput
      inputMode="url"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={2000}
      {...rest}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onPaste={paste}
      // Whoever types it whole finds it shortened when the field is left.
      onBlur={() => onChange(domainIn(value) ?? value)}
    />
  );
}
