let context: AudioContext | undefined;

/** Two soft notes. A browser plays nothing before the first press on a page, which is as it should be. */
export function chime(): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') return void context.resume().catch(() => {});
  const start = context.currentTime;
  for (const [at, pitch] of [
    [0, 880],
    [0.12, 1174.7],
  ] as const) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start + at);
    volume.gain.exponentialRampToValueAtTime(0.12, start + at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + at + 0.35);
    tone.connect(volume).connect(context.destination);
    tone.start(start + at);
    tone.stop(start + at + 0.4);
  }
}
