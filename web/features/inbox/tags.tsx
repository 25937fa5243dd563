import { IconPlus, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { isComposing } from '../../ui/keyboard.ts';
import { toast } from '../../ui/toast.tsx';
import { useCounts } from './inbox.queries.ts';
import classes from './inbox.module.css';

interface Props {
  tags: string[];
  onSave(tags: string[]): Promise<unknown>;
}

/** A person's tags; those that the workspace uses are offered while one writes. */
export function Tags({ tags, onSave }: Props) {
  const { t } = useTranslation('inbox');
  const known = useCounts().data?.tags ?? [];
  const [text, setText] = useState<string>();
  const list = useId();
  const save = (next: string[]) => void onSave(next).catch((error: unknown) => toast.error(errorText(error)));
  const add = () => {
    const tag = text?.trim();
    setText(undefined);
    if (tag && !tags.includes(tag)) save([...tags, tag]);
  };
  return (
    <div className={classes['tags']} role="group" aria-label={t('person.tags')}>
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          className={classes['chip']}
          onClick={() => save(tags.filter((each) => each !== tag))}
          aria-label={t('person.removeTag', { tag })}
        >
          <span>{tag}</span>
          <IconX size={12} aria-hidden />
        </button>
      ))}
      {text === undefined ? (
        <button type="button" className={classes['chip']} onClick={() => setText('')} disabled={tags.length >= 20}>
          <IconPlus size={12} aria-hidden />
          <span>{t('person.addTag')}</span>
        </button>
      ) : (
        <>
          <input
            aria-label={t('person.addTag')}
            list={list}
            maxLength={40}
            autoFocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onBlur={add}
            onKeyDown={(event) => {
              if (isComposing(event)) return;
              if (event.key === 'Enter') {
                event.preventDefault();
                add();
              }
              if (event.key === 'Escape') setText(undefined);
            }}
          />
          <datalist id={list}>
            {known
              .filter((tag) => !tags.includes(tag))
              .map((tag) => (
                <option key={tag} value={tag}>
                  {tag}
                </option>
              ))}
          </datalist>
        </>
      )}
    </div>
  );
}
