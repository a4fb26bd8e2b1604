/** A picture of measured values: a name and a horizontal bar for each, on one linear scale. */

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

/** Returns the picture as SVG, for light and dark pages. The title is for readers who do not see it. */
export function barsAsSvg(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value))
  const rows = bars.map(({ name, value, label, ours }, index) => {
    const y = 4 + index * rowHeight
    const length = Math.max(2, (value / most) * (width - labelWidth))
    return `  <text x="0" y="${y + 14}">${escaped(name)}</text>
  <rect class="${ours ? 'ours' : 'peer'}" x="0" y="${y + 20}" width="${length.toFixed(1)}" height="14" rx="3" />
  <text class="note" x="${(length + 8).toFixed(1)}" y="${y + 32}">${escaped(label)}</text>`
  })
  const height = 8 + bars.length * rowHeight
  return `<svg class="bars" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
  <title>${escaped(title)}</title>
  <style>
    text { fill: #1f2329; font: 13px system-ui, sans-serif; }
    .note { fill: #4b4f58; }
    .ours { fill: #1d5fbf; }
    .peer { fill: #9ba1ad; }
    @media (prefers-color-scheme: dark) {
      text { fill: #dfdfd6; }
      .note { fill: #b6bac4; }
      .ours { fill: #8cb8ff; }
      .peer { fill: #6b717d; }
    }
  </style>
${rows.join('\n')}
</svg>
`
}
