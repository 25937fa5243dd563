import type { Locale } from '../../../shared/contracts/accounts.ts';
import { openai } from '../../../shared/contracts/openai.ts';
import { AppError, errors, type ErrorCode } from '../../../shared/errors.ts';
import { localizedError, type FieldIssue } from '../../infra/http.ts';

/** Where OpenAI's own API has another status than ours has. Its clients ask again after 408, 409, 429 and from 500 on: https://github.com/openai/openai-node#retries */
const statuses: Partial<Record<ErrorCode, number>> = {
  'provider-key-rejected': 403,
  'provider-exhausted': 402,
  'provider-refused': 400,
  'provider-out-of-tokens': 400,
  'provider-busy': 429,
};

export interface OpenAiError {
  message: string;
  type: string;
  code: string;
  param: string | null;
}

/** As OpenAI's clients read errors: https://platform.openai.com/docs/guides/error-codes */
export function openAiError(
  error: AppError,
  locale: Locale,
  requestId: string,
): { status: number; body: { error: OpenAiError } } {
  const known = ofPrograms(error);
  const { message, details } = localizedError(known, locale, requestId).error;
  const status = statuses[known.code] ?? errors[known.code].status;
  const fields = Array.isArray(details['fields']) ? details['fields'] : [];
  return {
    status,
    body: {
      error: {
        message: [
          message,
          ...fields.map((field: FieldIssue) => `${field.path || 'body'}: ${String(field['message'])}`),
        ].join(' '),
        type: typeOf(status),
        code: known.code === 'api-key-missing' ? 'invalid_api_key' : known.code,
        param: fields[0]?.path ?? null,
      },
    },
  };
}

const routes = Object.values(openai).map(({ method, path }) => `${method} ${path}`);

/** Nobody signs in here, and of OpenAI's API not everything is there. */
function ofPrograms(error: AppError): AppError {
  if (error.code === 'not-signed-in') return new AppError('api-key-missing');
  return error.code === 'not-found' ? new AppError('call-not-found', { calls: routes.join(', ') }) : error;
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 402) return 'insufficient_quota';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
