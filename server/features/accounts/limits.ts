import { limit } from '../../infra/limits.ts';

export const signInLimit = limit('sign-in', 20, 300, 'tries to sign in, by address');
export const signInAccountLimit = limit(
  'sign-in-account',
  20,
  900,
  'wrong passwords and codes, by account; a device that signed in before has its own count',
);
export const registerLimit = limit('register', 20, 3600, 'new accounts, by address');
export const forgotPasswordLimit = limit(
  'forgot-password',
  10,
  3600,
  'mails asked for with a forgotten password, by address',
);
export const forgotPasswordAccountLimit = limit(
  'forgot-password-account',
  3,
  3600,
  'mails to one account with a forgotten password',
);
export const exportLimit = limit('export', 5, 3600, "exports of one's own data, by person");

export const accountLimits = [
  signInLimit,
  signInAccountLimit,
  registerLimit,
  forgotPasswordLimit,
  forgotPasswordAccountLimit,
  exportLimit,
];
