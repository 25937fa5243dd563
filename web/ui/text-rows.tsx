import { ActionIcon, Button, Group, Input, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react';
import { useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';

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

/** Short texts in an order that a person chooses: by dragging, or with the arrow keys on the handle. */
export function TextRows({ label, description, rows, most, maxLength, labels, error, onChange }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const dragged = useRef<number>(undefined);
  const [told, setTold] = useState('');

  const move = (from: number, to: number) => {
    if (to < 0 || to >= rows.length || from === to) return;
    const moved = rows[from] ?? '';
    onChange(rows.toSpliced(from, 1).toSpliced(to, 0, moved));
    setTold(labels.moved(to + 1));
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    move(at, at + step);
    list.current?.querySelectorAll<HTMLElement>('[data-handle]')[at + step]?.focus();
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = dragged.current;
    if (from === undefined) return;
    const tops = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const to = tops.findIndex(({ top, bottom }) => event.clientY >= top && event.clientY <= bottom);
    if (to < 0 || to === from) return;
    dragged.current = to;
    move(from, to);
  };

  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} description={description}>
      <Stack gap={6} mt={6} ref={list} role="group" aria-labelledby={id}>
        {rows.map((row, at) => (
          <Group key={at} gap={4} wrap="nowrap" align="flex-start">
            <ActionIcon
              data-handle
              variant="subtle"
              color="gray"
              size={36}
              aria-label={labels.move(at + 1)}
              style={{ cursor: 'grab', touchAction: 'none' }}
              onKeyDown={(event) => onKeyDown(event, at)}
              onPointerDown={(event) => {
                dragged.current = at;
                event.currentTarget.setPointerCapture(event.pointerId);
              }}
              onPointerMove={onPointerMove}
              onPointerUp={() => (dragged.current = undefined)}
              onPointerCancel={() => (dragged.current = undefined)}
            >
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
          onClick={() => onChange([...rows, ''])}
        >
          {labels.add}
        </Button>
      )}
    </Input.Wrapper>
  );
}
