/** The code of a page did not come: there is no network, or the server has newer pages and no longer has this one's. */
export class PageCodeError extends Error {}

/** Another error for a part that could not be fetched: of those of the browser the router would try to be rid by itself, with a reload that offline leaves nothing on the screen. */
export async function withPageCode<T>(code: Promise<T>): Promise<T> {
  return code.catch((cause: unknown) => {
    throw new PageCodeError('The code of this page could not be fetched.', { cause });
  });
}
