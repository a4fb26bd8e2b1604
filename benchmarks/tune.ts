/**
 * What `tune` chooses on the test collections of a folder: by the questions of persons, and by questions made from the texts
 * (`questionsFrom`), whose choice is then judged by the questions of persons. Exits with 1 when settings are chosen that are worse than the
 * default. The folder is that of `npm run bench -- retrieval`.
 *
 * @example npm run bench -- tune
 * @example npm run bench -- tune ~/collections/
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TextNode } from '../packages/core-model/src/index.ts'
import { questionsFrom, type RetrievalSettings, type TestQuestion, tune } from '../packages/evaluate/src/index.ts'

interface Collection {
  name: string
  docs: { id: string; title?: string; text: string }[]
  queries: { id: string; text: string }[]
  qrels: Record<string, Record<string, number>>
}

const print = (line: string) => process.stdout.write(`${line}\n`)
const given = process.argv[2] ?? process.env['X_COLLECTIONS']
const folder = given ?? join(import.meta.dirname, '..', '..', 'shared', 'ir')
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
let missed = given !== undefined && files.length === 0 ? 1 : 0
if (files.length === 0) print(`Nothing is tuned: ${folder} contains no collection (*.json).`)

const nameOf = ({ tokenizer, k1, b }: RetrievalSettings): string => {
  const terms = tokenizer === 'default' ? 'default' : Object.entries(tokenizer).flat().join(' ') || 'words'
  return k1 === 1.5 && b === 0.75 ? terms : `${terms}, k1 ${k1}, b ${b}`
}

/** The share of pairs that two rankings of the same settings order in the same way, minus the others (Kendall's tau). */
function agreement(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const names = [...one.keys()]
  let [same, different] = [0, 0]
  for (const [i, a] of names.entries())
    for (const b of names.slice(i + 1)) {
      const sign = (one.get(a)! - one.get(b)!) * (other.get(a)! - other.get(b)!)
      if (sign > 0) same++
      else if (sign < 0) different++
    }
  return (same - different) / Math.max(1, same + different)
}

if (files.length > 0)
  print(
    '| collection | questions | default | best for all | gain on others | p | chosen | texts would choose | its nDCG@10 | tau |\n|---|---|---|---|---|---|---|---|---|---|',
  )
for (const file of files) {
  const { name, docs, queries, qrels }: Collection = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const nodes = docs.map(({ id, title = '', text }) => {
    return new TextNode({ id, text: text.startsWith(title) ? text : `${title}\n\n${text}` })
  })
  const testSet: TestQuestion[] = queries.map(({ id, text }) => ({
    id,
    question: text,
    places: Object.entries(qrels[id] ?? {}).flatMap(([source, grade]) => (grade > 0 ? [{ source }] : [])),
  }))
  const { heldOut, ...people } = await tune({ nodes, testSet })
  const headings = nodes.map(({ id, text }, i) => {
    const { title } = docs[i]!
    return new TextNode({
      id,
      text: title ? `# ${title}\n\n${text.slice(text.startsWith(title) ? title.length : 0)}` : text,
    })
  })
  const generated = await questionsFrom(headings, { limit: 300 })
  // A question would find its own text by its own words.
  const asked = new Map(generated.map(({ id, question }) => [id, question]))
  const cut = headings.map(({ id, text }) => new TextNode({ id, text: text.replace(asked.get(id) ?? '', '') }))
  const byTokenizer = new Map(people.tried.map(({ settings, mean }) => [nameOf(settings), mean]))
  const texts =
    generated.length < 2 ? null : await tune({ nodes: cut, testSet: generated, origins: ['text'], bm25: [] })
  const ranking = new Map(texts?.tried.map(({ settings, mean }) => [nameOf(settings), mean]))
  const choice = texts ? nameOf(texts.tried[0]!.settings) : '–'
  const tau = texts ? agreement(ranking, byTokenizer).toFixed(2) : '–'
  const figures = [people.default.mean, people.best.mean].map((mean) => mean.toFixed(3))
  const gain = `${heldOut.difference.mean >= 0 ? '+' : '−'}${Math.abs(heldOut.difference.mean).toFixed(3)}`
  print(
    `| ${name} | ${people.questions} | ${figures[0]} | ${nameOf(people.best.settings)}: ${figures[1]} | ${gain} | ${heldOut.pValue.toFixed(3)} | ${people.isDefault ? 'default' : 'best'} | ${choice} | ${byTokenizer.get(choice)?.toFixed(3) ?? '–'} | ${tau} |`,
  )
  if (!people.isDefault && heldOut.difference.mean <= 0) missed++
}
process.exitCode = missed === 0 ? 0 : 1
