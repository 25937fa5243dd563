import pino, { type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Bodies are never logged, and headers and fields that could carry a secret are blanked. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      hooks: {
        logMethod(args, method, level) {
          if (level >= 40) remember(level, args);
          method.apply(this, args);
        },
      },
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          '*.authorization',
          '*.cookie',
          '*["set-cookie"]',
          '*["x-api-key"]',
          '*.password',
          '*.apiKey',
          '*.jwt',
          '*.secret',
        ],
        censor: '[hidden]',
      },
      serializers: {
        err: (error: Error & { code?: unknown; cause?: unknown }) => ({
          type: error.name,
          message: error.message,
          code: error.code,
          stack: error.stack,
          ...(error.cause instanceof Error && { cause: error.cause.message }),
        }),
      },
    },
    destination ?? pino.destination({ fd: 1, sync: false }),
  );
}

export interface ReportedError {
  at: string;
  level: 'warn' | 'error';
  message: string;
  detail: string;
}

const recent: ReportedError[] = [];
const maxRecent = 50;

/** The warnings and errors of this process since it started, newest first. */
export const recentErrors = (): ReportedError[] => recent.toReversed();

function remember(level: number, args: unknown[]): void {
  const [first, second] = args;
  const err = typeof first === 'object' && first !== null && 'err' in first ? first.err : undefined;
  recent.push({
    at: new Date().toISOString(),
    level: level >= 50 ? 'error' : 'warn',
    message: typeof first === 'string' ? first : typeof second === 'string' ? second : '',
    detail: err instanceof Error ? `${err.name}: ${err.message}`.slice(0, 500) : '',
  });
  if (recent.length > maxRecent) recent.shift();
}
