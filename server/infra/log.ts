import pino, { type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Bodies are never logged; what could carry a secret in a header or an object is blanked besides. */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['*.authorization', '*.cookie', '*["set-cookie"]', '*["x-api-key"]', '*.password', '*.apiKey', '*.jwt', '*.secret'],
        censor: '[hidden]',
      },
      serializers: {
        err: (error: Error & { code?: unknown; cause?: unknown }) => ({ type: error.name, message: error.message, code: error.code, stack: error.stack, ...(error.cause instanceof Error && { cause: error.cause.message }) }),
      },
    },
    destination ?? pino.destination({ fd: 1, sync: false }),
  );
}
