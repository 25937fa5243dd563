import { ActionIcon, Badge, Card, Group, Menu, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import {
  DndContext,
  DragOverlay,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  pointerWithin,
  rectIntersection,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
  type CollisionDetection,
  type DragEndEvent,
  type KeyboardCoordinateGetter,
  type UniqueIdentifier,
} from '@dnd-kit/core';
import { IconDots, IconEdit, IconGripVertical, IconTrash, IconArrowUp, IconArrowDown } from '@tabler/icons-react';
import { useState, type CSSProperties, type ReactNode } from 'react';
import type { Bot, BotGroup } from '../../../shared/contracts/bots.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { BotCard } from './bot-card.tsx';
import { useRemoveGroup, useSaveGroup } from './bots.queries.ts';
import { GroupDialog } from './group-dialog.tsx';
import classes from './bots.module.css';

interface Props {
  bots: Bot[];
  groups: BotGroup[];
  onMove(bot: string, botgroup: string | null): void;
}

/** Where bots without a group are dropped. */
const noGroup = 'none';

export function BotGrid({ bots, groups, onMove }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {bots.map((bot) => (
        <BotCard key={bot.uuid} bot={bot} groups={groups} onMove={(botgroup) => onMove(bot.uuid, botgroup)} />
      ))}
    </SimpleGrid>
  );
}

/** The bots in their groups. A bot is dragged into a group, and a group to the place of another; the menus do the same. */
export function BotBoard({ bots, groups, isSearching, onMove }: Props & { isSearching: boolean }) {
  const { t } = useTranslation('bots');
  const canEdit = useMay('edit');
  const save = useSaveGroup();
  const [dragged, setDragged] = useState<UniqueIdentifier>();
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 150, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: toNextGroup }),
  );
  const nameOf = (id: UniqueIdentifier | undefined) =>
    bots.find(({ uuid }) => uuid === id)?.name ?? groups.find(({ uuid }) => uuid === id)?.name ?? t('groups.none');
  const placeGroup = (uuid: string, position: number) =>
    save.mutate({ uuid, position }, { onError: (error) => toast.error(error.message) });
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    setDragged(undefined);
    if (!over) return;
    const onto = groups.find(({ uuid }) => uuid === over.id);
    if (bots.some(({ uuid }) => uuid === active.id)) onMove(String(active.id), onto?.uuid ?? null);
    else if (onto && onto.uuid !== active.id) placeGroup(String(active.id), onto.position);
  };
  const shown = isSearching ? groups.filter(({ uuid }) => bots.some(({ botgroup }) => botgroup === uuid)) : groups;
  const loose = bots.filter(({ botgroup }) => botgroup === null || !groups.some(({ uuid }) => uuid === botgroup));
  const draggedBot = bots.find(({ uuid }) => uuid === dragged);
  const draggedGroup = groups.find(({ uuid }) => uuid === dragged);

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={collide}
      onDragStart={({ active }) => setDragged(active.id)}
      onDragEnd={onDragEnd}
      onDragCancel={() => setDragged(undefined)}
      accessibility={{
        screenReaderInstructions: { draggable: t('drag.how') },
        announcements: {
          onDragStart: ({ active }) => t('drag.start', { name: nameOf(active.id) }),
          onDragOver: ({ active, over }) =>
            over
              ? t('drag.over', { name: nameOf(active.id), group: nameOf(over.id) })
              : t('drag.nowhere', { name: nameOf(active.id) }),
          onDragEnd: ({ active, over }) =>
            over
              ? t('drag.end', { name: nameOf(active.id), group: nameOf(over.id) })
              : t('drag.cancel', { name: nameOf(active.id) }),
          onDragCancel: ({ active }) => t('drag.cancel', { name: nameOf(active.id) }),
        },
      }}
    >
      <Stack>
        {shown.map((group) => (
          <GroupSection
            key={group.uuid}
            id={group.uuid}
            name={group.name}
            color={group.color}
            isDragged={dragged === group.uuid}
            head={
              canEdit && (
                <GroupMenu
                  group={group}
                  last={groups.length - 1}
                  onPlace={(position) => placeGroup(group.uuid, position)}
                />
              )
            }
          >
            <Cards bots={bots.filter(({ botgroup }) => botgroup === group.uuid)} groups={groups} onMove={onMove} />
          </GroupSection>
        ))}
        {(loose.length > 0 || draggedBot) && (
          <GroupSection id={noGroup} name={t('groups.none')} color="gray">
            <Cards bots={loose} groups={groups} onMove={onMove} />
          </GroupSection>
        )}
      </Stack>
      <DragOverlay dropAnimation={null}>
        {(draggedBot ?? draggedGroup) && (
          <Card withBorder shadow="lg" padding="sm">
            <Group gap="sm" wrap="nowrap">
              {draggedBot && (
                <Avatar mark={draggedBot.mark} name={draggedBot.name} url={draggedBot.avatar?.url} size={32} />
              )}
              <Text fw={600} truncate>
                {nameOf(dragged)}
              </Text>
            </Group>
          </Card>
        )}
      </DragOverlay>
    </DndContext>
  );
}

