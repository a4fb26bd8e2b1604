import type { ExplanationEntry } from '@x/postprocessors'

const WIDTH = 150
const HEIGHT = 22

interface Dot {
  step: number
  rank: number
  isDropped: boolean
}

/** The ranks of the nodes after each step, as lines: a line that ends at a cross was dropped. */
export function LedgerPicture({ entries }: { entries: readonly ExplanationEntry[] }) {
  const steps = Math.max(0, ...entries.map(({ step }) => step))
  if (steps === 0) return null
  const names = Array.from(new Map(entries.map(({ step, className }) => [step, className])))
  const lines = linesOf(entries)
  const ranks = Math.max(...lines.flatMap(([, dots]) => dots.map(({ rank }) => rank)))
  const at = ({ step, rank }: Dot) => `${20 + step * WIDTH},${14 + rank * HEIGHT}`
  return (
    // Wider than small screens: it scrolls, also by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable.
    <section class="scrolls" tabIndex={0} aria-label="Picture of the ranks">
      <svg
        width={120 + steps * WIDTH}
        height={40 + ranks * HEIGHT}
        role="img"
        aria-label={`Ranks of ${lines.length} nodes in ${steps} steps`}
      >
        <text x="4" y="14">
          search
        </text>
        {names.map(([step, name]) => (
          <text key={step} x={20 + step * WIDTH} y="14" text-anchor="middle">
            {`${step} ${name.replace(/(?:Node)?Post[Pp]rocessor$/, '')}`}
          </text>
        ))}
        {lines.map(([id, dots], i) => (
          <g key={id} class={`line line-${i % 6}`}>
            <title>{id}</title>
            <polyline points={dots.map(at).join(' ')} />
            {dots.map((dot) => {
              const [x, y] = at(dot).split(',').map(Number) as [number, number]
              return dot.isDropped ? (
                <path key={dot.step} d={`M${x - 5} ${y - 5}l10 10m0 -10l-10 10`} />
              ) : (
                <circle key={dot.step} cx={x} cy={y} r="4" />
              )
            })}
          </g>
        ))}
      </svg>
    </section>
  )
}

/** Returns the ranks of each node, by step; step 0 is the search. */
function linesOf(entries: readonly ExplanationEntry[]): [id: string, dots: Dot[]][] {
  const lines = new Map<string, Dot[]>()
  for (const { nodeId, step, rankBefore, rankAfter } of entries) {
    const dots = lines.get(nodeId) ?? []
    lines.set(nodeId, dots)
    if (dots.length === 0 && rankBefore !== null) dots.push({ step: step - 1, rank: rankBefore, isDropped: false })
    const rank = rankAfter ?? dots.at(-1)?.rank
    if (rank !== undefined) dots.push({ step, rank, isDropped: rankAfter === null })
  }
  return [...lines]
}
