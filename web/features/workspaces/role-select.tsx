import { Select, Stack, Text } from '@mantine/core';
import { givenRoles, type GivenRole } from '../../../shared/roles.ts';
import { useTranslation } from '../../lib/i18n.ts';

interface Props {
  value: GivenRole;
  label: string;
  hideLabel?: true;
  disabled?: boolean;
  onChange(role: GivenRole): void;
}

/** The roles one can be given, each with what it is for. */
export function RoleSelect({ value, label, hideLabel, disabled = false, onChange }: Props) {
  const { t } = useTranslation('workspaces');
  return (
    <Select
      {...(hideLabel
        ? { 'aria-label': label, w: 140, size: 'xs' }
        : { label, description: t(`roles.line.${value}`), inputWrapperOrder: ['label', 'input', 'description'] })}
      value={value}
      onChange={(next) => {
        const role = givenRoles.find((each) => each === next);
        if (role && role !== value) onChange(role);
      }}
      data={givenRoles.map((role) => ({ value: role, label: t(`common:role.${role}`) }))}
      renderOption={({ option }) => (
        <Stack gap={0}>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {t(`roles.line.${option.value}`)}
          </Text>
        </Stack>
      )}
      comboboxProps={{ width: hideLabel ? 300 : 'target', position: 'bottom-start' }}
      allowDeselect={false}
      disabled={disabled}
    />
  );
}
