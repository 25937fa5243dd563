/** Every error that a caller can meet: its status, and whether the same call may succeed later. Sentences are in `locales/*\/errors.json`. */
export const errors = {
  'validation-failed': { status: 400, retry: false },
  'malformed-json': { status: 400, retry: false },
  'malformed-form': { status: 400, retry: false },
  'text-not-storable': { status: 400, retry: false },
  'bad-request': { status: 400, retry: false },
  'code-invalid': { status: 400, retry: false },
  'wrong-credentials': { status: 401, retry: false },
  'wrong-password': { status: 400, retry: false },
  'balance-empty': { status: 402, retry: false },
  'channel-spent': { status: 402, retry: false },
  'balance-out-of-bounds': { status: 409, retry: false },
  'idempotency-key-missing': { status: 400, retry: false },
  'idempotency-key-used': { status: 422, retry: false },
  'not-signed-in': { status: 401, retry: false },
  'api-key-missing': { status: 401, retry: false },
  'visitor-unknown': { status: 401, retry: false },
  'visitor-blocked': { status: 403, retry: false },
  'form-needed': { status: 422, retry: false },
  'consent-needed': { status: 422, retry: false },
  'not-allowed': { status: 403, retry: false },
  'identify-no-secret': { status: 403, retry: false },
  'identify-wrong-hash': { status: 403, retry: false },
  'owner-only': { status: 403, retry: false },
  'scope-missing': { status: 403, retry: false },
  'key-not-allowed': { status: 403, retry: false },
  'confirmation-needed': { status: 403, retry: false },
  'account-suspended': { status: 403, retry: false },
  'email-not-verified': { status: 403, retry: false },
  'registration-closed': { status: 403, retry: false },
  'invitation-needed': { status: 403, retry: false },
  'google-email-not-verified': { status: 400, retry: false },
  'google-account-exists': { status: 400, retry: false },
  'google-linked-elsewhere': { status: 400, retry: false },
  'google-refused': { status: 400, retry: false },
  'google-not-configured': { status: 404, retry: false },
  'origin-not-allowed': { status: 403, retry: false },
  'not-found': { status: 404, retry: false },
  'method-not-allowed': { status: 405, retry: false },
  'workspace-not-found': { status: 404, retry: false },
  'bot-not-found': { status: 404, retry: false },
  'knowledge-not-found': { status: 404, retry: false },
  'document-not-found': { status: 404, retry: false },
  'embedding-not-found': { status: 404, retry: false },
  'thread-not-found': { status: 404, retry: false },
  'guest-not-found': { status: 404, retry: false },
  'connection-not-found': { status: 404, retry: false },
  'channel-not-found': { status: 404, retry: false },
  'event-not-found': { status: 404, retry: false },
  'menu-not-found': { status: 404, retry: false },
  'menu-needed': { status: 409, retry: false },
  'menu-not-published': { status: 409, retry: false },
  'broadcast-not-found': { status: 404, retry: false },
  'broadcast-going': { status: 409, retry: false },
  'scenario-not-found': { status: 404, retry: false },
  'enrolment-not-found': { status: 404, retry: false },
  'rich-not-found': { status: 404, retry: false },
  'rich-needed': { status: 409, retry: false },
  'line-taken': { status: 409, retry: false },
  'line-refused': { status: 502, retry: false },
  'line-unreachable': { status: 502, retry: true },
  'webhook-not-found': { status: 404, retry: false },
  'unanswered-not-found': { status: 404, retry: false },
  'canned-not-found': { status: 404, retry: false },
  'message-not-found': { status: 404, retry: false },
  'version-not-found': { status: 404, retry: false },
  'botgroup-not-found': { status: 404, retry: false },
  'service-not-found': { status: 404, retry: false },
  'file-not-found': { status: 404, retry: false },
  'member-not-found': { status: 404, retry: false },
  'invitation-not-found': { status: 404, retry: false },
  'key-not-found': { status: 404, retry: false },
  'user-not-found': { status: 404, retry: false },
  'session-not-found': { status: 404, retry: false },
  'passkey-not-found': { status: 404, retry: false },
  'mail-not-found': { status: 404, retry: false },
  'body-too-slow': { status: 408, retry: true },
  'email-taken': { status: 409, retry: false },
  'setup-needed': { status: 403, retry: false },
  'username-taken': { status: 409, retry: false },
  'already-member': { status: 409, retry: false },
  'knowledge-in-trash': { status: 409, retry: false },
  conflict: { status: 409, retry: true },
  'thread-busy': { status: 409, retry: true },
  'embedding-changed': { status: 409, retry: false },
  'document-busy': { status: 409, retry: true },
  'body-too-large': { status: 413, retry: false },
  'file-too-large': { status: 413, retry: false },
  'unsupported-media-type': { status: 415, retry: false },
  'file-type-not-supported': { status: 415, retry: false },
  'file-empty': { status: 422, retry: false },
  'file-unreadable': { status: 422, retry: false },
  'file-unsafe': { status: 422, retry: false },
  'import-unreadable': { status: 422, retry: false },
  'import-newer': { status: 422, retry: false },
  'image-invalid': { status: 422, retry: false },
  'image-shape': { status: 422, retry: false },
  'image-too-large': { status: 422, retry: false },
  'workspace-full': { status: 422, retry: false },
  'workspace-personal': { status: 422, retry: false },
  'last-operator': { status: 422, retry: false },
  'last-way-in': { status: 422, retry: false },
  yourself: { status: 422, retry: false },
  'confirmation-mismatch': { status: 422, retry: false },
  'too-many': { status: 422, retry: false },
  'bot-not-published': { status: 422, retry: false },
  'tool-input-invalid': { status: 422, retry: false },
  'secret-elsewhere': { status: 422, retry: false },
  'tool-failed': { status: 502, retry: true },
  'question-too-long': { status: 422, retry: false },
  'embedding-too-long': { status: 422, retry: false },
  'document-too-long': { status: 400, retry: false },
  'model-needed': { status: 422, retry: false },
  'service-not-ready': { status: 422, retry: false },
  'address-not-allowed': { status: 400, retry: false },
  'visitor-limit': { status: 429, retry: true },
  'too-many-requests': { status: 429, retry: true },
  'headers-too-large': { status: 431, retry: false },
  'internal-error': { status: 500, retry: true },
  'provider-key-rejected': { status: 502, retry: false },
  'provider-exhausted': { status: 502, retry: false },
  'provider-refused': { status: 502, retry: false },
  'google-unreachable': { status: 502, retry: true },
  'provider-unreachable': { status: 502, retry: true },
  'provider-answer-empty': { status: 502, retry: true },
  'provider-out-of-tokens': { status: 502, retry: false },
  'provider-answer-unreadable': { status: 502, retry: true },
  'provider-busy': { status: 503, retry: true },
  'provider-timeout': { status: 504, retry: true },
  unavailable: { status: 503, retry: true },
  'storage-full': { status: 507, retry: true },
} as const satisfies Record<string, { status: number; retry: boolean }>;

