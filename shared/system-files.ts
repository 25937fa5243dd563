/** What systems put into folders beside the files of people: resource forks, thumbnails, settings, hidden files. */
export const isSystemFile = (path: string): boolean =>
  /(?:^|\/)(?:\.[^/]*|__MACOSX|Thumbs\.db|desktop\.ini)(?:\/|$)/i.test(path);
