import { useRef, useState } from 'react';
import type { formFields } from '../shared/contracts/web-channels.ts';
import { ApiError } from './api.ts';
import { useWidget } from './context.ts';
import { useFocus } from './focus.ts';
import { isMail } from '../shared/mail.ts';

const kinds: Record<(typeof formFields)[number], { type: string; complete: string; most: number }> = {
  name: { type: 'text', complete: 'name', most: 80 },
  email: { type: 'email', complete: 'email', most: 254 },
  phone: { type: 'tel', complete: 'tel', most: 40 },
};

/** What is asked before the first message. */
export function Form() {
  const { conversation, setting, say } = useWidget();
  const { fields, consent } = setting.form;
  const [given, setGiven] = useState<Record<string, string>>({});
  const [agrees, setAgrees] = useState(false);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [isBusy, setIsBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  useFocus(first);

  async function submit(form: HTMLFormElement): Promise<void> {
    const found: Record<string, string> = {};
    for (const { field, required } of fields) {
      const value = (given[field] ?? '').trim();
      if (required && !value) found[field] = say('required');
      else if (field === 'email' && value && !isMail(value)) found[field] = say('emailForm');
    }
    if (consent && !agrees) found['consent'] = say('consentNeeded');
    setFaults(found);
    const [wrong] = Object.keys(found);
    if (wrong) return form.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus();
    setIsBusy(true);
    try {
      await conversation.fillForm({ ...given, ...(consent && { consent: agrees }) });
    } catch (error) {
      const { fields: told = {}, message = '' } = error instanceof ApiError ? error : {};
      setFaults(Object.keys(told).length > 0 ? told : { form: message || say('busy') });
    }
    setIsBusy(false);
  }

  return (
    <form
      className="ask"
      noValidate
      aria-labelledby="form-title"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <h2 id="form-title">{say('formTitle')}</h2>
      {fields.map(({ field, required }, at) => (
        <label key={field}>
          <span>
            {say(field)}
            {!required && <small> {say('optional')}</small>}
          </span>
          <input
            name={field}
            {...(at === 0 && { ref: first })}
            type={kinds[field].type}
            autoComplete={kinds[field].complete}
            maxLength={kinds[field].most}
            value={given[field] ?? ''}
            aria-required={required}
            aria-invalid={field in faults}
            aria-describedby={faults[field] && `fault-${field}`}
            onChange={({ currentTarget }) => setGiven({ ...given, [field]: currentTarget.value })}
          />
          <Fault id={`fault-${field}`} text={faults[field]} />
        </label>
      ))}
      {consent && (
        <label className="tick">
          <input
            name="consent"
            type="checkbox"
            checked={agrees}
            aria-invalid={'consent' in faults}
            aria-describedby={faults['consent'] && 'fault-consent'}
            onChange={({ currentTarget }) => setAgrees(currentTarget.checked)}
          />
          <span>{say('consent')}</span>
          <Fault id="fault-consent" text={faults['consent']} />
        </label>
      )}
      <Fault id="fault-form" text={faults['form']} />
      <button type="submit" className="filled" disabled={isBusy}>
        {say('begin')}
      </button>
    </form>
  );
}

const Fault = ({ id, text }: { id: string; text: string | undefined }) =>
  text ? (
    <small className="fault" id={id} role="alert">
      {text}
    </small>
  ) : null;
