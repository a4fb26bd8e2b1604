import { expect, it } from 'vitest'
import { growthOf } from '../../../../../tools/growth.ts'
import { type InlinePart, inlineParts } from './inline-markdown.ts'

/** The parts as HTML would say them. */
const shown = (parts: readonly InlinePart[]): string =>
  parts
    .map(({ kind, text, parts: inner, href }) =>
      kind === 'text' ? text : `<${kind}${href === null ? '' : ` ${href}`}>${text}${shown(inner)}</${kind}>`,
    )
    .join('')
const read = (source: string) => shown(inlineParts(source))

it.each([
  ['Call `edit(taskId)` now', 'Call <code>edit(taskId)</code> now'],
  ['``a ` b``', '<code>a ` b</code>'],
  ['**bold `x`** and *soft*', '<strong>bold <code>x</code></strong> and <em>soft</em>'],
  ['[Guide](https://a.example/x "t")', '<link https://a.example/x>Guide</link>'],
  ['[`code` here](guide.md#x)', '<link><code>code</code> here</link>'],
  ['[bad](javascript:alert(1)) [worse](data:text/html,x)', '[bad](javascript:alert(1)) <link>worse</link>'],
  ['<img src=x onerror=1>', '<img src=x onerror=1>'],
])('reads %j', (source, expected) => {
  expect(read(source)).toBe(expected)
})

it.each(['2 * 3 * 4', 'a ** b', '`open', '**open', '[open](', '\\`x\\`', '*', '**', '', '[]()', 'snake_case_name'])(
  'leaves %j as text',
  (source) => {
    expect(read(source)).toBe(source)
  },
)

it.each(['`', '`a``b', '*a', '**a', '[', '[a](', '[a]', '\\', '*a **b `c'])(
  'takes linear time for %j',
  { tags: 'growth' },
  async (piece) => {
    expect(await growthOf((size) => inlineParts(piece.repeat(size)), 1000)).toBeLessThan(1.75)
  },
)
