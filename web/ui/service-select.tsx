import { Group, Select, Stack, Text } from '@mantine/core';

interface Option {
  imageSrc?: string;
  name: string;
  tag: string;
  value: string;
  tooltip: string[];
}

interface Props {
  label: string;
  description?: string | undefined;
  options: Option[];
  value: string;
  error?: string | undefined;
  onChange(value: string): void;
}

export function ServiceSelect({ label, description, options, value, error, onChange }: Props) {
  const chosen = options.find((option) => option.value === value);
  return (
    <Select
      label={label}
      description={description}
      data={options.map((option) => ({
        value: option.value,
        label: option.tag ? `${option.name} (${option.tag})` : option.name,
      }))}
      value={value}
      onChange={(next) => next && onChange(next)}
      allowDeselect={false}
      searchable={options.length > 12}
      error={error}
      leftSection={chosen?.imageSrc && <img src={chosen.imageSrc} alt="" width={20} height={20} />}
      renderOption={({ option }) => {
        const shown = options.find((each) => each.value === option.value);
        return (
          <Group gap="sm" wrap="nowrap">
            {shown?.imageSrc && <img src={shown.imageSrc} alt="" width={24} height={24} />}
            <Stack gap={0}>
              <Text size="sm">{option.label}</Text>
              <Text size="xs" c="dimmed">
                {shown?.tooltip.join(' · ')}
              </Text>
            </Stack>
          </Group>
        );
      }}
    />
  );
}
