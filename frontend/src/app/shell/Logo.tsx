/** The mark: three nodes, one of them the one that decides. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" fill="none" aria-hidden>
      <path
        d="M7.5 13h3.2c1.8 0 2.3-1 2.3-2.4V9.4C13 8 13.6 7 15.3 7H18M10.7 13c1.8 0 2.3 1 2.3 2.4v1.2c0 1.4.6 2.4 2.3 2.4H18"
        stroke="var(--gw-accent)"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="5.5" cy="13" r="3.5" fill="var(--gw-accent)" />
      <circle
        cx="20"
        cy="7"
        r="3"
        fill="var(--gw-surface)"
        stroke="var(--gw-accent)"
        strokeWidth="2"
      />
      <circle
        cx="20"
        cy="19"
        r="3"
        fill="var(--gw-surface)"
        stroke="var(--gw-accent)"
        strokeWidth="2"
      />
    </svg>
  );
}
