/** A picture of measured values: a name and a horizontal bar for each, on one linear scale. A peer that would make the other bars tiny is cut. */

export interface Bar {
  name: string
  value: number
  /** What stands behind the bar. */
  label: string
  /** Whether it is of this repository. */
  ours: boolean
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '')
/** Narrow, so that a phone shows readable text. */
const [width, labelWidth, rowHeight] = [400, 150, 42]

/** The mark of a bar that is longer than it is drawn. */
const cutAt = (x: number, y: number): string =>
  `\n  <path class="cut" d="M${x.toFixed(1)} ${y + 20}l6 -20M${(x + 6).toFixed(1)} ${y + 20}l6 -20" />`

/** Returns the picture as SVG, for light and dark pages. The title is for readers who do not see it. */
export function barsAsSvg(title: string, bars: readonly Bar[]): string {
  const [longest, second] = [...bars].sort((one, other) => other.value - one.value)
  const isCut = longest !== undefined && second !== undefined && !longest.ours && longest.value > 2 * second.value
  const most = isCut ? 1.1 * second.value : (longest?.value ?? 0)
  const rows = bars.map(({ name, value, label, ours }, index) => {
    const y = 4 + index * rowHeight
    const length = Math.max(2, Math.min(1, value / most) * (width - labelWidth))
    const cut = value > most ? cutAt(length - 24, y + 17) : ''
    return `  <text x="0" y="${y + 14}">${escaped(name)}</text>
  <rect class="${ours ? 'ours' : 'peer'}" x="0" y="${y + 20}" width="${length.toFixed(1)}" height="14" rx="3" />${cut}
  <text class="note" x="${(length + 8).toFixed(1)}" y="${y + 32}">${escaped(label)}</text>`
  })
  const height = 8 + bars.length * rowHeight
  return `<svg class="bars" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
  <title>${escaped(title)}</title>
  <style>
    text { fill: #1f2329; font: 13px system-ui, sans-serif; }
    .note { fill: #4b4f58; }
    .ours { fill: #1d5fbf; }
    .peer { fill: #9ba1ad; }${isCut ? '\n    .cut { stroke: #fff; stroke-width: 2.5; }' : ''}
    @media (prefers-color-scheme: dark) {
      text { fill: #dfdfd6; }
      .note { fill: #b6bac4; }
      .ours { fill: #8cb8ff; }
      .peer { fill: #6b717d; }${isCut ? '\n      .cut { stroke: #0d1117; }' : ''}
    }
  </style>
${rows.join('\n')}
</svg>
`
}
