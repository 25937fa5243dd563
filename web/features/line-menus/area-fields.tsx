import { ActionIcon, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import type { MenuAction } from '../../../shared/line-menu.ts';
import { callScheme, shownType } from '../../../shared/line-uri.ts';
import type { Bounds, MenuSize } from '../../../shared/menu-layout.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Segments } from '../../ui/segments.tsx';
import { actionOf, type DraftArea } from './draft.ts';
import { useFaultText } from './fault-text.ts';
import { fitArea } from './geometry.ts';
import classes from './line-menus.module.css';
import { faultsOf } from './rules.ts';
import { actionTypes, type ActionType } from './state.ts';

const sides = ['x', 'y', 'width', 'height'] as const;
const inputOptions = ['none', 'closeRichMenu', 'openRichMenu', 'openKeyboard', 'openVoice'] as const;
const modes = ['date', 'time', 'datetime'] as const;
const pickerInputs = { date: 'date', time: 'time', datetime: 'datetime-local' } as const;
const most = { label: 20, text: 300, data: 300, uri: 1000, clipboardText: 1000 };

interface Props {
  letter: string;
  /** What it is called, if anything. */
  name: string | undefined;
  area: DraftArea;
  size: MenuSize;
  /** Menus that a tab may lead to, and this one: the tab that is open. */
  others: { uuid: string; name: string; isThis: boolean }[];
  /** What is missing is said once somebody wants to save. */
  isTold: boolean;
  /** Its label on the picture is one that nobody has written. */
  isExample: boolean;
  /** Most people draw it, and few measure it: what they chose holds for the next area, too. */
  isPlaceOpen: boolean;
  onPlaceOpen(isOpen: boolean): void;
  onChange(changes: Partial<DraftArea>, step: string): void;
  onCopy: (() => void) | undefined;
  onRemove(): void;
}

/** What a tap on an area does, and where it is. */
export function AreaFields(props: Props) {
  const { letter, name, area, size, others, isTold, isExample, isPlaceOpen } = props;
  const { onPlaceOpen, onChange, onCopy, onRemove } = props;
  const { t } = useTranslation('line-menus');
  const say = useFaultText();
  const { action, bounds } = area;
  const faults = faultsOf(action);
  const set = (next: MenuAction | null, field: string) => onChange({ action: next }, field);
  /** What is still empty is no mistake while it is being written. */
  const faultOf = (name: string, value: string | undefined) => {
    const code = faults.get(name);
    return code && (value || isTold) ? say(code) : undefined;
  };
  return (
    <Stack gap="md">
      <div className={classes['panelHead']}>
        <span className={classes['letter']}>{letter}</span>
        <h2>{name || t('area.title', { letter })}</h2>
        {onCopy && (
          <ActionIcon variant="subtle" color="gray" aria-label={t('area.copy')} title={t('area.copy')} onClick={onCopy}>
            <IconCopy size={16} />
          </ActionIcon>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('area.remove')}
          title={t('area.remove')}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      <Select
        label={t('area.when')}
        placeholder={t('area.nothing')}
        value={action && shownType(action)}
        data={actionTypes.map((value) => ({ value, label: t(`area.types.${value}`) }))}
        allowDeselect={false}
        error={isTold && action === null ? say('line-menu-action') : undefined}
        onChange={(next) => {
          const type: ActionType | undefined = actionTypes.find((each) => each === next);
          if (type && type !== (action && shownType(action))) set(actionOf(type, action), 'type');
        }}
      />
      {action && <ActionFields action={action} others={others} faultOf={faultOf} set={set} />}
      {action && <p className={classes['does']}>{t(`area.hints.${shownType(action)}`)}</p>}
      {action && (
        <TextInput
          label={t('area.label')}
          description={t(isExample ? 'picture.labelFrom.sample' : 'area.labelHint')}
          data-example={isExample || undefined}
          value={action.label ?? ''}
          maxLength={most.label}
          error={faultOf('label', action.label)}
          rightSectionWidth={56}
          rightSection={<Counter count={(action.label ?? '').length} max={most.label} />}
          onChange={(event) => set({ ...action, label: event.currentTarget.value }, 'label')}
        />
      )}
      <details
        className={classes['fold']}
        open={isPlaceOpen}
        onToggle={(event) => onPlaceOpen(event.currentTarget.open)}
      >
        <summary>
          {t('area.place')}
          <small>
            {bounds.width} × {bounds.height} px
          </small>
        </summary>
        <div className={classes['sides']}>
          {sides.map((side) => (
            <TextInput
              key={side}
              type="number"
              label={t(`area.${side}`)}
              value={bounds[side]}
              min={side === 'width' || side === 'height' ? 1 : 0}
              max={side === 'x' || side === 'width' ? size.width : size.height}
              onChange={(event) => {
                const next = Math.round(event.currentTarget.valueAsNumber);
                if (Number.isNaN(next)) return;
                const moved: Bounds = { ...bounds, [side]: next };
                onChange({ bounds: fitArea(moved, size) }, side);
              }}
            />
          ))}
        </div>
      </details>
    </Stack>
  );
}

interface ActionProps {
  action: MenuAction;
  others: Props['others'];
  faultOf(name: string, value: string | undefined): string | undefined;
  set(action: MenuAction, field: string): void;
}

function ActionFields({ action, others, faultOf, set }: ActionProps) {
  const { t } = useTranslation('line-menus');
  switch (action.type) {
    case 'uri': {
      const calls = shownType(action) === 'call';
      const scheme = calls ? callScheme : '';
      return (
        <TextInput
          label={t(calls ? 'area.phone' : 'area.uri')}
          type={calls ? 'tel' : 'url'}
          inputMode={calls ? 'tel' : 'url'}
          placeholder={calls ? '03-1234-5678' : 'https://'}
          value={action.uri.slice(scheme.length)}
          maxLength={most.uri}
          error={faultOf('uri', action.uri)}
          onChange={(event) => set({ ...action, uri: scheme + event.currentTarget.value.replace(scheme, '') }, 'uri')}
        />
      );
    }
    case 'message':
      return (
        <Textarea
          label={t('area.text')}
          autosize
          minRows={1}
          maxRows={5}
          value={action.text}
          maxLength={most.text}
          error={faultOf('text', action.text)}
          onChange={(event) => set({ ...action, text: event.currentTarget.value }, 'text')}
        />
      );
    case 'postback':
      return (
        <>
          <TextInput
            label={t('area.data')}
            placeholder={t('area.dataExample')}
            value={action.data}
            maxLength={most.data}
            error={faultOf('data', action.data)}
            onChange={(event) => set({ ...action, data: event.currentTarget.value }, 'data')}
          />
          <TextInput
            label={t('area.displayText')}
            description={t('area.displayTextHint')}
            value={action.displayText ?? ''}
            maxLength={most.text}
            error={faultOf('displayText', action.displayText)}
            onChange={(event) => set({ ...action, displayText: event.currentTarget.value }, 'displayText')}
          />
          <Select
            label={t('area.inputOption')}
            value={action.inputOption ?? 'none'}
            data={inputOptions.map((value) => ({ value, label: t(`area.inputOptions.${value}`) }))}
            allowDeselect={false}
            onChange={(next) => {
              const { inputOption: _, fillInText, ...rest } = action;
              const option = inputOptions.find((each) => each === next);
              set(
                {
                  ...rest,
                  ...(option && option !== 'none' && { inputOption: option }),
                  ...(option === 'openKeyboard' && fillInText && { fillInText }),
                },
                'inputOption',
              );
            }}
          />
          {action.inputOption === 'openKeyboard' && (
            <TextInput
              label={t('area.fillInText')}
              value={action.fillInText ?? ''}
              maxLength={most.text}
              error={faultOf('fillInText', action.fillInText)}
              onChange={(event) => set({ ...action, fillInText: event.currentTarget.value }, 'fillInText')}
            />
          )}
        </>
      );
    case 'datetimepicker':
      return (
        <>
          <TextInput
            label={t('area.picked')}
            value={action.data}
            maxLength={most.data}
            error={faultOf('data', action.data)}
            onChange={(event) => set({ ...action, data: event.currentTarget.value }, 'data')}
          />
          <div>
            <div className={classes['fieldLabel']}>{t('area.mode')}</div>
            <Segments
              label={t('area.mode')}
              value={action.mode}
              options={modes.map((value) => ({ value, label: t(`area.modes.${value}`) }))}
              // What was chosen before has another form.
              onChange={(mode) => {
                const { initial: _, min: __, max: ___, ...rest } = action;
                set({ ...rest, mode }, 'mode');
              }}
            />
          </div>
          {(['initial', 'min', 'max'] as const).map((name) => (
            <TextInput
              key={name}
              type={pickerInputs[action.mode]}
              label={t(`area.${name}`)}
              value={action[name]?.replace('t', 'T') ?? ''}
              error={faultOf(name, action[name])}
              onChange={(event) => {
                const { [name]: _, ...rest } = action;
                const value = event.currentTarget.value;
                set(value ? { ...rest, [name]: value } : rest, name);
              }}
            />
          ))}
        </>
      );
    case 'richmenuswitch':
      return others.length < 2 ? (
        <p className={classes['hint']}>{t('area.noMenus')}</p>
      ) : (
        <Select
          label={t('area.menu')}
          value={action.menu || null}
          data={others.map(({ uuid, name, isThis }) => ({ value: uuid, label: isThis ? t('area.thisMenu') : name }))}
          allowDeselect={false}
          error={faultOf('menu', action.menu)}
          onChange={(next) => {
            const name = others.find(({ uuid }) => uuid === next)?.name ?? '';
            // A copy: what the picture says does not change when the other menu is renamed.
            const label = action.label || (name.length <= most.label ? name : undefined);
            set({ ...action, menu: next ?? '', ...(label && { label }) }, 'menu');
          }}
        />
      );
    case 'clipboard':
      return (
        <Textarea
          label={t('area.clipboardText')}
          autosize
          minRows={1}
          maxRows={5}
          value={action.clipboardText}
          maxLength={most.clipboardText}
          error={faultOf('clipboardText', action.clipboardText)}
          onChange={(event) => set({ ...action, clipboardText: event.currentTarget.value }, 'clipboardText')}
        />
      );
  }
}

/** How much of what is allowed is used. */
export function Counter({ count, max }: { count: number; max: number }) {
  const { t } = useTranslation('line-menus');
  return <span className={classes['counter']}>{t('area.counted', { count, max })}</span>;
}