export type ErrorCode = keyof typeof errors;

/** Why a document could not be read. They show as `document.error`, never as an HTTP status. Sentences are in `locales/*\/knowledge-server.json`. */
export const documentErrorCodes = [
  'file-damaged',
  'file-encrypted',
  'file-unsafe',
  'no-text',
  'no-pages',
  'too-many-pages',
  'too-much-text',
  'type-mismatch',
  'encoding-unknown',
  'parser-timeout',
  'parser-memory',
  'file-missing',
  'internal',
] as const;
export type DocumentErrorCode = (typeof documentErrorCodes)[number];

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    details: Record<string, unknown> = {},
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(code, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

const names: Record<number, string> = {
  400: 'ValidationError',
  401: 'UnauthorizedError',
  402: 'PaymentRequiredError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  405: 'MethodNotAllowedError',
  408: 'RequestTimeoutError',
  409: 'ConflictError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  422: 'UnprocessableEntityError',
  429: 'RateLimitError',
  431: 'RequestHeaderFieldsTooLargeError',
  500: 'InternalServerError',
  502: 'BadGatewayError',
  503: 'ServiceUnavailableError',
  504: 'GatewayTimeoutError',
  507: 'InsufficientStorageError',
};

/** The one form of an error on the wire. */
export interface ErrorReply {
  data: null;
  error: { status: number; name: string; code: ErrorCode; message: string; details: Record<string, unknown> };
}

export function errorReply(code: ErrorCode, message: string, details: Record<string, unknown> = {}): ErrorReply {
  const { status } = errors[code];
  return { data: null, error: { status, name: names[status] ?? 'Error', code, message, details } };
}
