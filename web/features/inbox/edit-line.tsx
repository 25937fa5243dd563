import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { isComposing } from '../../ui/keyboard.ts';
import classes from './inbox.module.css';

interface Props {
  label: string;
  value: string;
  maxLength: number;
  type?: 'text' | 'email' | 'tel';
  placeholder?: string;
  /** The name of what the pane is about. */
  isTitle?: boolean;
  /** Of several lines: Enter makes one more. */
  isLong?: boolean;
  onSave(value: string): Promise<unknown>;
}

/** A value that is changed where it stands: Enter or leaving keeps it, Escape takes it back, and what is refused stays with the reason. */
export function EditLine({
  label,
  value,
  maxLength,
  type = 'text',
  placeholder = '–',
  isTitle = false,
  isLong = false,
  onSave,
}: Props) {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const isLeft = useRef(false);
  useEffect(() => {
    if (error) field.current?.focus();
  }, [error]);
  const save = async () => {
    if (isLeft.current) return void (isLeft.current = false);
    const next = (text ?? value).trim();
    if (next === value) return setText(undefined);
    try {
      await onSave(next);
      setText(undefined);
      setError(undefined);
    } catch (failure) {
      const reasons = failure instanceof ApiError ? Object.values(failure.fields) : [];
      setError(reasons[0] ?? errorText(failure));
    }
    return undefined;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement & HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      isLeft.current = true;
      setText(undefined);
      setError(undefined);
      event.currentTarget.blur();
      isLeft.current = false;
    }
    if (event.key === 'Enter' && !isLong) event.currentTarget.blur();
  };
  const common = {
    ref: field,
    className: classes['editLine'],
    'data-title': isTitle || undefined,
    'aria-label': label,
    'aria-invalid': error !== undefined,
    placeholder,
    maxLength,
    value: text ?? value,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setText(currentTarget.value);
      setError(undefined);
    },
    onBlur: () => void save(),
    onKeyDown,
  };
  return (
    <span className={classes['editPlace']}>
      {isLong ? <textarea {...common} rows={3} /> : <input {...common} type={type} />}
      {error && (
        <span role="alert" className={classes['problem']}>
          {error}
        </span>
      )}
    </span>
  );
}
