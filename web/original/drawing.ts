/** An original that was read, from which pages are drawn. */
export interface Drawing {
  /** Nothing where it is one long page. */
  pages: number | null;
  names: string[];
  draw(page: number): Drawn | Promise<Drawn>;
}

export interface Drawn {
  document: Document;
  /** What has the width of a sheet of paper, and is made as wide as the frame. */
  paper?: string;
  isCut?: boolean;
}

export const isLong = (document: Document): Drawing => ({ pages: null, names: [], draw: () => ({ document }) });

export const parseHtml = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** A page of ours, with the text that is made of it. */
export function plainPage(css: string): Document {
  const page = document.implementation.createHTMLDocument('');
  page.head.append(elementOf('style', css));
  return page;
}

export const readable =
  'body { max-width: 46rem; margin: 0 auto; padding: 20px 24px 40px; font: 15px/1.6 system-ui, sans-serif; overflow-wrap: anywhere } img { max-width: 100% } table { border-collapse: collapse } th, td { border: 1px solid #ccc; padding: 4px 8px; text-align: start; vertical-align: top } pre { white-space: pre-wrap }';

export function elementOf(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
