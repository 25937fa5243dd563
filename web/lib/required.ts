import { translate } from './i18n.ts';

/** A form that is sent with an empty field says so at the field, in the words of this page instead of the browser's. */
export function tellWhatIsMissing(): void {
  document.addEventListener(
    'invalid',
    ({ target }) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
      const { valueMissing, typeMismatch } = target.validity;
      const isMail = target.type === 'email';
      target.setCustomValidity(
        valueMissing ? translate('common:required') : typeMismatch && isMail ? translate('common:mailForm') : '',
      );
      target.addEventListener('input', () => target.setCustomValidity(''), { once: true });
    },
    true,
  );
}
