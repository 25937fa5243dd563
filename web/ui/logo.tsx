/** A speech bubble with a roof over a box: the strokes of 答, simplified until they need no font. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden style={{ flex: 'none' }}>
      <path
        fill="#00b900"
        d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H15l-6.4 4.8A1 1 0 0 1 7 29v-4H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4Z"
      />
      <path
        d="M9.5 12.2 16 7.4l6.5 4.8M12.4 12.6h7.2M11.6 16h8.8v5.2h-8.8z"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
