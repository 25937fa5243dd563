/** What LINE opens, as far as its beginning tells. https://developers.line.biz/en/reference/messaging-api/#uri-action */
export const lineUriForm = /^(?:https?:\/\/.|line:\/\/.|tel:[+\d#*])/;

/** How an address begins that calls a telephone. */
export const callScheme = 'tel:';

/** What an action is to whoever makes it: an address that calls a telephone is no link. */
export const shownType = <Action extends { type: string }>(action: Action): Action['type'] | 'call' =>
  'uri' in action && String(action.uri).startsWith(callScheme) ? 'call' : action.type;
