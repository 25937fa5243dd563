declare module 'linebreak' {
  /** Where lines of a text may end: https://github.com/foliojs/linebreak */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}
