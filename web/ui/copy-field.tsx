import { Group, Input } from '@mantine/core';
import { useId } from 'react';
import { CopyText } from './copy-text.tsx';

interface Props {
  label: string;
  description?: string;
  value: string;
  copyLabel: string;
  copiedLabel: string;
  /** One of many on the screen, or not what the screen is for. */
  quiet?: true;
}

/** Something long to take along: the whole is chosen at once, by hand or by the button. */
export function CopyField({ label, description, value, copyLabel, copiedLabel, quiet }: Props) {
  const id = useId();
  return (
    <Input.Wrapper id={id} label={label} description={description}>
      <Group gap="xs" wrap="nowrap" mt={4}>
        <Input
          id={id}
          value={value}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
          style={{ flex: 1, minWidth: 0, marginTop: 0 }}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', textOverflow: 'ellipsis' } }}
        />
        <CopyText value={value} copyLabel={copyLabel} copiedLabel={copiedLabel} quiet={quiet} />
      </Group>
    </Input.Wrapper>
  );
}
