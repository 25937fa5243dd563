import { ActionIcon, Group, Menu, Text, UnstyledButton } from '@mantine/core';
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
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconDots,
  IconEdit,
  IconGripVertical,
  IconTrash,
} from '@tabler/icons-react';
import { useState, type CSSProperties, type ReactNode } from 'react';
import type { BotGroup, ListedBot } from '../../../shared/contracts/bots.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useFolded } from '../../lib/preferences.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { BotCard } from './bot-card.tsx';
import { useRemoveGroup, useSaveGroup } from './bots.queries.ts';
import { GroupDialog } from './group-dialog.tsx';
import classes from './bot-list.module.css';

interface Props {
  bots: ListedBot[];
  groups: BotGroup[];
  onMove(bot: string, botgroup: string | null): void;
}

/** Where bots without a group are dropped. */
const noGroup = 'none';

export function BotGrid({ bots, groups, onMove }: Props) {
  return (
    <div className={classes['cards']}>
      {bots.map((bot) => (
        <BotCard key={bot.uuid} bot={bot} groups={groups} onMove={(botgroup) => onMove(bot.uuid, botgroup)} />
      ))}
    </div>
  );
}

/** The bots in their groups. A bot is dragged into a group, and a group to the place of another; the menus do the same. */
export function BotBoard({ bots, groups, isSearching, onMove }: Props & { isSearching: boolean }) {
  const { t } = useTranslation('bots-list');
  const canEdit = useMay('edit');
  const save = useSaveGroup();
  const [dragged, setDragged] = useState<UniqueIdentifier>();
  const [folded, fold] = useFolded();
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 150, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: toNextGroup }),
  );
  const nameOf = (id: UniqueIdentifier | undefined) =>
    bots.find(({ uuid }) => uuid === id)?.name ?? groups.find(({ uuid }) => uuid === id)?.name ?? t('groups.none');
  const placeGroup = (uuid: string, position: number) =>
    save.mutate({ uuid, position }, { onError: (error) => toast.error(errorText(error)) });
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
      <div className={classes['groups']}>
        {shown.map((group) => (
          <GroupSection
            key={group.uuid}
            id={group.uuid}
            name={group.name}
            color={group.color}
            count={isSearching ? bots.filter(({ botgroup }) => botgroup === group.uuid).length : group.bots}
            // What is looked for is in sight.
            isOpen={isSearching || !folded.includes(group.uuid)}
            onFold={() => fold(group.uuid)}
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
          <GroupSection
            id={noGroup}
            name={t('groups.none')}
            color="gray"
            count={loose.length}
            isOpen={isSearching || !folded.includes(noGroup)}
            onFold={() => fold(noGroup)}
          >
            <Cards bots={loose} groups={groups} onMove={onMove} />
          </GroupSection>
        )}
      </div>
      <DragOverlay dropAnimation={null}>
        {(draggedBot ?? draggedGroup) && (
          <div className={classes['lifted']}>
            {draggedBot && (
              <Avatar mark={draggedBot.mark} name={draggedBot.name} url={draggedBot.avatar?.url} size={28} />
            )}
            <Text fw={600} size="sm" truncate>
              {nameOf(dragged)}
            </Text>
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}

function Cards({ bots, groups, onMove }: Props) {
  const { t } = useTranslation('bots-list');
  const canEdit = useMay('edit');
  if (bots.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('groups.emptyHere')}
      </Text>
    );
  }
  return (
    <div className={classes['cards']}>
      {bots.map((bot) => (
        <BotCard
          key={bot.uuid}
          bot={bot}
          groups={groups}
          handle={canEdit && <Handle id={bot.uuid} label={t('drag.bot', { name: bot.name })} />}
          onMove={(botgroup) => onMove(bot.uuid, botgroup)}
        />
      ))}
    </div>
  );
}

interface SectionProps {
  id: string;
  name: string;
  color: BotGroup['color'];
  /** Of the bots in it that are in sight. */
  count: number;
  isOpen: boolean;
  onFold(): void;
  isDragged?: boolean;
  head?: ReactNode;
  children: ReactNode;
}

function GroupSection({ id, name, color, count, isOpen, onFold, isDragged = false, head, children }: SectionProps) {
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
      <header className={classes['groupHead']}>
        <h2>
          <UnstyledButton className={classes['fold'] ?? ''} aria-expanded={isOpen} onClick={onFold}>
            <IconChevronDown size={14} aria-hidden />
            <span className={classes['swatchDot']} aria-hidden />
            <span>{name}</span>
            <span className={classes['count']}>{formatNumber(count)}</span>
          </UnstyledButton>
        </h2>
        {head}
      </header>
      {isOpen && children}
    </section>
  );
}

function GroupMenu({ group, last, onPlace }: { group: BotGroup; last: number; onPlace(position: number): void }) {
  const { t } = useTranslation('bots-list');
  const [isEditing, setIsEditing] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const remove = useRemoveGroup();
  return (
    <Group gap={2} wrap="nowrap">
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
            onError: (error) => toast.error(errorText(error)),
            onSettled: () => setIsRemoving(false),
          })
        }
        onClose={() => setIsRemoving(false)}
      />
    </Group>
  );
}

function Handle({ id, label }: { id: string; label: string }) {
  const { t } = useTranslation('bots-list');
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
