import { ActionIcon, Group, Menu, Switch, Text } from '@mantine/core';
import { IconDots, IconEdit, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import type { Tool } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './bots.module.css';

interface Props {
  tools: Tool[];
  fieldError(path: string): string | undefined;
  onEdit(at: number, tool: Tool): void;
  onTry(tool: Tool): void;
  onRemove(at: number, tool: Tool): void;
  onApprove(at: number, tool: Tool, approved: boolean): void;
}

export function ToolList({ tools, fieldError, onEdit, onTry, onRemove, onApprove }: Props) {
  const { t } = useTranslation('bots-editor');
  return (
    <ul className={classes['rows']}>
      {tools.map((tool, at) => (
        <li key={tool.name}>
          <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {tool.name}
              </Text>
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {tool.method} {tool.url}
              </Text>
              {tool.description && (
                <Text size="sm" lineClamp={2}>
                  {tool.description}
                </Text>
              )}
              {fieldError(`tools.${at}.name`) && (
                <Text size="xs" c="red">
                  {fieldError(`tools.${at}.name`)}
                </Text>
              )}
            </div>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" aria-label={t('tools.menu', { name: tool.name })}>
                  <IconDots size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => onEdit(at, tool)}>
                  {t('common:edit')}
                </Menu.Item>
                <Menu.Item leftSection={<IconPlayerPlay size={15} />} onClick={() => onTry(tool)}>
                  {t('tools.try')}
                </Menu.Item>
                <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={() => onRemove(at, tool)}>
                  {t('common:remove')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
          <Switch
            mt="xs"
            size="sm"
            label={tool.approved ? t('tools.approved') : t('tools.notApproved')}
            aria-label={t('tools.approve', { name: tool.name })}
            checked={tool.approved}
            onChange={(event) => onApprove(at, tool, event.currentTarget.checked)}
          />
        </li>
      ))}
    </ul>
  );
}
