/** What the server can make a picture of. */
export const pictureTypes = 'image/png,image/jpeg,image/webp,image/gif';
