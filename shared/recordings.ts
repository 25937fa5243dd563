/** Recordings that every phone plays, so that they go out as what they are: sound, and films. */
export const playableMimes = ['audio/mpeg', 'audio/mp4', 'video/mp4'] as const;
export type PlayableMime = (typeof playableMimes)[number];

export const isPlayable = (mime: string): mime is PlayableMime => playableMimes.some((each) => each === mime);
