import '@mantine/core/styles/Slider.css';
import { Box, Group, Input, Slider, Text } from '@mantine/core';

interface Props {
  label: string;
  description: string;
  value: number;
  min: number;
  max: number;
  step: number;
  format(value: number): string;
  /** What the value means, where the number alone does not say it. */
  meaning?: string;
  onChange(value: number): void;
}

/** A number that is easier to drag than to write, with what it is now at the end of its label. */
export const SliderField = ({ label, description, value, min, max, step, format, meaning, onChange }: Props) => (
  <Box>
    <Group justify="space-between" gap="xs">
      <Input.Label labelElement="div">{label}</Input.Label>
      <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {format(value)}
      </Text>
    </Group>
    <Slider
      my={6}
      min={min}
      max={max}
      step={step}
      value={value}
      onChange={onChange}
      label={null}
      thumbLabel={label}
      thumbProps={{ 'aria-valuetext': meaning ?? format(value) }}
    />
    <Input.Description>{description}</Input.Description>
  </Box>
);
