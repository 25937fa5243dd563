/** What LINE opens, as far as its beginning tells. https://developers.line.biz/en/reference/messaging-api/#uri-action */
export const lineUriForm = /^(?:https?:\/\/.|line:\/\/.|tel:[+\d#*])/;
