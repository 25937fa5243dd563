/** Has the form of an e-mail address: something on both sides of one `@`, and a point within what follows it. */
export const isMail = (text: string): boolean => /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(text);
