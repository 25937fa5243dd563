import { ApiError } from './api.ts';

/** React has drawn by then what is wrong. */
const drawnMs = 50;

/** Who sent a form in which something is wrong stands at the first field that says so, as soon as it does. */
export const goToFaultIn = (form: ParentNode) =>
  void setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), drawnMs);

/** The same where it is the server that found something. */
export function goToFirstFault(error: unknown): void {
  if (error instanceof ApiError && Object.keys(error.fields).length > 0)
    for (const form of document.forms) goToFaultIn(form);
}
