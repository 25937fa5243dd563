import { Select, Stack, TextInput, Textarea } from '@mantine/core';
import { useRef } from 'react';
import type { CardAction, ImagemapAction } from '../../../shared/rich-message.ts';
import { callScheme, shownType } from '../../../shared/line-uri.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { LinkField } from './link-field.tsx';
import classes from './rich-messages.module.css';

type Any = CardAction | ImagemapAction;
type Kind = Any['type'] | 'call';

interface Props<Action extends Any> {
  action: Action;
  kinds: readonly Action['type'][];
  /** It has a label: what the button says. */
  isButton?: boolean;
  onChange(action: Action): void;
  /** What is wrong with a field of it. */
  error(field: string): string | undefined;
}

/** The same label with what another kind of action needs. */
function turned(action: Any, type: Kind): Any {
  const label = action.label ?? '';
  if (type === 'uri') return { type, label, uri: '' };
  if (type === 'call') return { type: 'uri', label, uri: callScheme };
  if (type === 'message') return { type, label, text: action.label ?? '' };
  if (type === 'clipboard') return { type, label, clipboardText: '' };
  return { type, label, data: '', displayText: '' };
}

/** But for the label, which may have been changed elsewhere. */
const isSame = (one: Any, other: Any): boolean =>
  JSON.stringify({ ...one, label: '' }) === JSON.stringify({ ...other, label: '' });

/** What a tap does. */
export function ActionFields<Action extends Any>({ action, kinds, isButton = false, onChange, error }: Props<Action>) {
  const { t } = useTranslation('rich-messages');
  // A border: the kinds that are offered are those that it may have.
  const given: Any = action;
  const kind = shownType(given);
  const offered = kinds.flatMap((each): Kind[] => (each === 'uri' ? ['uri', 'call'] : [each]));
  const seen = useRef<{ action: Any; others: Map<Kind, Any> }>(undefined);
  /** What this one was before; of another nothing is known. */
  const known = () => (seen.current && isSame(seen.current.action, given) ? seen.current.others : new Map<Kind, Any>());
  const set = (next: Any) => {
    const others = known().set(kind, given);
    seen.current = { action: next, others };
    onChange(next as Action);
  };
  const fields = useRef<HTMLDivElement>(null);
  return (
    <Stack gap={12} ref={fields}>
      {isButton && (
        <TextInput
          label={t('action.buttonLabel')}
          value={given.label ?? ''}
          maxLength={40}
          onChange={(event) => set({ ...given, label: event.currentTarget.value })}
          error={error('label')}
        />
      )}
      <Select
        label={t('action.kind')}
        value={kind}
        data={offered.map((value) => ({ value, label: t(`action.kinds.${value}`) }))}
        allowDeselect={false}
        onChange={(value) => {
          const type = offered.find((each) => each === value);
          if (!type || type === kind) return;
          // Who only looks at what else there is finds what was written again.
          const before = known().get(type);
          set(before ? { ...before, label: given.label ?? '' } : turned(given, type));
          // What is to be filled in now may be below the screen.
          requestAnimationFrame(() => fields.current?.scrollIntoView({ block: 'nearest' }));
        }}
      />
      {given.type === 'uri' && (
        <LinkField value={given.uri} onChange={(uri) => set({ ...given, uri })} error={error('uri')} />
      )}
      {given.type === 'message' && (
        <div>
          <TextInput
            label={t('action.text')}
            description={t('action.textHint')}
            value={given.text}
            maxLength={isButton ? 300 : 400}
            onChange={(event) => set({ ...given, text: event.currentTarget.value })}
            error={error('text')}
          />
          {given.text.trim() === '' && !error('text') && <p className={classes['blank']}>{t('action.textBlank')}</p>}
        </div>
      )}
      {given.type === 'clipboard' && (
        <div>
          <Textarea
            label={t('action.clipboard')}
            value={given.clipboardText}
            maxLength={1000}
            autosize
            onChange={(event) => set({ ...given, clipboardText: event.currentTarget.value })}
            error={error('clipboardText')}
          />
          {given.clipboardText.trim() === '' && !error('clipboardText') && (
            <p className={classes['blank']}>{t('action.clipboardBlank')}</p>
          )}
        </div>
      )}
      {given.type === 'postback' && (
        <>
          <TextInput
            label={t('action.data')}
            description={t('action.dataHint')}
            value={given.data}
            maxLength={300}
            onChange={(event) => set({ ...given, data: event.currentTarget.value })}
            error={error('data')}
          />
          <TextInput
            label={t('action.displayText')}
            value={given.displayText ?? ''}
            maxLength={300}
            onChange={(event) => set({ ...given, displayText: event.currentTarget.value })}
            error={error('displayText')}
          />
        </>
      )}
    </Stack>
  );
}
