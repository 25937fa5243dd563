import { ActionIcon, Button, Group, Input, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { flushSync } from 'react-dom';
import { useOrder } from './use-order.ts';

interface Props {
  label: string;
  description?: string;
  rows: string[];
  most: number;
  maxLength: number;
  labels: {
    row(number: number): string;
    move(number: number): string;
    remove(number: number): string;
    moved(number: number): string;
    add: string;
  };
  error?(at: number): string | undefined;
  onChange(rows: string[]): void;
}

/** Short texts in an order that a person chooses. */
export function TextRows({ label, description, rows, most, maxLength, labels, error, onChange }: Props) {
  const id = useId();
  const { list, told, handle } = useOrder(rows, { onChange, moved: labels.moved });
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} description={description}>
      <Stack gap={6} mt={6} ref={list} role="group" aria-labelledby={id}>
        {rows.map((row, at) => (
          <Group key={at} gap={4} wrap="nowrap" align="flex-start">
            <ActionIcon variant="subtle" color="gray" size={36} aria-label={labels.move(at + 1)} {...handle(at)}>
              <IconGripVertical size={16} />
            </ActionIcon>
            <TextInput
              style={{ flex: 1 }}
              value={row}
              maxLength={maxLength}
              aria-label={labels.row(at + 1)}
              error={error?.(at)}
              onChange={(event) => onChange(rows.with(at, event.currentTarget.value))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={labels.remove(at + 1)}
              onClick={() => onChange(rows.toSpliced(at, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      <VisuallyHidden aria-live="polite">{told}</VisuallyHidden>
      {rows.length < most && (
        <Button
          variant="subtle"
          size="xs"
          mt={6}
          leftSection={<IconPlus size={14} />}
          onClick={() => {
            flushSync(() => onChange([...rows, '']));
            list.current?.querySelector<HTMLElement>(':scope > :last-child input')?.focus();
          }}
        >
          {labels.add}
        </Button>
      )}
    </Input.Wrapper>
  );
}
