import { ActionIcon, Group, Popover, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCheck, IconHelpCircle } from '@tabler/icons-react';
import { may, permissions, roles } from '../../../shared/roles.ts';
import { useTranslation } from '../../lib/i18n.ts';

export function RoleHelp() {
  const { t } = useTranslation('workspaces');
  const isWide = useMediaQuery('(min-width: 36em)', undefined, { getInitialValueInEffect: false });
  return (
    <Popover width={isWide ? 540 : 'calc(100vw - 32px)'} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon size={28} variant="subtle" color="gray" aria-label={t('roles.help')}>
          <IconHelpCircle size={18} />
        </ActionIcon>
      </Popover.Target>
      {/* Nothing in it can be focused, so it is: Escape closes it. */}
      <Popover.Dropdown aria-label={t('roles.help')} tabIndex={-1} data-autofocus>
        <Text fw={600} size="sm" mb="xs">
          {t('roles.help')}
        </Text>
        {isWide ? <RoleTable /> : <RoleLists />}
      </Popover.Dropdown>
    </Popover>
  );
}

function RoleTable() {
  const { t } = useTranslation('workspaces');
  return (
    <Table fz="xs" verticalSpacing={6} horizontalSpacing={6} pos="relative">
      <Table.Thead>
        <Table.Tr>
          <Table.Td />
          {roles.map((role) => (
            <Table.Th key={role} ta="center" scope="col">
              {t(`common:role.${role}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {permissions.map((permission) => (
          <Table.Tr key={permission}>
            <Table.Th scope="row" fw={400}>
              {t(`roles.may.${permission}`)}
            </Table.Th>
            {roles.map((role) => (
              <Table.Td key={role} ta="center">
                {may(role, permission) && <Tick />}
                <VisuallyHidden>{t(may(role, permission) ? 'roles.yes' : 'roles.no')}</VisuallyHidden>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** The same where five columns do not fit. */
function RoleLists() {
  const { t } = useTranslation('workspaces');
  return (
    <Stack gap="sm">
      {permissions.map((permission) => (
        <div key={permission}>
          <Text size="sm">{t(`roles.may.${permission}`)}</Text>
          <Group gap="4px 12px">
            {roles
              .filter((role) => may(role, permission))
              .map((role) => (
                <Group key={role} gap={2} wrap="nowrap">
                  <Tick />
                  <Text size="xs" c="dimmed">
                    {t(`common:role.${role}`)}
                  </Text>
                </Group>
              ))}
          </Group>
        </div>
      ))}
    </Stack>
  );
}

const Tick = () => <IconCheck size={16} color="var(--green)" aria-hidden />;
