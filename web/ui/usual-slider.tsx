import '@mantine/core/styles/Slider.css';
import { Box, Group, Input, Slider, Switch, Text } from '@mantine/core';

interface Props {
  label: string;
  description: string;
  /** Null: as the other side usually does it. */
  value: number | null;
  /** Where the slider begins when somebody takes it over. */
  start: number;
  min: number;
  max: number;
  step: number;
  usual: string;
  format(value: number): string;
  error?: string | undefined;
  onChange(value: number | null): void;
}

/** A number that one may leave to whoever knows better. */
export function UsualSlider({
  label,
  description,
  value,
  start,
  min,
  max,
  step,
  usual,
  format,
  error,
  onChange,
}: Props) {
  return (
    <Box>
      <Group justify="space-between" gap="xs">
        <Input.Label labelElement="div">{label}</Input.Label>
        <Switch
          size="sm"
          labelPosition="left"
          label={usual}
          aria-label={`${label}: ${usual}`}
          checked={value === null}
          onChange={(event) => onChange(event.currentTarget.checked ? null : start)}
        />
      </Group>
      <Input.Description>{description}</Input.Description>
      {value !== null && (
        <Group gap="md" mt={6} wrap="nowrap">
          <Slider
            style={{ flex: 1 }}
            min={min}
            max={max}
            step={step}
            value={value}
            onChange={onChange}
            label={null}
            thumbLabel={label}
            thumbProps={{ 'aria-valuetext': format(value) }}
          />
          <Text size="sm" miw={56} ta="end" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {format(value)}
          </Text>
        </Group>
      )}
      {error && <Input.Error mt={4}>{error}</Input.Error>}
    </Box>
  );
}
