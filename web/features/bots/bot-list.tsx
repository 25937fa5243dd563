import { ActionIcon, Badge, Button, Card, Group, Menu, Modal, Select, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconCopy, IconDots, IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bot } from '../../../shared/contracts/bots.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useBots, useCreateBot, useDuplicateBot, useRemoveBot, useRestoreBot } from './bots.queries.ts';

export function BotList() {
  const { t } = useTranslation('bots');
  const [q, setQ] = useState('');
  const [sort, setSort] = useState<'updated' | 'name'>('updated');
  const [isCreating, setIsCreating] = useState(false);
  const bots = useBots(q, sort);
  const create = useMay('edit') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
      {t('list.create')}
    </Button>
  );

  return (
    <>
      <PageHeader title={t('list.title')} description={t('list.description')} actions={create} />
      <Group mb="md" gap="sm">
        <div style={{ flex: '1 1 200px', maxWidth: 360 }}>
          <SearchInput value={q} onChange={setQ} label={t('list.search')} clearLabel={t('common:clear')} />
        </div>
        <Select w={170} aria-label={t('list.sort')} value={sort} onChange={(value) => setSort(value === 'name' ? 'name' : 'updated')} allowDeselect={false} data={[{ value: 'updated', label: t('list.byUpdated') }, { value: 'name', label: t('list.byName') }]} />
      </Group>
      {bots.isPending ? (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>{Array.from({ length: 3 }, (_, at) => <Skeleton key={at} height={152} />)}</SimpleGrid>
      ) : bots.isError ? (
        <ErrorState title={t('common:failed.title')} text={bots.error.message} retry={t('common:retry')} onRetry={() => void bots.refetch()} />
      ) : bots.data.data.length === 0 ? (
        q ? (
          <EmptyState drawing="search" title={t('list.noMatch')} text={t('list.noMatchText', { q })} />
        ) : (
          <EmptyState drawing="bots" title={t('list.empty')} text={create ? t('list.emptyText') : t('list.emptyForReaders')} action={create} />
        )
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {bots.data.data.map((bot) => (
            <BotCard key={bot.uuid} bot={bot} />
          ))}
        </SimpleGrid>
      )}
      <CreateDialog opened={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}

function BotCard({ bot }: { bot: Bot }) {
  const { t } = useTranslation('bots');
  const duplicate = useDuplicateBot();
  const remove = useRemoveBot();
  const restore = useRestoreBot();
  const canEdit = useMay('edit');
  const fail = (error: Error) => toast.error(error.message);
  const onRemove = () =>
    remove.mutate(bot.uuid, {
      onError: fail,
      onSuccess: () => toast.undo(t('list.removed', { name: bot.name }), t('common:undo'), () => restore.mutate(bot.uuid, { onError: fail })),
    });
  return (
    <Card withBorder padding="md" component="article" aria-label={bot.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group wrap="nowrap" gap="sm" miw={0}>
          <Avatar id={bot.uuid} name={bot.name} url={bot.avatar?.url} size={44} />
          <div style={{ minWidth: 0 }}>
            <Text fw={600} truncate title={bot.name}>
              {bot.name}
            </Text>
            <Text size="xs" c="dimmed" title={formatMoment(bot.updatedAt)}>
              {formatAgo(bot.updatedAt)}
            </Text>
          </div>
        </Group>
        {canEdit && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t('list.menu', { name: bot.name })}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconEdit size={15} />} component={Link} to={`/Bot/${bot.uuid}`}>
                {t('list.edit')}
              </Menu.Item>
              <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => duplicate.mutate(bot.uuid, { onError: fail, onSuccess: (copy) => toast.success(t('list.duplicated', { name: copy.name })) })}>
                {t('list.duplicate')}
              </Menu.Item>
              <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={onRemove}>
                {t('list.delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt="sm" lineClamp={2} mih={44}>
        {bot.description || t('list.noDescription')}
      </Text>
      <Group mt="sm" justify="space-between" gap="xs">
        <Badge variant="light" color={bot.published ? (bot.changed ? 'yellow.9' : 'green') : 'gray'}>
          {bot.published ? (bot.changed ? t('state.changed') : t('state.published')) : t('state.draft')}
        </Badge>
        <Group gap={6}>
          {canEdit && (
            <Button size="compact-sm" variant="default" component={Link} to={`/Bot/${bot.uuid}`}>
              {t('list.edit')}
            </Button>
          )}
          <Button size="compact-sm" variant="light" component={Link} to={`/Bot/${bot.uuid}/Chat`}>
            {t('list.chat')}
          </Button>
        </Group>
      </Group>
    </Card>
  );
}

function CreateDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { t } = useTranslation('bots');
  const navigate = useNavigate();
  const create = useCreateBot();
  const [name, setName] = useState('');
  return (
    <Modal opened={opened} onClose={onClose} title={t('create.title')} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ name }, { onSuccess: (bot) => void navigate({ to: `/Bot/${bot.uuid}` }) });
        }}
      >
        <Stack>
          <TextInput label={t('create.name')} placeholder={t('create.placeholder')} value={name} onChange={(event) => setName(event.currentTarget.value)} maxLength={80} data-autofocus error={create.error?.message} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!name.trim()}>
              {t('create.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
