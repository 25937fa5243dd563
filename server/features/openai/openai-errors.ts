import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { AppError } from '../../../shared/errors.ts';
import { localizedError, type FieldIssue } from '../../infra/http.ts';

/** As OpenAI's clients read errors: https://platform.openai.com/docs/guides/error-codes */
export function openAiError(error: AppError, locale: Locale, requestId: string) {
  const { message, details, status } = localizedError(error, locale, requestId).error;
  const type =
    status === 401
      ? 'authentication_error'
      : status === 403
        ? 'permission_error'
        : status === 429
          ? 'rate_limit_error'
          : status === 402
            ? 'insufficient_quota'
            : status >= 500
              ? 'server_error'
              : 'invalid_request_error';
  const fields = Array.isArray(details['fields']) ? details['fields'] : [];
  return {
    error: {
      message: [
        message,
        ...fields.map((field: FieldIssue) => `${field.path || 'body'}: ${String(field['message'])}`),
      ].join(' '),
      type,
      code: error.code,
      param: fields[0]?.path ?? null,
    },
  };
}
