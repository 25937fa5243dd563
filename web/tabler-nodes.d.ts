declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  /** The elements that an icon is made of. */
  export const __iconNode: [element: string, attributes: Record<string, string>][];
}
