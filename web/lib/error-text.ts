import { ApiError } from './api.ts';
import { translate } from './i18n.ts';

/**
 * What was thrown may be anything, and its words are for whoever mends the program. So it has no words here but those that
 * `errorText` finds: what a query, a mutation or a promise fails with is of no known form until somebody has looked at it.
 */
declare module '@tanstack/react-query' {
  interface Register {
    defaultError: object;
  }
}
declare global {
  interface Promise<T> {
    then<Done = T, Failed = never>(
      done?: ((value: T) => Done | PromiseLike<Done>) | null,
      fail?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
    ): Promise<Done | Failed>;
    catch<Failed = never>(fail?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null): Promise<T | Failed>;
  }
}

const logged = new WeakSet<object>();

/** What people are told of something that failed: the server's own sentence, and of what nobody expected only that it happened. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  const known = Object(error);
  // A page that is drawn again tells of it again.
  if (!logged.has(known)) console.error(error);
  logged.add(known);
  return translate('common:unexpected');
}

/** The same of what may have failed. */
export const problemOf = (error: object | null | undefined): string | undefined =>
  error ? errorText(error) : undefined;
