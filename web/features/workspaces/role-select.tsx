import '@mantine/core/styles/Radio.css';
import { Radio, Select, Stack, Text } from '@mantine/core';
import { givenRoles, type GivenRole } from '../../../shared/roles.ts';
import { useTranslation } from '../../lib/i18n.ts';

interface Props {
  value: GivenRole;
  label: string;
  disabled?: boolean;
  onChange(role: GivenRole): void;
}

/** A role that somebody has, to be changed where it stands. */
export function RoleSelect({ value, label, disabled = false, onChange }: Props) {
  const { t } = useTranslation('workspaces');
  return (
    <Select
      aria-label={label}
      w={140}
      size="xs"
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
      comboboxProps={{ width: 300, position: 'bottom-start' }}
      allowDeselect={false}
      disabled={disabled}
    />
  );
}

/** The roles one can be given, each with what it is for. */
export function RoleChoice({ value, label, onChange }: Props) {
  const { t } = useTranslation('workspaces');
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(next) => {
        const role = givenRoles.find((each) => each === next);
        if (role) onChange(role);
      }}
    >
      <Stack gap={10} mt={6}>
        {givenRoles.map((role) => (
          <Radio key={role} value={role} label={t(`common:role.${role}`)} description={t(`roles.line.${role}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
