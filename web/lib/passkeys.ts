import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';

/** Why the browser gave no passkey: the person closed its window or waited too long, the device has one already, or it may not here. */
export type PasskeyProblem = 'cancelled' | 'known' | 'unavailable';

export class PasskeyError extends Error {
  readonly problem: PasskeyProblem;
  constructor(problem: PasskeyProblem, cause: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

interface Question {
  ticket: string;
  options: Record<string, unknown>;
}

/** Lets the person answer with a passkey they have. */
export async function askForPasskey({ ticket, options }: Question) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  // The contract calls them a record; their form is the standard's, and the server's library makes them for this one.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON }).catch(fail);
  return { ticket, response: { ...response } };
}

/** Lets the browser make a new one. */
export async function makePasskey({ ticket, options }: Question) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON; // as above
  const response = await startRegistration({ optionsJSON }).catch(fail);
  return { ticket, response: { ...response } };
}

// https://www.w3.org/TR/webauthn-3/#sctn-createCredential, #sctn-getAssertion: what each name means.
function fail(error: unknown): never {
  const name = error instanceof Object && 'name' in error ? error.name : '';
  throw new PasskeyError(
    name === 'InvalidStateError'
      ? 'known'
      : name === 'NotAllowedError' || name === 'AbortError'
        ? 'cancelled'
        : 'unavailable',
    error,
  );
}
