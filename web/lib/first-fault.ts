import { ApiError } from './api.ts';

/** Who sent a form that was refused stands at the first field that is wrong, as soon as it says so. */
export function goToFirstFault(error: unknown): void {
  if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) return;
  setTimeout(() => document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus());
}
