/** The page `REFERENCE.md` of a package: every exported name with the first sentence of its comment, by entry. */

/** What the page needs of a declaration. */
export interface Described {
  /** The text of the declaration; of a name of another package, its export. */
  readonly text: string
  /** The comment, without its marks; empty without a comment. */
  readonly doc: string
}

/** An entry, and what it exports by name. */
export interface DescribedEntry {
  readonly entry: string
  readonly own: readonly (readonly [name: string, declaration: Described])[]
}

/** Whether a name belongs to another package. */
const isForeign = ({ text }: Described): boolean => text.startsWith('export ')

/** Returns the first sentence of a comment: its text up to the end of a sentence outside of code, without a table behind it. */
export function firstSentence(doc: string): string {
  const [description = ''] = doc.replace(/^\s*@deprecated /, 'Deprecated: ').split(/^\s*@(?!\w+\/)/m)
  const plain = description
    .replaceAll(/\{@link (\w+)[^}]*\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return /^(?:`[^`]*`|[^`])*?[.?](?=\s+[A-Z`({|]|$)/.exec(plain)?.[0] ?? plain
}

/** Returns the comment in front of a position of a file, without its marks. */
export function commentBefore(file: string, start: number): string {
  const [, comment = ''] = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*$/.exec(file.slice(0, start)) ?? []
  return comment.replaceAll(/^\s*\* ?/gm, '')
}

/** Returns the sentence of a name; an empty string without a comment. A schema has the name of its class, which has the sentence. */
function sentenceOf(entry: string, name: string, { doc }: Described): string {
  return firstSentence(doc) || (entry === './schemas' ? `The schema of \`${name}\`.` : '')
}

/** Returns the names without a sentence. */
export function undescribed(entries: readonly DescribedEntry[]): string[] {
  return entries.flatMap(({ entry, own }) =>
    own.flatMap(([name, one]) =>
      isForeign(one) || sentenceOf(entry, name, one) !== '' ? [] : [`${entry.slice(1)} ${name}`],
    ),
  )
}

/** Returns the page. */
export function referencePage(name: string, entries: readonly DescribedEntry[]): string {
  return [
    `# The names of ${name}`,
    'Every name that an entry exports, made from the comments in the sources.',
    ...entries.map(({ entry, own }) => sectionOf(name, entry, own)),
  ]
    .join('\n\n')
    .concat('\n')
}

function sectionOf(packageName: string, entry: string, own: DescribedEntry['own']): string {
  const named = own.filter(([, one]) => !isForeign(one)).sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = named.map(
    ([name, one]) => `| \`${name}\` | ${kindOf(one.text)} | ${cell(sentenceOf(entry, name, one))} |`,
  )
  const foreign = own.flatMap(([name, { text }]) => {
    const [, from] = /from '(.*)'$/.exec(text) ?? []
    return from === undefined ? [] : [name.startsWith('* ') ? `the names of \`${from}\`` : `\`${name}\` of \`${from}\``]
  })
  const table = rows.length === 0 ? [] : [['| name | kind | what it is |', '| --- | --- | --- |', ...rows].join('\n')]
  return [
    `## ${packageName}${entry.slice(1)}`,
    ...table,
    ...(foreign.length === 0 ? [] : [`Also ${foreign.sort().join(', ')}.`]),
  ].join('\n\n')
}

function kindOf(text: string): string {
  const kinds = [...text.matchAll(/^(?:declare )?(?:abstract )?(class|const|enum|function|interface|type)\b/gm)]
  const [kind = ''] = kinds.map(([, found]) => found!).sort((a, b) => (a === 'class' ? -1 : b === 'class' ? 1 : 0))
  return kind === 'interface' ? 'type' : kind === 'const' ? 'value' : kind
}

/** Escapes text for the cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|')
