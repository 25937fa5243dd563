const common = new Set([
  'password',
  'passw0rd',
  '12345678',
  '123456789',
  '1234567890',
  'qwertyuiop',
  'qwerty123',
  'iloveyou',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'superman',
  'trustno1',
  'letmein123',
  'admin123',
  'welcome1',
  'abc12345',
  '11111111',
  '00000000',
  'password1',
  'password123',
]);

/** How well a password would hold, 0 to 4: its length, how many different characters, and whether everyone uses it. */
export function strengthOf(password: string): 0 | 1 | 2 | 3 | 4 {
  if (password.length < 8) return 0;
  const different = new Set(password.toLowerCase()).size;
  if (common.has(password.toLowerCase()) || different < 4) return 1;
  // Japanese characters count as two kinds: there are so many of them.
  const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u, japanese, japanese].filter((kind) =>
    kind.test(password),
  ).length;
  const score =
    (password.length >= 12 ? 1 : 0) +
    (password.length >= 16 ? 1 : 0) +
    (kinds >= 2 ? 1 : 0) +
    (kinds >= 3 && different >= 8 ? 1 : 0);
  return score <= 0 ? 1 : score === 1 ? 2 : score === 2 ? 3 : 4;
}
