import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

interface Props {
  value: string;
  label: string;
  clearLabel?: string;
  onChange(value: string): void;
}

/** Searches as one types, a moment after the last key. */
export function SearchInput({ value, label, clearLabel = '×', onChange }: Props) {
  const [text, setText] = useState(value);
  const tell = useDebouncedCallback(onChange, 200);
  const change = (next: string) => {
    setText(next);
    tell(next.trim());
  };
  return (
    <TextInput
      type="search"
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text ? <CloseButton size="sm" aria-label={clearLabel} onClick={() => change('')} /> : undefined}
      placeholder={label}
      aria-label={label}
      maxLength={200}
    />
  );
}
