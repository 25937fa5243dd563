/** The pages there are. The server answers 404 for any other path; the router draws the same error page for it. */
export const pages = [
  '/',
  '/Login',
  '/Register',
  '/Forgot-Password',
  '/Reset-Password',
  '/Verify-Email',
  '/Invitation',
  '/Account',
  '/Team',
  '/Token',
  '/Operator',
  '/Bot',
  '/Bot/:id',
  '/Bot/:id/Chat',
  '/Document',
  '/Knowledge',
  '/Knowledge/Add',
  '/Knowledge/:id/documents',
  '/Knowledge/:id/documents/Create',
  '/Knowledge/:id/documents/:documentId',
  '/Shared/:token',
] as const;

const patterns = pages.map((page) => new RegExp(`^${page.replace(/:[A-Za-z]+/g, '[^/]+')}$`));

export function isPage(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}