function Cards({ bots, groups, onMove }: Props) {
  const { t } = useTranslation('bots');
  const canEdit = useMay('edit');
  if (bots.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('groups.emptyHere')}
      </Text>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {bots.map((bot) => (
        <BotCard
          key={bot.uuid}
          bot={bot}
          groups={groups}
          handle={canEdit && <Handle id={bot.uuid} label={t('drag.bot', { name: bot.name })} />}
          onMove={(botgroup) => onMove(bot.uuid, botgroup)}
        />
      ))}
    </SimpleGrid>
  );
}

interface SectionProps {
  id: string;
  name: string;
  color: BotGroup['color'];
  isDragged?: boolean;
  head?: ReactNode;
  children: ReactNode;
}

function GroupSection({ id, name, color, isDragged = false, head, children }: SectionProps) {
  const { setNodeRef, isOver } = useDroppable({ id });
  const style: CSSProperties & { '--group-color': string } = { '--group-color': `var(--mantine-color-${color}-6)` };
  return (
    <section
      ref={setNodeRef}
      className={classes['group']}
      style={style}
      data-over={isOver || undefined}
      data-dragged={isDragged || undefined}
      aria-label={name}
    >
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Title order={2} size="h5" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {name}
        </Title>
        {head}
      </Group>
      {children}
    </section>
  );
}

function GroupMenu({ group, last, onPlace }: { group: BotGroup; last: number; onPlace(position: number): void }) {
  const { t } = useTranslation('bots');
  const [isEditing, setIsEditing] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const remove = useRemoveGroup();
  return (
    <Group gap={2} wrap="nowrap">
      <Badge variant="light" color="gray">
        {t('groups.count', { count: group.bots })}
      </Badge>
      {last > 0 && <Handle id={group.uuid} label={t('drag.group', { name: group.name })} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('groups.menu', { name: group.name })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => setIsEditing(true)}>
            {t('groups.edit')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowUp size={15} />}
            disabled={group.position === 0}
            onClick={() => onPlace(group.position - 1)}
          >
            {t('groups.up')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown size={15} />}
            disabled={group.position >= last}
            onClick={() => onPlace(group.position + 1)}
          >
            {t('groups.down')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={() => setIsRemoving(true)}>
            {t('common:delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isEditing && <GroupDialog group={group} onClose={() => setIsEditing(false)} />}
      <ConfirmDialog
        opened={isRemoving}
        title={t('groups.removeTitle', { name: group.name })}
        text={t('groups.removeText')}
        confirm={t('common:delete')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onConfirm={() =>
          remove.mutate(group.uuid, {
            onError: (error) => toast.error(error.message),
            onSettled: () => setIsRemoving(false),
          })
        }
        onClose={() => setIsRemoving(false)}
      />
    </Group>
  );
}

function Handle({ id, label }: { id: string; label: string }) {
  const { t } = useTranslation('bots');
  const { setNodeRef, attributes, listeners } = useDraggable({ id, attributes: { roleDescription: t('drag.role') } });
  return (
    <ActionIcon
      ref={setNodeRef}
      variant="subtle"
      color="gray"
      className={classes['above']}
      style={{ cursor: 'grab', touchAction: 'none' }}
      {...attributes}
      {...listeners}
      aria-label={label}
    >
      <IconGripVertical size={18} />
    </ActionIcon>
  );
}

/** What the pointer is in; a keyboard has none, and goes by what the dragged thing covers. */
const collide: CollisionDetection = (given) =>
  given.pointerCoordinates ? pointerWithin(given) : rectIntersection(given);

/** An arrow key goes to the next group, up or down. */
const toNextGroup: KeyboardCoordinateGetter = (event, { currentCoordinates, context: { droppableRects, over } }) => {
  const step = event.code === 'ArrowDown' ? 1 : event.code === 'ArrowUp' ? -1 : 0;
  if (step === 0) return undefined;
  event.preventDefault();
  const places = [...droppableRects].toSorted(([, one], [, other]) => one.top - other.top);
  const at = places.findIndex(([id]) => id === over?.id);
  const next = places[at < 0 ? 0 : Math.min(places.length - 1, Math.max(0, at + step))];
  return next ? { x: next[1].left + 8, y: next[1].top + 8 } : currentCoordinates;
};
