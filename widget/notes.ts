/** Two short notes, made here. A browser that has not been touched yet plays none. */
export function play(): void {
  try {
    const context = new AudioContext();
    const volume = context.createGain();
    volume.connect(context.destination);
    volume.gain.setValueAtTime(0.08, context.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.4);
    for (const [at, frequency] of [880, 1175].entries()) {
      const note = context.createOscillator();
      note.frequency.value = frequency;
      note.connect(volume);
      note.start(context.currentTime + at * 0.12);
      note.stop(context.currentTime + 0.4);
    }
    setTimeout(() => void context.close(), 600);
  } catch {
    // This browser has no sound.
  }
}
