/**
 * @module
 * Generates random Markdown with the constructs in which block parsers differ: containers, lazy lines, tabs, tables, fences,
 * HTML, definitions, underlines and mixed line endings.
 */

/** Returns random numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number

/** Returns a generator with the same numbers for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const prefixes = [
  ...['', '', '', '', '', ' ', '  ', '  ', '  ', '   ', '   ', '    ', '    ', '     ', '\t', ' \t', '  \t', '\t\t'],
  ...['> ', '> ', '>', '>\t', '> > ', '- ', '- ', '-', '-   ', '-     ', '-\t', '- \t', '- - ', '* ', '+ '],
  ...['1. ', '2. ', '1) ', '10. ', '1.\t', '> - ', '- > '],
]

const contents = [
  ...['a', 'a b', 'c', 'a\\', '', '', '', '', '  ', '\t', '    x', '\u0000', '\ufeffa', '\ud800', '>'],
  ...['|a|b|', 'a | b', '| c |', '| c | d | e |', '| x \\| y | z |', '`a|b` | c', '||', '|', '| |', '|a', 'a|', '\\|'],
  ...['\\\\|b', '|a||b|', '| a |\u00a0', '|---|---|', '--|--', ':-- | --:', '|-|', '|:-:|-|', '- | -', '* | *', '-- |'],
  ...['| --- ', '=== |', '# h', '## h ##', '# `a` *b* #', '###### h', '####### h', '#h', '#', '# a | b', '---', '***'],
  ...['* * *', '- - -', '===', '==', '-', '--', '___', '```', '~~~', '````', '``` a', '```a`b', '``` `', '<div>'],
  ...[
    '</div>',
    '<b>',
    '<b> x',
    '<!--',
    '-->',
    '<!-- x -->',
    '<pre>',
    '</pre>',
    '<?x',
    '?>',
    '<![CDATA[',
    ']]>',
    ']]]>',
  ],
  ...[
    '<!X',
    '<a href="x">',
    '<a b=c=d>',
    '<table>',
    '<table><tr><td>a</td></tr></table> b',
    '<tr>',
    '<td rowspan=2>c',
    '</table>',
    '[a]: b',
    '[a]: b "t',
    '[a]:',
    '[a]',
    'c"',
    '*',
    '+',
    '1.',
  ],
  ...['2.', '10)', '- x', '> x', '1. x', '2. x', '3) x', '-\tx', '**b** _i_ &amp; ![x](y)'],
]

/** Single characters with a meaning in Markdown, and a few pairs that rarely occur by chance. */
const soup = [
  ...' \n\n\n\n  |||--::>>**++11..))##``~~==<<!?/[]"\t\r\\ab>-',
  ...[
    '    ',
    '```',
    '~~~',
    '---',
    '|-|',
    '|a|b|\n|-|-|\n',
    '<!--',
    '-->',
    '<div>',
    '> ',
    '- ',
    '1. ',
    '\n\n',
    '[a]: b',
  ],
]

/** Returns a document of a few lines, or of a few dozen characters in any order. */
export function generateMarkdown(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  if (random() < 0.3) {
    let mixed = ''
    for (let length = 1 + random() * 40; length >= 1; length--) mixed += pick(soup)
    return mixed
  }
  let text = ''
  const lines = 1 + Math.floor(random() * 9)
  for (let line = 0; line < lines; line++) {
    for (let count = Math.floor(random() * 2.3); count > 0; count--) text += pick(prefixes)
    text += pick(contents)
    if (random() < 0.1) text += pick(contents)
    if (random() < 0.05) text += pick(['  ', ' ', '\t'])
    const ending = random()
    text += ending < 0.03 ? '\r' : ending < 0.07 ? '\r\n' : '\n'
  }
  return random() < 0.3 ? text.replace(/[\r\n]+$/, '') : text
}
